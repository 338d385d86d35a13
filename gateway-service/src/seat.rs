//! The driver's seat: one client at a time, on a lease.
//!
//! Who has the seat says what the driver does at least ten times a second. Who falls silent has let
//! go, as has who closes the page: the vehicle then stops safely, until somebody takes the seat or
//! hands it back to the run's own driver. [`crate::operator`] publishes what is asked for.

use std::time::{Duration, Instant};

use shm_layout::blocks::{Overrides, SEAT_LEFT, SEAT_OF_RUN, SEAT_TAKEN};
use shm_layout::signals::Dictionary;
use tokio::sync::watch;

use crate::messages::{Drive, Holder, SeatAction};

/// How long who has the seat may be silent.
const LEASE: Duration = Duration::from_millis(300);
/// What a drive message sets, in the order of its fields.
const DRIVEN: [&str; 4] = ["driver.steering_angle_rad", "driver.throttle_ratio", "driver.brake_ratio", "driver.gear"];

/// Who has it: the state of the block, and which client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupation {
    state: u64,
    client: Option<u64>,
}

impl Occupation {
    /// As one client sees it.
    pub fn seen_by(self, client: u64) -> Holder {
        match (self.state, self.client) {
            (SEAT_TAKEN, Some(holder)) if holder == client => Holder::You,
            (SEAT_TAKEN, _) => Holder::Other,
            (SEAT_LEFT, _) => Holder::None,
            _ => Holder::Run,
        }
    }
}

/// The seat.
pub struct Seat {
    numbers: [u64; 4],
    drive: Drive,
    heard: Instant,
    occupation: watch::Sender<Occupation>,
}

impl Seat {
    /// The seat as the last gateway left it: who had it then has let go.
    pub fn new(before: &Overrides, dictionary: &Dictionary) -> Self {
        let state = if before.seat == SEAT_OF_RUN { SEAT_OF_RUN } else { SEAT_LEFT };
        let number = |name| dictionary.find(name).map_or(0, |entry| entry.number);
        Self {
            numbers: DRIVEN.map(number),
            drive: Drive::default(),
            heard: Instant::now(),
            occupation: watch::channel(Occupation { state, client: None }).0,
        }
    }

    /// Tells of every change.
    pub fn changes(&self) -> watch::Receiver<Occupation> {
        self.occupation.subscribe()
    }

    fn now(&self) -> Occupation {
        *self.occupation.borrow()
    }

    /// Whether the run's own driver drives, which needs nothing to be said.
    pub fn is_of_run(&self) -> bool {
        self.now().state == SEAT_OF_RUN
    }

    /// What a client asks of the seat; an error says why not.
    pub fn ask(&mut self, client: u64, action: SeatAction) -> Result<(), &'static str> {
        let Occupation { state, client: holder } = self.now();
        let is_mine = holder == Some(client);
        let next = match action {
            SeatAction::Take if state == SEAT_TAKEN && !is_mine => return Err("somebody else drives"),
            SeatAction::Take => Occupation { state: SEAT_TAKEN, client: Some(client) },
            SeatAction::Release if is_mine => Occupation { state: SEAT_LEFT, client: None },
            SeatAction::HandBack if is_mine || state == SEAT_LEFT => Occupation { state: SEAT_OF_RUN, client: None },
            _ if state == SEAT_OF_RUN => return Err("the run's own driver drives already"),
            _ => return Err("somebody else drives"),
        };
        if action == SeatAction::Take && !is_mine {
            self.drive = Drive::default();
        }
        self.heard = Instant::now();
        self.change(next);
        Ok(())
    }

    /// What who has the seat does; false for others, whose word counts for nothing.
    pub fn drive(&mut self, client: u64, drive: Drive) -> bool {
        let drives = self.now().client == Some(client);
        if drives {
            self.drive = drive;
            self.heard = Instant::now();
        }
        drives
    }

    /// A client has gone.
    pub fn leave(&mut self, client: u64) {
        if self.now().client == Some(client) {
            self.change(Occupation { state: SEAT_LEFT, client: None });
        }
    }

    /// Ends a lease that is over.
    pub fn refresh(&mut self, now: Instant) {
        if self.now().state == SEAT_TAKEN && now.saturating_duration_since(self.heard) > LEASE {
            self.change(Occupation { state: SEAT_LEFT, client: None });
        }
    }

    fn change(&mut self, next: Occupation) {
        if next != self.now() {
            tracing::info!(event = "seat", "{}", in_words(next));
            self.occupation.send_replace(next);
        }
    }

    /// Says who drives, and what a person does.
    pub fn fill(&self, overrides: &mut Overrides) {
        overrides.seat = self.now().state;
        if overrides.seat == SEAT_TAKEN {
            let Drive { steering_angle_rad, throttle_ratio, brake_ratio, gear } = self.drive;
            // A value that is not known overrides nothing.
            let values = [steering_angle_rad, throttle_ratio, brake_ratio, gear.map_or(f64::NAN, f64::from)];
            for (number, value) in self.numbers.into_iter().zip(values) {
                overrides.add(number, value);
            }
        }
    }
}

fn in_words(occupation: Occupation) -> &'static str {
    match occupation.state {
        SEAT_TAKEN => "a person at the gateway drives",
        SEAT_LEFT => "the person at the gateway let go: the vehicle stops safely",
        _ => "the run's own driver drives",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shm_layout::blocks::{self, DriverInput};

    fn seat() -> Seat {
        Seat::new(&Overrides::default(), &Dictionary::default())
    }

    fn said(seat: &Seat) -> (u64, DriverInput) {
        let mut overrides = Overrides::default();
        seat.fill(&mut overrides);
        let mut input = DriverInput::RELEASED;
        overrides.apply(blocks::DRIVER, &mut input);
        (overrides.seat, input)
    }

    #[test]
    fn only_who_has_the_seat_drives() {
        let mut seat = seat();
        assert!(said(&seat).0 == SEAT_OF_RUN && seat.is_of_run());
        seat.ask(1, SeatAction::Take).unwrap();
        assert!(seat.ask(2, SeatAction::Take).is_err() && seat.ask(2, SeatAction::HandBack).is_err());
        let drive =
            |throttle_ratio| Drive { throttle_ratio, steering_angle_rad: 0.5, gear: Some(2), ..Drive::default() };
        seat.drive(1, drive(0.25));
        seat.drive(2, drive(1.0));
        let (state, input) = said(&seat);
        assert_eq!((state, input.throttle_ratio, input.steering_angle_rad), (SEAT_TAKEN, 0.25, 0.5));
        assert_eq!(input.gear_asked(), Some(2));
        assert_eq!([1, 2].map(|client| seat.now().seen_by(client)), [Holder::You, Holder::Other]);
    }

    #[test]
    fn who_lets_go_leaves_or_falls_silent_is_stopped_for() {
        for how in 0..3 {
            let mut seat = seat();
            seat.ask(1, SeatAction::Take).unwrap();
            seat.drive(1, Drive { throttle_ratio: 1.0, ..Drive::default() });
            match how {
                0 => seat.ask(1, SeatAction::Release).unwrap(),
                1 => seat.leave(1),
                _ => {
                    seat.refresh(seat.heard + LEASE);
                    assert_eq!(said(&seat).0, SEAT_TAKEN);
                    seat.refresh(seat.heard + LEASE + Duration::from_millis(1));
                }
            }
            let (state, input) = said(&seat);
            assert_eq!((state, input.throttle_ratio), (SEAT_LEFT, 0.0), "{how}");
            seat.drive(1, Drive { throttle_ratio: 1.0, ..Drive::default() });
            assert_eq!(said(&seat).1.throttle_ratio, 0.0);
            // Anybody who may drive hands it back, or takes it.
            seat.ask(2, SeatAction::HandBack).unwrap();
            assert_eq!(said(&seat).0, SEAT_OF_RUN);
            assert!(seat.ask(2, SeatAction::Release).is_err());
        }
    }

    #[test]
    fn a_gateway_that_died_while_somebody_drove_is_followed_by_an_empty_seat() {
        let mut before = Overrides::default();
        let mut seat = seat();
        seat.ask(1, SeatAction::Take).unwrap();
        seat.fill(&mut before);
        let seat = Seat::new(&before, &Dictionary::default());
        assert_eq!(seat.now().seen_by(1), Holder::None);
    }
}
