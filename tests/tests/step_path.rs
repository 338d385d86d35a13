//! The step path allocates nothing and takes no page fault: the three processes' own code, in one
//! thread.

use daq_service::{PlantDemands, Script, Scripted, ScriptedDriver};
use dynamics_service::{Dynamics, PlantModel, VehicleModel};
use lockstep::{Answerer, Asker, Clock};
use rt::allocation::{CountingAllocator, NoAllocation, page_faults};
use rt::events::{self, Events, Reporter};
use service::Config;
use service::config::Settings;
use shm_layout::{Region, RegionName, Wait, Waited};
use subsystems::{PlantController, Subsystems, VehicleSubsystems};
use system_tests::linked::{self, Vehicle};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const STEPS: u64 = 100_000;
const PERIOD_NS: u64 = 1_000_000;
/// Room for events; far fewer than the tests report, so that a full ring is met as well.
const RING: usize = 64;

struct Processes<M: Dynamics, R: Subsystems, S: Script> {
    simulation: Asker<M>,
    subsystems: Answerer<R>,
    acquisition: Scripted<S>,
    watches: (dynamics_service::Watch, subsystem_service::Watch),
    reporter: Reporter,
    events: Events,
    _region: Region,
}

fn region(directory: &tempfile::TempDir) -> Region {
    let name = RegionName::in_directory(directory.path(), "step-path").expect("a good name");
    Region::create(&name, None).expect("a region")
}

fn of_plant(
    directory: &tempfile::TempDir,
    scenario: &str,
) -> Processes<PlantModel, PlantController, PlantDemands> {
    let region = region(directory);
    let scenario = plant::Scenario::builtin(scenario).expect("a shipped scenario");
    let controller = PlantController::new(&region, &scenario, 1 << 40);
    let subsystems = Answerer::new(&region, controller, 1, Clock::Monotonic);
    let simulation = Asker::new(&region, PlantModel::new(&scenario), 1, Clock::Monotonic);
    let acquisition = Scripted::new(&region, PlantDemands::new(&region, &scenario), Clock::Monotonic);
    Processes::new(
        simulation.expect("blocks to claim"),
        subsystems.expect("blocks to claim"),
        acquisition.expect("a block to claim"),
        region,
    )
}

fn of_vehicle(
    directory: &tempfile::TempDir,
    manoeuvre: &str,
) -> Processes<VehicleModel, VehicleSubsystems, ScriptedDriver> {
    let region = region(directory);
    let vehicle = Vehicle::new(&linked::job(manoeuvre, None));
    let (simulation, subsystems) = (vehicle.simulation(&region), vehicle.subsystems(&region));
    Processes::new(simulation, subsystems, vehicle.driver(&region), region)
}

impl<M: Dynamics, R: Subsystems, S: Script> Processes<M, R, S> {
    fn new(simulation: Asker<M>, subsystems: Answerer<R>, acquisition: Scripted<S>, region: Region) -> Self {
        let (reporter, events) = events::ring(RING);
        let watches =
            (dynamics_service::Watch::new(PERIOD_NS), subsystem_service::Watch::new(&subsystems.reply()));
        Self { watches, simulation, subsystems, acquisition, reporter, events, _region: region }
    }

    fn step(&mut self, wait: Wait) {
        self.acquisition.sample(1);
        self.simulation.ask(1, wait);
        assert_eq!(self.subsystems.await_question(0, wait), Waited::Answered);
        let reply = self.subsystems.answer(wait);
        assert!(reply.is_answered);
        self.watches.1.look(&reply, &mut self.reporter);
        assert_eq!(self.simulation.await_answer(0, wait), Waited::Answered);
        self.advance();
    }

    /// A step that nobody answers.
    fn silence(&mut self) {
        self.simulation.ask(1, Wait::Spin);
        assert_eq!(self.simulation.await_answer(0, Wait::Spin), Waited::Late);
        self.advance();
    }

    /// Answers for a while, then none until long after the safe stop, and other settings.
    fn fall_silent(&mut self, mut settings: Settings, round: u64) {
        (0..50).for_each(|_| self.step(Wait::Spin));
        (0..150).for_each(|_| self.silence());
        settings.hold_forces_ms = 10 + round;
        settings.driver_timeout_ms = 100 + round;
        self.simulation.model.take_settings(&settings);
        self.subsystems.responder.take_settings(&settings);
    }

    /// Every tenth step is over too late.
    fn advance(&mut self) {
        self.simulation.advance();
        let report = self.simulation.report();
        let over_ns = PERIOD_NS + u64::from(report.step.is_multiple_of(10));
        self.watches.0.look(&report, over_ns, &mut self.reporter);
    }

    /// So many steps, with not one call of the heap and not one page fault.
    fn assert_quiet(&mut self, wait: Wait, steps: u64, what: &str) {
        // The first steps touch the pages; a real process has them prefaulted and locked.
        (0..100).for_each(|_| self.step(wait));
        let guard = NoAllocation::begin();
        let before = page_faults();
        (0..steps).for_each(|_| self.step(wait));
        let after = page_faults();
        let heap = guard.heap_calls();
        assert_eq!((heap.allocations, heap.deallocations), (0, 0), "{what}, {wait:?}");
        assert_eq!((after.minor, after.major), (before.minor, before.major), "{what}, {wait:?}");
    }
}

fn shared_memory() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").expect("shared memory")
}

#[test]
fn the_step_path_neither_allocates_nor_faults() {
    let directory = shared_memory();
    for scenario in ["tank-level", "car-cruise"] {
        let mut processes = of_plant(&directory, scenario);
        for wait in [Wait::Spin, Wait::Sleep] {
            processes.assert_quiet(wait, STEPS, scenario);
        }
        assert_eq!(processes.simulation.report().step, 2 * (STEPS + 100) + 1);
        assert_eq!(processes.simulation.report().misses, 0);
    }
}

/// The HMMWV on its circuit: gear shifts, bends, and everything that a drive of 100 s calls.
#[test]
fn a_vehicle_neither_allocates_nor_faults() {
    let directory = shared_memory();
    let mut processes = of_vehicle(&directory, "drive-default");
    processes.assert_quiet(Wait::Sleep, STEPS, "drive-default");
    assert_eq!(processes.simulation.report().step, STEPS + 101);
    assert_eq!((processes.simulation.report().misses, processes.simulation.report().warnings), (0, 0));
}

/// Silences, safe stops, takeovers, overruns: the loop reports all the time, into a ring that is
/// long full, and is handed new settings. Not one call of the heap.
#[test]
fn reporting_and_new_settings_neither_allocate_nor_fault() {
    let directory = shared_memory();
    let mut processes = of_vehicle(&directory, "drive-default");
    let settings = Settings::of(&Config::default());
    // The first rounds touch the pages, of the code as well; a real process has them locked.
    (0..3).for_each(|round| processes.fall_silent(settings, round));
    let guard = NoAllocation::begin();
    let before = page_faults();
    (0..20).for_each(|round| processes.fall_silent(settings, round));
    let (heap, after) = (guard.heap_calls(), page_faults());
    assert_eq!((heap.allocations, heap.deallocations), (0, 0));
    assert_eq!((after.minor, after.major), (before.minor, before.major));

    let seen: Vec<&str> =
        std::iter::from_fn(|| processes.events.next()).map(|event| event.kind.name).collect();
    assert_eq!(seen.len(), RING, "the ring was full");
    assert!(processes.events.take_lost() > 0, "and what had no room was counted");
    assert!(seen.contains(&"overrun"), "{seen:?}");
    // With room again, a silence is told from its first late answer on.
    processes.fall_silent(settings, 0);
    let seen: Vec<&str> =
        std::iter::from_fn(|| processes.events.next()).map(|event| event.kind.name).collect();
    for name in ["late-answer", "safe-stop"] {
        assert!(seen.contains(&name), "{name} is not among {seen:?}");
    }
}

fn assert_caught<M: Dynamics, R: Subsystems, S: Script>(mut processes: Processes<M, R, S>) {
    (0..100).for_each(|_| processes.step(Wait::Spin));
    let guard = NoAllocation::begin();
    let before = page_faults();
    processes.step(Wait::Spin);
    let mut fresh = Vec::<u8>::with_capacity(1 << 24);
    fresh.resize(1 << 24, 1);
    let after = page_faults();
    assert!(guard.heap_calls().allocations > 0, "an allocation went unnoticed");
    assert!(after.minor > before.minor, "a page fault went unnoticed");
    assert_eq!(fresh.len(), 1 << 24);
}

#[test]
fn a_step_that_allocates_or_faults_is_caught() {
    assert_caught(of_plant(&shared_memory(), "tank-level"));
    assert_caught(of_vehicle(&shared_memory(), "drive-default"));
}
