//! How fast the run goes: at its own pace, in slow motion, or held and step by step.
//!
//! A person at the gateway asks for it through `/overrides/`, and only as long as that is fresh.
//! The loop wakes in every period whatever is asked for; here is decided in which of them a step
//! is made. With p the pace and a the part of a step that is due, in every period
//! ```text
//! a ← a + p      a step is made, and a ← a − 1, where a ≥ 1                                  (1)
//! ```
//! At p = 1 every period has its step, with nothing added up: a run that nobody slows down is what
//! it would be without this. At p = 0 a step is made for each single one that is asked for.
//! Nothing but the periods in which steps are made is changed: each step is the whole step that it
//! would have been, so a run has the same bits at every pace.

use rt::events::{Event, Kind, Reporter, Severity};
use service::config::Settings;
use shm_layout::blocks::{OVERRIDES, Overrides, PACE_HELD, PACE_OF_RUN};
use shm_layout::{Reader, Region};

static HELD: Kind = information("held", "held by a person at the gateway");
static SLOW_MOTION: Kind = information("slow-motion", "in slow motion for a person at the gateway");
static GOES_ON: Kind = information("goes-on", "goes on at its own pace");

/// What the sum of many paces may lack for a whole step by rounding.
const ROUNDING: f64 = 1e-9;

const fn information(name: &'static str, what: &'static str) -> Kind {
    Kind::new(name, Severity::Information, what)
}

/// Decides in which periods a step is made. Everything but making one is real-time safe.
pub struct Pace {
    overrides: Reader<Overrides>,
    timeout_ns: u64,
    /// p of the last period.
    pace_ratio: f64,
    /// a.
    due_ratio: f64,
    /// So many single steps of those that were ever asked for are done with.
    steps_done: u64,
}

impl Pace {
    /// The run's own pace, until something else is asked for. Single steps that were asked for
    /// before are not made up for.
    #[must_use]
    pub fn new(region: &Region, settings: &Settings) -> Self {
        let mut overrides = region.reader(OVERRIDES);
        let steps_done = overrides.latest().map_or(0, |snapshot| snapshot.value.steps_asked);
        let mut pace = Self { overrides, timeout_ns: 0, pace_ratio: PACE_OF_RUN, due_ratio: 0.0, steps_done };
        pace.take_settings(settings);
        pace
    }

    /// Whether a step is to be made in the period that begins now; called once in each. `step` is
    /// the one that comes next.
    #[inline]
    pub fn is_due(&mut self, now_ns: u64, step: u64, reporter: &mut Reporter) -> bool {
        let asked = self.overrides.latest().map(|snapshot| snapshot.value);
        let steps_asked = asked.map_or(self.steps_done, |it| it.steps_asked);
        let fresh = asked.filter(|it| it.are_fresh(now_ns, self.timeout_ns));
        let pace_ratio = fresh.map_or(PACE_OF_RUN, Overrides::pace);
        if pace_ratio != self.pace_ratio {
            self.change(pace_ratio, step, reporter);
        }
        if pace_ratio == PACE_HELD {
            return self.is_asked_for(steps_asked);
        }
        self.steps_done = steps_asked;
        if pace_ratio == PACE_OF_RUN {
            return true;
        }
        // Eq. (1)
        self.due_ratio += pace_ratio;
        let is_due = self.due_ratio >= 1.0 - ROUNDING;
        self.due_ratio -= f64::from(u8::from(is_due));
        is_due
    }

    /// Takes over settings that were changed. Real-time safe.
    pub fn take_settings(&mut self, settings: &Settings) {
        self.timeout_ns = settings.driver_timeout_ms * 1_000_000;
    }

    /// Whether a single step is still to be made. A count that went back is another gateway's.
    #[inline]
    fn is_asked_for(&mut self, steps_asked: u64) -> bool {
        let is_asked_for = steps_asked > self.steps_done;
        self.steps_done = if is_asked_for { self.steps_done + 1 } else { steps_asked };
        is_asked_for
    }

    fn change(&mut self, pace_ratio: f64, step: u64, reporter: &mut Reporter) {
        let kind = if pace_ratio == PACE_HELD {
            &HELD
        } else if pace_ratio == PACE_OF_RUN {
            &GOES_ON
        } else {
            &SLOW_MOTION
        };
        reporter.report(Event::once(kind, step));
        self.pace_ratio = pace_ratio;
        self.due_ratio = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rt::events::{Events, ring};
    use service::Config;
    use shm_layout::{RegionName, Stamp, Writer};

    const TIMEOUT_NS: u64 = 500_000_000;

    struct Rig {
        pace: Pace,
        writer: Writer<Overrides>,
        reporter: Reporter,
        events: Events,
        now_ns: u64,
        region: Region,
        _folder: tempfile::TempDir,
    }

    impl Rig {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            let name = RegionName::in_directory(folder.path(), "pace").expect("a name");
            let region = Region::create(&name, None).expect("a region");
            let pace = Pace::new(&region, &Settings::of(&Config::default()));
            assert_eq!(pace.timeout_ns, TIMEOUT_NS);
            let writer = region.claim(OVERRIDES).expect("the block");
            let (reporter, events) = ring(64);
            Self { pace, writer, reporter, events, now_ns: TIMEOUT_NS, region, _folder: folder }
        }

        fn ask(&mut self, pace_ratio: f64, steps_asked: u64) {
            let stamp = Stamp { publish_ns: self.now_ns, ..Stamp::default() };
            self.writer.publish(&Overrides { stamp, pace_ratio, steps_asked, ..Overrides::default() });
        }

        /// How many steps are made in so many periods.
        fn steps_in(&mut self, periods: u32) -> usize {
            (0..periods).filter(|_| self.pace.is_due(self.now_ns, 7, &mut self.reporter)).count()
        }

        fn told(&mut self) -> Vec<&'static str> {
            std::iter::from_fn(|| self.events.next()).map(|event| event.kind.name).collect()
        }
    }

    #[test]
    fn nobody_asks_for_anything_and_every_period_has_its_step() {
        let mut rig = Rig::new();
        assert_eq!(rig.steps_in(100), 100);
        rig.ask(PACE_OF_RUN, 0);
        assert_eq!(rig.steps_in(100), 100);
        rig.ask(f64::NAN, 0);
        assert_eq!(rig.steps_in(100), 100);
        assert_eq!(rig.told(), [""; 0]);
    }

    #[test]
    fn a_pace_makes_its_part_of_the_steps_evenly() {
        let mut rig = Rig::new();
        for (pace_ratio, periods, steps) in
            [(0.1, 10_000, 1_000), (0.5, 1_000, 500), (0.3, 10_000, 3_000), (0.75, 400, 300), (1e-3, 5_000, 5)]
        {
            rig.ask(pace_ratio, 0);
            assert_eq!(rig.steps_in(periods), steps, "{pace_ratio}");
        }
        rig.ask(0.1, 0);
        assert!((0..50).all(|_| rig.steps_in(10) == 1), "one of ten, in every ten");
        rig.ask(PACE_OF_RUN, 0);
        assert_eq!(rig.steps_in(10), 10);
    }

    #[test]
    fn held_only_the_single_steps_are_made_that_are_asked_for() {
        let mut rig = Rig::new();
        rig.ask(PACE_HELD, 0);
        assert_eq!(rig.steps_in(100), 0);
        rig.ask(PACE_HELD, 1);
        assert_eq!(rig.steps_in(100), 1);
        rig.ask(PACE_HELD, 4);
        assert_eq!([rig.steps_in(1), rig.steps_in(1), rig.steps_in(100)], [1, 1, 1]);
        // What was asked for while the run was not held is not made up for.
        rig.ask(0.5, 9);
        assert_eq!(rig.steps_in(2), 1);
        rig.ask(PACE_HELD, 9);
        assert_eq!(rig.steps_in(100), 0);
        // A gateway that counts anew.
        rig.ask(PACE_HELD, 2);
        assert_eq!(rig.steps_in(100), 0);
        rig.ask(PACE_HELD, 3);
        assert_eq!(rig.steps_in(100), 1);
    }

    #[test]
    fn a_process_that_comes_back_to_a_held_run_holds_it_and_repeats_no_step() {
        let mut rig = Rig::new();
        rig.ask(PACE_HELD, 5);
        rig.pace = Pace::new(&rig.region, &Settings::of(&Config::default()));
        assert_eq!(rig.steps_in(100), 0);
        rig.ask(PACE_HELD, 6);
        assert_eq!(rig.steps_in(100), 1);
    }

    #[test]
    fn a_gateway_that_falls_silent_holds_nobody() {
        let mut rig = Rig::new();
        rig.ask(PACE_HELD, 0);
        rig.now_ns += TIMEOUT_NS;
        assert_eq!(rig.steps_in(100), 0);
        rig.now_ns += 1;
        assert_eq!(rig.steps_in(100), 100);
        let settings = Settings { driver_timeout_ms: 600, ..Settings::of(&Config::default()) };
        rig.pace.take_settings(&settings);
        assert_eq!(rig.steps_in(100), 0);
        assert_eq!(rig.told(), ["held", "goes-on", "held"]);
    }

    #[test]
    fn each_change_is_told_once() {
        let mut rig = Rig::new();
        for pace_ratio in [PACE_HELD, 0.1, 0.1, 0.5, PACE_OF_RUN, PACE_HELD] {
            rig.ask(pace_ratio, 0);
            rig.steps_in(100);
        }
        assert_eq!(rig.told(), ["held", "slow-motion", "slow-motion", "goes-on", "held"]);
    }
}
