//! The step path allocates nothing and takes no page fault: the three processes' own code, in one
//! thread.

use std::cell::Cell;
use std::rc::Rc;

use daq_service::{PlantDemands, Script, Scripted, ScriptedDriver};
use dynamics_service::{Dynamics, Pace, PlantModel, VehicleModel};
use lockstep::{Answerer, Asker, Clock};
use rt::allocation::{CountingAllocator, NoAllocation, forbid_with_faults, page_faults};
use rt::events::{self, Events, Reporter};
use service::Config;
use service::config::{DriverSource, Settings};
use shm_layout::blocks::{OVERRIDES, Overrides};
use shm_layout::{Region, Stamp, Wait, Waited, Writer};
use simulator::linked::temporary_region;
use simulator::{PlantSystem, System, VehicleSystem};
use subsystems::{PlantController, Subsystems, VehicleSubsystems};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const STEPS: u64 = 100_000;
const PERIOD_NS: u64 = 1_000_000;
/// Room for events; far fewer than the tests report, so that a full ring is met as well.
const RING: usize = 64;

struct Processes<M: Dynamics, R: Subsystems, S: Script> {
    dynamics: dynamics_service::Turn<M>,
    pace: Pace,
    overrides: Writer<Overrides>,
    subsystem: subsystem_service::Turn<R>,
    daq: daq_service::Turn<Scripted<S>>,
    now_ns: Rc<Cell<u64>>,
    reporter: Reporter,
    events: Events,
    _region: Region,
}

fn of_plant(scenario: &str, wait: Wait) -> Processes<PlantModel, PlantController, PlantDemands> {
    let (_folder, region) = temporary_region();
    Processes::new(&PlantSystem::new(scenario), region, wait)
}

fn of_vehicle(manoeuvre: &str) -> Processes<VehicleModel, VehicleSubsystems, ScriptedDriver> {
    let (_folder, region) = temporary_region();
    let system = VehicleSystem::new(manoeuvre, None, DriverSource::Manoeuvre);
    Processes::new(&system, region, Wait::Sleep)
}

impl<M, R, S> Processes<M, R, S>
where
    M: Dynamics,
    R: Subsystems<Question = M::Question, Answer = M::Answer>,
    S: Script,
{
    fn new(system: &impl System<Model = M, Responder = R, Script = S>, region: Region, wait: Wait) -> Self {
        let (reporter, events) = events::ring(RING);
        let (settings, period_ns) = (Settings::of(&Config::default()), system.period_ns());
        let now_ns = Rc::new(Cell::new(period_ns));
        let clock = || Clock::Virtual(Rc::clone(&now_ns));
        let answerer = Answerer::new(&region, system.responder(&region, &settings), 1, clock());
        let asker = Asker::new(&region, system.model(&settings), 1, clock()).expect("blocks");
        let scripted = Scripted::new(&region, system.script(&region), clock()).expect("a block");
        Self {
            dynamics: dynamics_service::Turn::new(asker, None, &settings, period_ns, wait),
            pace: Pace::new(&region, &settings),
            overrides: region.claim(OVERRIDES).expect("a block"),
            subsystem: subsystem_service::Turn::new(answerer.expect("blocks"), wait),
            daq: daq_service::Turn::new(scripted, period_ns, clock()),
            now_ns,
            reporter,
            events,
            _region: region,
        }
    }

    fn step(&mut self) {
        self.now_ns.set(self.now_ns.get() + PERIOD_NS);
        assert!(self.daq.take(), "a period is over");
        assert!(self.is_due(), "nobody holds the run");
        self.dynamics.ask(1);
        assert_eq!(self.subsystem.await_question(0), Waited::Answered);
        assert!(self.subsystem.answer(&mut self.reporter).is_answered);
        assert_eq!(self.dynamics.await_answer(0), Waited::Answered);
        self.advance();
    }

    fn is_due(&mut self) -> bool {
        self.pace.is_due(self.now_ns.get(), self.dynamics.report().step, &mut self.reporter)
    }

    /// Held, in slow motion, and on again.
    fn change_pace(&mut self) {
        for (pace_ratio, steps) in [(0.0, 0), (0.1, 10), (1.0, 100)] {
            let stamp = Stamp { publish_ns: self.now_ns.get(), ..Stamp::default() };
            self.overrides.publish(&Overrides { stamp, pace_ratio, ..Overrides::default() });
            assert_eq!((0..100).filter(|_| self.is_due()).count(), steps);
        }
    }

    /// A step that nobody answers.
    fn silence(&mut self) {
        self.dynamics.ask(1);
        assert_eq!(self.dynamics.await_answer(0), Waited::Late);
        self.advance();
    }

    /// Answers for a while, then none until long after the safe stop, and other settings.
    fn fall_silent(&mut self, mut settings: Settings, round: u64) {
        (0..50).for_each(|_| self.step());
        (0..150).for_each(|_| self.silence());
        self.change_pace();
        settings.hold_forces_ms = 10 + round;
        settings.driver_timeout_ms = 100 + round;
        self.dynamics.take_settings(&settings);
        self.subsystem.take_settings(&settings);
    }

    /// Every tenth step is over too late.
    fn advance(&mut self) {
        self.dynamics.advance();
        let over_ns = PERIOD_NS + u64::from(self.dynamics.report().step.is_multiple_of(10));
        self.dynamics.look(over_ns, &mut self.reporter);
    }

    /// So many steps, with not one call of the heap and not one page fault.
    fn assert_quiet(&mut self, steps: u64, what: &str) {
        // The first steps touch the pages; a real process has them prefaulted and locked.
        (0..100).for_each(|_| self.step());
        println!("{what}");
        forbid_with_faults(|| (0..steps).for_each(|_| self.step()));
    }
}

#[test]
fn the_step_path_neither_allocates_nor_faults() {
    for scenario in ["tank-level", "car-cruise"] {
        for wait in [Wait::Spin, Wait::Sleep] {
            let mut processes = of_plant(scenario, wait);
            processes.assert_quiet(STEPS, &format!("{scenario}, {wait:?}"));
            let report = processes.dynamics.report();
            assert_eq!((report.step, report.misses), (STEPS + 101, 0));
        }
    }
}

/// The HMMWV on its circuit: gear shifts, bends, and everything that a drive of 100 s calls.
#[test]
fn a_vehicle_neither_allocates_nor_faults() {
    let mut processes = of_vehicle("drive-default");
    processes.assert_quiet(STEPS, "drive-default");
    let report = processes.dynamics.report();
    assert_eq!((report.step, report.misses, report.warnings), (STEPS + 101, 0, 0));
}

/// Silences, safe stops, takeovers, overruns, other paces: the loop reports all the time, into a
/// ring that is long full, and is handed new settings. Not one call of the heap.
#[test]
fn reporting_and_new_settings_neither_allocate_nor_fault() {
    let mut processes = of_vehicle("drive-default");
    let settings = Settings::of(&Config::default());
    // The first rounds touch the pages, of the code as well; a real process has them locked.
    (0..3).for_each(|round| processes.fall_silent(settings, round));
    forbid_with_faults(|| (0..20).for_each(|round| processes.fall_silent(settings, round)));

    let seen: Vec<&str> = std::iter::from_fn(|| processes.events.next()).map(|event| event.kind.name).collect();
    assert_eq!(seen.len(), RING, "the ring was full");
    assert!(processes.events.take_lost() > 0, "and what had no room was counted");
    assert!(seen.contains(&"overrun"), "{seen:?}");
    // With room again, a silence is told from its first late answer on.
    processes.fall_silent(settings, 0);
    let seen: Vec<&str> = std::iter::from_fn(|| processes.events.next()).map(|event| event.kind.name).collect();
    for name in ["late-answer", "safe-stop"] {
        assert!(seen.contains(&name), "{name} is not among {seen:?}");
    }
}

fn assert_caught<M, R, S>(mut processes: Processes<M, R, S>)
where
    M: Dynamics,
    R: Subsystems<Question = M::Question, Answer = M::Answer>,
    S: Script,
{
    (0..100).for_each(|_| processes.step());
    let guard = NoAllocation::begin();
    let before = page_faults();
    processes.step();
    let mut fresh = Vec::<u8>::with_capacity(1 << 24);
    fresh.resize(1 << 24, 1);
    let after = page_faults();
    assert!(guard.heap_calls().allocations > 0, "an allocation went unnoticed");
    assert!(after.minor > before.minor, "a page fault went unnoticed");
    assert_eq!(fresh.len(), 1 << 24);
}

#[test]
fn a_step_that_allocates_or_faults_is_caught() {
    assert_caught(of_plant("tank-level", Wait::Spin));
    assert_caught(of_vehicle("drive-default"));
}
