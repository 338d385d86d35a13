//! The same bits everywhere: offline in one loop, and through the common blocks, from process to
//! process or with the subsystems in the process of the dynamics.
//!
//! The offline simulations (`vehicle::simulation`, `plant::simulation`) are what the others are
//! held against, step by step and bit by bit.

use dynamics_service::Turn;
use service::Config;
use service::config::{DriverSource, Settings};
use shm_layout::Wait;
use shm_layout::blocks::{KINEMATICS, VEHICLE};
use simulator::linked::Linked;
use simulator::{Offline, System, VehicleSystem};

/// The vehicle of a manoeuvre, and whether a motion has the bits of offline.
fn vehicle(manoeuvre: &str, name: Option<&str>) -> (Linked, Offline<VehicleSystem>) {
    let system = VehicleSystem::new(manoeuvre, name, DriverSource::Manoeuvre);
    let offline = system.offline(60.0).expect("its driver is that of the manoeuvre");
    (Linked::new(system), offline)
}

#[test]
fn through_the_blocks_every_vehicle_has_the_bits_of_offline() {
    for (manoeuvre, name, steps) in [
        ("drive-default", None, 2_000),
        ("iso-3888-1", None, 2_500),
        ("iso-7401-step-truck", None, 1_200),
        ("half-round-bump", Some("hmmwv"), 1_000),
    ] {
        let (mut linked, mut is_as_offline) = vehicle(manoeuvre, name);
        for step in 1..=steps {
            linked.exchange();
            let published = linked.motion();
            assert_eq!(published.stamp.step, step);
            assert!(is_as_offline(&published), "{manoeuvre}, step {step}");
        }
        assert_eq!((linked.asker.report().misses, linked.asker.report().warnings), (0, 0), "{manoeuvre}");
    }
}

#[test]
fn linked_into_the_dynamics_every_vehicle_has_the_bits_of_offline() {
    for (manoeuvre, steps) in [("drive-default", 1_000), ("iso-3888-1", 1_000), ("iso-7401-step-truck", 600)] {
        let (Linked { asker, answerer, region, .. }, mut is_as_offline) = vehicle(manoeuvre, None);
        let settings = Settings::of(&Config::default());
        let mut turn = Turn::new(asker, answerer, &settings, 1_000_000, Wait::Sleep);
        let mut kinematics = region.reader(KINEMATICS);
        for step in 1..=steps {
            turn.ask(1);
            turn.await_answer(0);
            turn.advance();
            assert!(is_as_offline(kinematics.latest().expect("a step").value), "{manoeuvre}, step {step}");
        }
        let report = turn.report();
        assert_eq!((report.step, report.misses, report.warnings), (steps + 1, 0, 0), "{manoeuvre}");
        let shown = *region.reader(VEHICLE).latest().expect("it is published").value;
        assert_eq!(shown.stamp.step, steps);
    }
}

/// A control: another answer in a single step shows.
#[test]
fn a_single_step_without_an_answer_changes_the_bits() {
    let (mut linked, mut is_as_offline) = vehicle("drive-default", None);
    for _ in 0..200 {
        linked.exchange();
        assert!(is_as_offline(&linked.motion()));
    }
    linked.silence();
    is_as_offline(&linked.motion());
    for _ in 0..99 {
        linked.exchange();
        is_as_offline(&linked.motion());
    }
    linked.asker.ask(1, Wait::Spin);
    assert_eq!(linked.motion().stamp.step, 301);
    assert!(!is_as_offline(&linked.motion()));
}
