//! Single faults, and what a vehicle does then.

use service::config::DriverSource;
use shm_layout::blocks::{self, VehicleState};
use simulator::checks::Checks;
use simulator::killable::Moment;
use simulator::nonsense::Nonsense;
use simulator::plan::{Fault, Kind, Plan, Role};
use simulator::{PlantSystem, System, VehicleSystem, World};

fn circuit(driver: DriverSource, faults: Vec<Fault>) -> World<VehicleSystem> {
    World::new(VehicleSystem::new("drive-default", None, driver), Plan { faults }, 0)
}

/// Runs for so long, under all checks; `look` sees `/vehicle/` after each period.
fn run<S: System>(world: &mut World<S>, seconds: f64, mut look: impl FnMut(f64, &VehicleState, f64)) {
    let mut checks = Checks::new(world, seconds);
    let mut shown = world.region.reader(blocks::VEHICLE);
    let mut motion = world.region.reader(blocks::KINEMATICS);
    let mut last = None;
    while world.time_s() < seconds {
        last = world.period();
        checks.look(world, last).expect("all holds");
        if let (Some(shown), Some(motion)) = (shown.latest(), motion.latest()) {
            look(world.time_s(), shown.value, motion.value.velocity_m_s.x);
        }
    }
    checks.finish(world, last).expect("all is well in the end");
}

/// The driver's data comes through `/driver/`: its process, too, goes on where it was.
#[test]
fn twenty_deaths_with_a_driver_in_another_process_leave_a_vehicle_that_drives() {
    let kill = |round: usize| Fault {
        begin_s: 0.2 + 0.06 * round as f64,
        seconds: 0.002,
        kind: Kind::Die(Role::ALL[round % 3], None),
    };
    let mut world = circuit(DriverSource::Block, (0..21).map(kill).collect());
    let mut speed_m_s = 0.0;
    run(&mut world, 10.0, |_, _, now_m_s| speed_m_s = now_m_s);
    assert!((11.0..16.0).contains(&speed_m_s), "{speed_m_s} m/s");
    assert_eq!([world.daq.starts, world.subsystem.starts, world.dynamics.starts], [8; 3]);
}

#[test]
fn a_driver_whose_process_is_stopped_is_replaced_by_a_gentle_brake() {
    let stop = Fault { begin_s: 5.0, seconds: 5.0, kind: Kind::Stop(Role::Daq) };
    let mut world = circuit(DriverSource::Block, vec![stop]);
    let (mut before, mut stopping, mut after) = (None, None, None);
    run(&mut world, 12.0, |time_s, shown, speed_m_s| match time_s {
        0.0..5.0 => before = Some((*shown, speed_m_s)),
        5.0..10.0 => stopping = Some((*shown, speed_m_s)),
        _ => after = Some((*shown, speed_m_s)),
    });
    let [before, stopping, after] = [before, stopping, after].map(|shown| shown.expect("an answer"));
    assert!(before.1 > 12.0 && before.0.safe_stop == 0, "{} m/s", before.1);
    assert!(stopping.0.safe_stop == 1 && stopping.0.input.brake_ratio > 0.0 && stopping.1 < 10.0);
    assert!(after.0.safe_stop == 0 && after.0.input.throttle_ratio > 0.0, "it drives again");
}

/// Each process dies at each moment of its turn; the next one goes on where it was, and asks the
/// same question again.
#[test]
fn a_death_in_any_moment_of_a_turn_is_recovered_from() {
    let roles = [Role::Subsystem, Role::Dynamics];
    let deaths = Moment::ALL.iter().flat_map(|moment| roles.map(|role| Kind::Die(role, Some(*moment))));
    let fault = |(number, kind)| Fault { begin_s: 0.5 + 0.3 * number as f64, seconds: 0.01, kind };
    let mut world = circuit(DriverSource::Manoeuvre, deaths.enumerate().map(fault).collect());
    run(&mut world, 5.0, |_, _, _| {});
    assert_eq!([world.daq.starts, world.subsystem.starts, world.dynamics.starts], [1, 6, 6]);
}

/// A plant's subsystems die after their answer, and somebody else fills its block with nonsense for
/// the same step: that is not given again.
#[test]
fn what_another_process_has_answered_is_not_given_again() {
    let fault = |begin_s, seconds, kind| Fault { begin_s, seconds, kind };
    let faults = vec![
        fault(1.0, 1.0, Kind::Die(Role::Dynamics, Some(Moment::AfterPublishing))),
        fault(1.2, 0.2, Kind::Impostor(Role::Subsystem, Nonsense::Bits)),
    ];
    let mut world = World::new(PlantSystem::new("tank-level"), Plan { faults }, 0);
    run(&mut world, 3.0, |_, _, _| {});
    assert_eq!([world.subsystem.starts, world.dynamics.starts], [2, 2]);
}
