//! Differentials on free wheels.

use crate::powertrain::rig::{PLAIN, Wheels, drive, held, parse, shipped};
use vehicle::powertrain::{Drive, Powertrain};

fn with_differential(kind: &str) -> String {
    format!("{PLAIN}differential = {{ {kind} }}\n")
}

#[test]
fn an_open_differential_gives_equal_torques_at_any_speeds() {
    let mut train = parse(&with_differential("kind = \"open\""), 4);
    for spin in [[0.0, 0.0, 10.0, 90.0], [5.0, 5.0, -30.0, 30.0], [0.0; 4]] {
        let torques = held(&mut train, &drive(1.0), &spin);
        assert_eq!(torques.torque_nm[2], torques.torque_nm[3]);
    }
}

/// One wheel on ice: the open differential leaves the other with the same nothing, the locked one
/// turns both alike. The lock is 1e8 Nms/rad stiff: with 2000 Nm of difference the wheels differ by
/// 2e-5 rad/s.
#[test]
fn a_locked_differential_turns_both_wheels_alike() {
    let mut train = parse(&with_differential("kind = \"locked\""), 4);
    let mut wheels = Wheels::new(4, 1.2, 10.0);
    wheels.spin_rad_s[2] = 14.0;
    for h in [2.5e-4, 1e-3, 1e-3] {
        wheels.road_nm[3] = -2000.0;
        train.begin_step(&drive(1.0), &wheels.spin_rad_s, h);
        wheels.substep(&mut train, h);
        let difference = wheels.spin_rad_s[2] - wheels.spin_rad_s[3];
        assert!(difference.abs() < 2e-4, "{difference}");
    }
    let apart = wheels.torque_nm[3] - wheels.torque_nm[2];
    assert!((apart - 2000.0).abs() < 1.0, "the gripping wheel gets what the road takes: {apart}");
}

/// Plates of 100 Nm hold a difference of road torques of 180 Nm (90 each way) and slip at 300 Nm,
/// where they still carry 100 Nm.
#[test]
fn a_preloaded_differential_holds_up_to_its_preload() {
    for (road, slips) in [(180.0, false), (300.0, true)] {
        let mut train = parse(&with_differential("kind = \"limited-slip\", preload_nm = 100.0"), 4);
        let mut wheels = Wheels::new(4, 1.2, 20.0);
        wheels.road_nm[2] = -road;
        for _ in 0..500 {
            wheels.step(&mut train, &drive(0.1), 1e-3, 4);
        }
        let difference = wheels.spin_rad_s[3] - wheels.spin_rad_s[2];
        let carried = 0.5 * (wheels.torque_nm[2] - wheels.torque_nm[3]);
        assert_eq!(difference > 0.5, slips, "{road}: {difference}");
        // Free wheels of equal inertia share the difference; slipping plates give their preload,
        // 0.5 % more while the slip grows.
        let expected = if slips { 100.0 } else { 0.5 * road };
        assert!((carried - expected).abs() < 0.01 * expected, "{road}: {carried}");
    }
}

/// A viscous coupling: c Δ, exactly.
#[test]
fn a_viscous_coupling_is_proportional() {
    let mut train = parse(&with_differential("kind = \"viscous\", viscous_nms_rad = 40.0"), 4);
    let spin = [0.0, 0.0, 12.0, 10.0];
    let torques = held(&mut train, &drive(0.5), &spin);
    assert!((torques.torque_nm[3] - torques.torque_nm[2] - 2.0 * 80.0).abs() < 1e-9);
}

/// All-wheel drive with 30 % in front: torques in that proportion while the centre is open, speeds
/// alike when it is locked.
#[test]
fn a_centre_differential_splits_or_locks() {
    let four = PLAIN.replace("wheels = [3, 4]", "wheels = [3, 4]\nshare = 0.7")
        + "[[axles]]\nwheels = [1, 2]\nratio = 4.0\nshare = 0.3\n";
    let mut open = parse(&four, 4);
    let spin = [1.0, 2.0, 30.0, 40.0];
    let torques = held(&mut open, &drive(1.0), &spin);
    assert!((torques.torque_nm[0] * 7.0 - torques.torque_nm[2] * 3.0).abs() < 1e-9);
    assert_eq!(torques.torque_nm[0], torques.torque_nm[1]);
    let mut locked = parse(&format!("{four}[centre]\nkind = \"locked\"\n"), 4);
    let mut wheels = Wheels::new(4, 1.2, 10.0);
    wheels.spin_rad_s = vec![10.0, 12.0, 20.0, 22.0];
    wheels.step(&mut locked, &drive(1.0), 1e-3, 4);
    let (front, rear) = (wheels.spin_rad_s[0] + wheels.spin_rad_s[1], wheels.spin_rad_s[2] + wheels.spin_rad_s[3]);
    assert!((front - rear).abs() < 1e-4, "{:?}", wheels.spin_rad_s);
}

/// 6×4: four of ten wheels are driven, each by a quarter; front and trailer wheels get nothing.
#[test]
fn the_tractor_drives_two_axles_of_five() {
    let mut train = shipped("tractor", 10);
    let (spin, mut torques) = ([8.0; 10], Drive::new(10));
    for _ in 0..200 {
        torques = held(&mut train, &drive(0.7), &spin);
    }
    for wheel in 0..10 {
        let driven = (2..6).contains(&wheel);
        assert_eq!(torques.torque_nm[wheel] > 100.0, driven, "wheel {wheel}");
        assert_eq!(torques.torque_nm[wheel] == 0.0, !driven, "wheel {wheel}");
        assert_eq!(torques.inertia_kg_m2[wheel] == 1.0, driven, "wheel {wheel}");
    }
    assert!((torques.torque_nm[2] - torques.torque_nm[5]).abs() < 1e-9);
}
