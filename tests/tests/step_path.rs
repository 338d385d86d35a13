//! The step path allocates nothing and takes no page fault: the three processes' own code, in one thread.

use daq_service::Sampling;
use dynamics_service::Exchange;
use rt::allocation::{CountingAllocator, NoAllocation, page_faults};
use service::Answering;
use shm_layout::{Region, RegionName, Wait, Waited};
use system_tests::linked::{self, Vehicle};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const STEPS: u64 = 100_000;

struct Processes {
    simulation: Box<dyn Exchange>,
    subsystems: Box<dyn Answering>,
    acquisition: Box<dyn Sampling>,
    _region: Region,
}

impl Processes {
    fn region(directory: &tempfile::TempDir) -> Region {
        let name = RegionName::in_directory(directory.path(), "step-path").expect("a good name");
        Region::create(&name, None).expect("a region")
    }

    fn of_plant(directory: &tempfile::TempDir, scenario: &str) -> Self {
        let region = Self::region(directory);
        let scenario = plant::Scenario::builtin(scenario).expect("a shipped scenario");
        let subsystems = subsystem_service::Subsystems::new(&region, &scenario, 1 << 40);
        Self {
            simulation: Box::new(
                dynamics_service::Simulation::new(&region, &scenario).expect("blocks to claim"),
            ),
            subsystems: Box::new(subsystems.expect("blocks to claim")),
            acquisition: Box::new(
                daq_service::Acquisition::new(&region, &scenario).expect("a block to claim"),
            ),
            _region: region,
        }
    }

    fn of_vehicle(directory: &tempfile::TempDir, manoeuvre: &str) -> Self {
        let region = Self::region(directory);
        let vehicle = Vehicle::new(&linked::job(manoeuvre, None));
        Self {
            simulation: Box::new(vehicle.simulation(&region)),
            subsystems: Box::new(vehicle.subsystems(&region)),
            acquisition: Box::new(vehicle.driver(&region)),
            _region: region,
        }
    }

    fn step(&mut self, wait: Wait) {
        self.acquisition.sample(1);
        self.simulation.publish(1, wait);
        assert_eq!(self.subsystems.await_question(0, wait), Waited::Answered);
        assert!(self.subsystems.answer(wait));
        assert_eq!(self.simulation.await_answer(0, wait), Waited::Answered);
        self.simulation.advance();
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
        assert_eq!(
            (after.minor, after.major),
            (before.minor, before.major),
            "{what}, {wait:?}"
        );
    }
}

fn shared_memory() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").expect("shared memory")
}

#[test]
fn the_step_path_neither_allocates_nor_faults() {
    let directory = shared_memory();
    for scenario in ["tank-level", "car-cruise"] {
        let mut processes = Processes::of_plant(&directory, scenario);
        for wait in [Wait::Spin, Wait::Sleep] {
            processes.assert_quiet(wait, STEPS, scenario);
        }
        assert_eq!(processes.simulation.step(), 2 * (STEPS + 100) + 1);
        assert_eq!(processes.simulation.misses(), 0);
    }
}

/// The HMMWV on its circuit: gear shifts, bends, and everything that a drive of 100 s calls.
#[test]
fn a_vehicle_neither_allocates_nor_faults() {
    let directory = shared_memory();
    let mut processes = Processes::of_vehicle(&directory, "drive-default");
    processes.assert_quiet(Wait::Sleep, STEPS, "drive-default");
    assert_eq!(processes.simulation.step(), STEPS + 101);
    assert_eq!(
        (processes.simulation.misses(), processes.simulation.warnings()),
        (0, 0)
    );
}

#[test]
fn a_step_that_allocates_or_faults_is_caught() {
    let directory = shared_memory();
    for mut processes in [
        Processes::of_plant(&directory, "tank-level"),
        Processes::of_vehicle(&shared_memory(), "drive-default"),
    ] {
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
}
