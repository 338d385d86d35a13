//! The step path allocates nothing and takes no page fault: the three processes' own code, in one thread.

use rt::allocation::{CountingAllocator, NoAllocation, page_faults};
use shm_layout::{Region, RegionName, Wait, Waited};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const STEPS: u64 = 100_000;

struct Processes {
    simulation: dynamics_service::Simulation,
    subsystems: subsystem_service::Subsystems,
    acquisition: daq_service::Acquisition,
    _region: Region,
}

impl Processes {
    fn new(directory: &tempfile::TempDir, scenario: &str) -> Self {
        let name = RegionName::in_directory(directory.path(), "step-path").expect("a good name");
        let region = Region::create(&name, None).expect("a region");
        let scenario = plant::Scenario::builtin(scenario).expect("a shipped scenario");
        Self {
            simulation: dynamics_service::Simulation::new(&region, &scenario).expect("blocks to claim"),
            subsystems: subsystem_service::Subsystems::new(&region, &scenario, 1 << 40)
                .expect("blocks to claim"),
            acquisition: daq_service::Acquisition::new(&region, &scenario).expect("a block to claim"),
            _region: region,
        }
    }

    fn step(&mut self, wait: Wait) {
        self.acquisition.sample(1);
        self.simulation.publish_outputs(1, wait);
        assert_eq!(self.subsystems.await_question(0, wait), Waited::Answered);
        assert!(self.subsystems.answer(wait));
        assert_eq!(self.simulation.await_inputs(0, wait), Waited::Answered);
        self.simulation.advance();
    }
}

fn shared_memory() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").expect("shared memory")
}

#[test]
fn the_step_path_neither_allocates_nor_faults() {
    let directory = shared_memory();
    for scenario in ["tank-level", "car-cruise"] {
        let mut processes = Processes::new(&directory, scenario);
        for wait in [Wait::Spin, Wait::Sleep] {
            // The first steps touch the pages; a real process has them prefaulted and locked.
            (0..100).for_each(|_| processes.step(wait));
            let guard = NoAllocation::begin();
            let before = page_faults();
            (0..STEPS).for_each(|_| processes.step(wait));
            let after = page_faults();
            let heap = guard.heap_calls();
            assert_eq!(
                (heap.allocations, heap.deallocations),
                (0, 0),
                "{scenario}, {wait:?}"
            );
            assert_eq!(
                (after.minor, after.major),
                (before.minor, before.major),
                "{scenario}, {wait:?}"
            );
        }
        assert_eq!(processes.simulation.step(), 2 * (STEPS + 100) + 1);
        assert_eq!(processes.simulation.exchange_misses, 0);
    }
}

#[test]
fn a_step_that_allocates_or_faults_is_caught() {
    let directory = shared_memory();
    let mut processes = Processes::new(&directory, "tank-level");
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
