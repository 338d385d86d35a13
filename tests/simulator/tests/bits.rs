//! The same bits everywhere: offline in one loop, and through the common blocks, from process to
//! process or with the subsystems in the process of the dynamics.
//!
//! The offline simulations (`vehicle::simulation`, `plant::simulation`) are what the others are held
//! against, step by step and bit by bit.

use dynamics_service::Turn;
use service::Config;
use service::config::{DriverSource, Settings};
use shm_layout::blocks;
use shm_layout::{Region, Wait};
use simulator::linked::{Vehicle, exchange, job, silence, temporary_region};
use simulator::{Offline, System, VehicleSystem};

fn offline(manoeuvre: &str, vehicle: Option<&str>) -> Offline<VehicleSystem> {
    let system = VehicleSystem::new(manoeuvre, vehicle, DriverSource::Manoeuvre);
    system.offline(60.0).expect("its driver is that of the manoeuvre")
}

#[test]
fn through_the_blocks_every_vehicle_has_the_bits_of_offline() {
    for (manoeuvre, name, steps) in [
        ("drive-default", None, 2_000),
        ("iso-3888-1", None, 2_500),
        ("iso-7401-step-truck", None, 1_200),
        ("half-round-bump", Some("hmmwv"), 1_000),
    ] {
        let vehicle = Vehicle::new(&job(manoeuvre, name));
        let mut is_as_offline = offline(manoeuvre, name);
        let (_folder, region) = temporary_region();
        let mut simulation = vehicle.simulation(&region);
        let mut subsystems = vehicle.subsystems(&region);
        let mut kinematics = region.reader(blocks::KINEMATICS);
        for step in 1..=steps {
            exchange(&mut simulation, &mut subsystems);
            let published = kinematics.latest().expect("a step was made").value;
            assert_eq!(published.stamp.step, step);
            assert!(is_as_offline(published), "{manoeuvre}, step {step}");
        }
        assert_eq!((simulation.report().misses, simulation.report().warnings), (0, 0), "{manoeuvre}");
    }
}

#[test]
fn linked_into_the_dynamics_every_vehicle_has_the_bits_of_offline() {
    for (manoeuvre, steps) in [("drive-default", 1_000), ("iso-3888-1", 1_000), ("iso-7401-step-truck", 600)] {
        let vehicle = Vehicle::new(&job(manoeuvre, None));
        let mut is_as_offline = offline(manoeuvre, None);
        let (_folder, region) = temporary_region();
        let (asker, answerer) = (vehicle.simulation(&region), vehicle.subsystems(&region));
        let settings = Settings::of(&Config::default());
        let mut turn = Turn::new(asker, Some(answerer), &settings, 1_000_000, Wait::Sleep);
        let mut kinematics = region.reader(blocks::KINEMATICS);
        for step in 1..=steps {
            turn.ask(1);
            turn.await_answer(0);
            turn.advance();
            assert!(is_as_offline(kinematics.latest().expect("a step").value), "{manoeuvre}, step {step}");
        }
        let report = turn.report();
        assert_eq!((report.step, report.misses, report.warnings), (steps + 1, 0, 0), "{manoeuvre}");
        let shown = *region.reader(blocks::VEHICLE).latest().expect("it is published").value;
        assert_eq!(shown.stamp.step, steps);
    }
}

/// A control: another answer in a single step shows.
#[test]
fn a_single_step_without_an_answer_changes_the_bits() {
    let vehicle = Vehicle::new(&job("drive-default", None));
    let mut is_as_offline = offline("drive-default", None);
    let (_folder, region) = temporary_region();
    let mut simulation = vehicle.simulation(&region);
    let mut subsystems = vehicle.subsystems(&region);
    let mut compare =
        |region: &Region| is_as_offline(region.reader(blocks::KINEMATICS).latest().expect("a step").value);
    for _ in 0..200 {
        exchange(&mut simulation, &mut subsystems);
        assert!(compare(&region));
    }
    silence(&mut simulation);
    compare(&region);
    for _ in 0..99 {
        exchange(&mut simulation, &mut subsystems);
        compare(&region);
    }
    simulation.ask(1, Wait::Spin);
    let last = *region.reader(blocks::KINEMATICS).latest().expect("a step").value;
    assert_eq!(last.stamp.step, 301);
    assert!(!compare(&region));
}
