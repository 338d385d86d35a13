//! A run that is held, goes step by step or in slow motion: when its steps are made is another
//! matter, what they compute is not.

use lockstep::Model;
use service::config::DriverSource;
use shm_layout::Payload;
use simulator::checks::Checks;
use simulator::plan::{Fault, Kind, Plan, Role};
use simulator::{PlantSystem, System, VehicleSystem, World};

/// The gateway dies in the end of each, and so long its word holds (s): `subsystem.driver_timeout_ms`.
const TIMEOUT_S: f64 = 0.5;
/// The simulator's person asks for a single step so often while the run is held (periods).
const PERIODS_PER_STEP: f64 = 50.0;

fn pace(begin_s: f64, seconds: f64, pace_ratio: f64) -> Fault {
    Fault { begin_s, seconds, kind: Kind::Pace(pace_ratio) }
}

/// Runs for so long, under all checks, and holds every question against the offline simulation's;
/// how many steps were asked for.
fn steps_with_the_bits_of_offline<S: System>(system: S, faults: Vec<Fault>, seconds: f64) -> u64 {
    let mut is_as_offline = system.offline(seconds).expect("a driver in lock-step");
    let mut world = World::new(system, Plan { faults }, 0);
    let mut checks = Checks::new(&world, seconds);
    let mut questions = world.region.reader(S::Model::QUESTION);
    let (mut last, mut step) = (None, 0);
    while world.time_s() < seconds {
        last = world.period();
        checks.look(&world, last).expect("all holds");
        let question = questions.latest().expect("a question").value;
        if question.stamp().step > step {
            step += 1;
            assert_eq!(question.stamp().step, step);
            assert!(is_as_offline(question), "step {step}");
        }
    }
    checks.finish(&world, last).expect("all is well in the end");
    step
}

fn held_and_slow() -> Vec<Fault> {
    vec![pace(1.0, 1.0, 0.0), pace(3.0, 2.0, 0.1), pace(6.0, 0.3, 0.3), pace(7.0, 1.0, 0.0)]
}

/// How many periods of 1 ms have no step: of what was asked for and not made, but for single steps.
fn periods_without_step() -> f64 {
    let held = (1.0 + TIMEOUT_S) * 1e3;
    // No single step is asked for any more once the gateway is dead.
    let single = 1.0e3 / PERIODS_PER_STEP;
    2.0 * (held - single) + 0.9 * (2.0 + TIMEOUT_S) * 1e3 + 0.7 * (0.3 + TIMEOUT_S) * 1e3
}

#[test]
fn a_run_that_is_held_and_goes_on_has_the_bits_of_one_that_was_not() {
    let vehicle = VehicleSystem::new("drive-default", None, DriverSource::Manoeuvre);
    let expected = 10.0e3 - periods_without_step();
    for steps in [
        steps_with_the_bits_of_offline(vehicle, held_and_slow(), 10.0),
        steps_with_the_bits_of_offline(PlantSystem::new("tank-level"), held_and_slow(), 10.0),
    ] {
        // A period more or less at each beginning and end.
        assert!((steps as f64 - expected).abs() < 10.0, "{steps} steps, expected {expected}");
    }
}

/// Whoever dies meanwhile comes back to a held run, and drives on when it goes on.
#[test]
fn processes_that_die_while_a_run_is_held_find_it_where_it_was() {
    let die = |begin_s, role| Fault { begin_s, seconds: 0.1, kind: Kind::Die(role, None) };
    let faults = vec![
        pace(1.0, 2.0, 0.0),
        die(1.2, Role::Dynamics),
        die(1.5, Role::Subsystem),
        die(1.8, Role::Daq),
        pace(4.0, 1.0, 0.1),
        die(4.2, Role::Dynamics),
    ];
    for driver in [DriverSource::Manoeuvre, DriverSource::Block] {
        let system = VehicleSystem::new("drive-default", None, driver);
        let mut world = World::new(system, Plan { faults: faults.clone() }, 0);
        let mut checks = Checks::new(&world, 7.0);
        let mut last = None;
        while world.time_s() < 7.0 {
            last = world.period();
            checks.look(&world, last).expect("all holds");
        }
        checks.finish(&world, last).expect("all is well in the end");
        assert_eq!([world.daq.starts, world.subsystem.starts, world.dynamics.starts], [2, 2, 3]);
        let report = last.expect("a step").report;
        assert_eq!((report.status, report.misses), (0, 0), "{driver:?}: held is not silent");
    }
}
