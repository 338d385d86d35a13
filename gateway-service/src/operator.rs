//! The one writer of `/overrides/`: what people at the gateway do, the driver's seat of a vehicle and
//! the pace of any run.
//!
//! What holds is published again and again, so that a gateway that dies holds nobody and drives
//! nothing. A run that nobody does anything to is left alone: nothing is published then.

use std::time::{Duration, Instant};

use shm_layout::blocks::Overrides;
use shm_layout::clock::monotonic_ns;
use shm_layout::signals::Dictionary;
use shm_layout::{Reader, Stamp, Writer};
use tokio::sync::watch;

use crate::messages::{Drive, RunControl, SeatAction};
use crate::pace::Pace;
use crate::seat::{Occupation, Seat};

/// How often the block is published.
pub const PUBLISH_EVERY: Duration = Duration::from_millis(20);

/// What people do, and the block that says so.
pub struct Operator {
    writer: Writer<Overrides>,
    step: u64,
    seat: Option<Seat>,
    pace: Pace,
}

impl Operator {
    /// As the last gateway left it; `is_vehicle`: there is a seat.
    pub fn new(
        writer: Writer<Overrides>,
        reader: &mut Reader<Overrides>,
        dictionary: &Dictionary,
        is_vehicle: bool,
    ) -> Self {
        let before = reader.latest().map_or_else(Overrides::default, |snapshot| *snapshot.value);
        let seat = is_vehicle.then(|| Seat::new(&before, dictionary));
        let mut operator = Self { writer, step: before.stamp.step, seat, pace: Pace::new(&before) };
        operator.publish();
        operator
    }

    /// Tells of every change of the seat; none where there is no seat.
    pub fn seat_changes(&self) -> Option<watch::Receiver<Occupation>> {
        self.seat.as_ref().map(Seat::changes)
    }

    /// Tells of every change of the pace.
    pub fn pace_changes(&self) -> watch::Receiver<f64> {
        self.pace.changes()
    }

    /// What a client asks of the seat; an error says why not.
    pub fn ask_seat(&mut self, client: u64, action: SeatAction) -> Result<(), &'static str> {
        let seat = self.seat.as_mut().ok_or("a plant has no driver's seat")?;
        seat.ask(client, action)?;
        self.publish();
        Ok(())
    }

    /// What a client asks of the run; an error says why not.
    pub fn ask_run(&mut self, client: u64, control: RunControl) -> Result<(), &'static str> {
        self.pace.ask(client, control)?;
        self.publish();
        Ok(())
    }

    /// What who has the seat does.
    pub fn drive(&mut self, client: u64, drive: Drive) {
        if self.seat.as_mut().is_some_and(|seat| seat.drive(client, drive)) {
            self.publish();
        }
    }

    /// A client has gone.
    pub fn leave(&mut self, client: u64) {
        let was_left_alone = self.is_left_alone();
        self.seat.iter_mut().for_each(|seat| seat.leave(client));
        self.pace.leave(client);
        if !was_left_alone {
            self.publish();
        }
    }

    /// Says again what holds.
    pub fn refresh(&mut self, now: Instant) {
        self.seat.iter_mut().for_each(|seat| seat.refresh(now));
        if !self.is_left_alone() {
            self.publish();
        }
    }

    fn is_left_alone(&self) -> bool {
        self.pace.is_of_run() && self.seat.as_ref().is_none_or(Seat::is_of_run)
    }

    fn publish(&mut self) {
        let now_ns = monotonic_ns();
        self.step += 1;
        let stamp = Stamp { step: self.step, sample_ns: now_ns, publish_ns: now_ns };
        let mut overrides = Overrides { stamp, ..Overrides::default() };
        self.pace.fill(&mut overrides);
        self.seat.iter().for_each(|seat| seat.fill(&mut overrides));
        self.writer.publish(&overrides);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shm_layout::blocks::{self, SEAT_LEFT, SEAT_OF_RUN, SEAT_TAKEN};
    use shm_layout::{Region, RegionName};

    struct Rig {
        operator: Operator,
        reader: Reader<Overrides>,
        region: Region,
        _folder: tempfile::TempDir,
    }

    impl Rig {
        fn new(is_vehicle: bool) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let name = RegionName::in_directory(folder.path(), "operator").unwrap();
            let region = Region::create(&name, None).unwrap();
            let mut reader = region.reader(blocks::OVERRIDES);
            let writer = region.claim(blocks::OVERRIDES).unwrap();
            let operator = Operator::new(writer, &mut reader, &Dictionary::default(), is_vehicle);
            Self { operator, reader, region, _folder: folder }
        }

        fn published(&mut self) -> Overrides {
            *self.reader.latest().expect("published").value
        }

        fn hold(&mut self, client: u64) {
            self.operator.ask_run(client, RunControl { pace_ratio: Some(0.0), step: false }).unwrap();
        }
    }

    #[test]
    fn seat_and_pace_are_published_together_and_again_and_again() {
        let mut rig = Rig::new(true);
        let first = rig.published();
        assert_eq!((first.seat, first.pace_ratio), (SEAT_OF_RUN, 1.0));
        rig.operator.refresh(Instant::now());
        assert_eq!(rig.published().stamp.step, first.stamp.step, "nothing is to be said");
        rig.hold(1);
        rig.operator.ask_seat(2, SeatAction::Take).unwrap();
        rig.operator.drive(2, Drive { throttle_ratio: 0.5, ..Drive::default() });
        let before = rig.published();
        assert_eq!((before.seat, before.pace_ratio, before.list()[1].value), (SEAT_TAKEN, 0.0, 0.5));
        rig.operator.refresh(Instant::now());
        assert_eq!(rig.published().stamp.step, before.stamp.step + 1);
        rig.operator.leave(2);
        assert_eq!((rig.published().seat, rig.published().pace_ratio), (SEAT_LEFT, 0.0));
        rig.operator.leave(1);
        assert_eq!((rig.published().seat, rig.published().pace_ratio), (SEAT_LEFT, 1.0));
    }

    #[test]
    fn a_plant_has_a_pace_and_no_seat() {
        let mut rig = Rig::new(false);
        assert!(rig.operator.ask_seat(1, SeatAction::Take).is_err() && rig.operator.seat_changes().is_none());
        rig.hold(1);
        assert_eq!((rig.published().seat, rig.published().pace_ratio), (SEAT_OF_RUN, 0.0));
    }

    #[test]
    fn the_next_gateway_lets_a_run_go_on_that_was_held() {
        let mut rig = Rig::new(true);
        rig.hold(1);
        let Rig { operator, mut reader, region, _folder } = rig;
        drop(operator);
        let writer = region.claim(blocks::OVERRIDES).unwrap();
        let _operator = Operator::new(writer, &mut reader, &Dictionary::default(), true);
        assert_eq!(reader.latest().unwrap().value.pace_ratio, 1.0);
    }
}
