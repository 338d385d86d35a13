//! Phases: each comes once and in order, and the steering goes on without a jump.

use crate::driver::{bicycle, driver_of, fault, manoeuvre, straight_ahead};
use vehicle::{DriverInput, Kinematics, Vector3};

const BRAKE_TEST: &str = r#"
name = "x"
[[phase]]
name = "accelerate"
speed = { kind = "accelerate", gear = 1 }
until = { speed_above_km_h = 36.0 }
[[phase]]
name = "hold"
speed = { kind = "hold", speed_km_h = 36.0, gear = 2 }
until = { time_s = 3.0 }
[[phase]]
name = "brake"
speed = { kind = "brake", gear = 3 }
until = { standstill = true }
"#;

#[test]
fn accelerate_hold_brake() {
    let mut vehicle = bicycle::car();
    let mut driver = manoeuvre(BRAKE_TEST).driver(&vehicle.setup).expect("a driver");
    let mut gears: Vec<(i32, f64, f64)> = Vec::new();
    vehicle.run(driver.as_mut(), |vehicle, input| {
        let gear = input.gear_asked().expect("every phase has a gear");
        if gears.last().is_none_or(|last| last.0 != gear) {
            gears.push((gear, vehicle.time_s, vehicle.forward));
        }
    });
    // The gears mark the phases: each exactly once.
    assert_eq!(gears.iter().map(|phase| phase.0).collect::<Vec<_>>(), [1, 2, 3]);
    assert!((gears[1].2 - 10.0).abs() < 0.05, "held from {} m/s", gears[1].2);
    assert!((gears[2].1 - gears[1].1 - 3.0).abs() < 1e-6, "held for {} s", gears[2].1 - gears[1].1);
    assert!(vehicle.forward < 0.06, "stands at {}", vehicle.forward);
    // 10 m/s at 9 m/s² take 1.1 s.
    assert!((vehicle.time_s - gears[2].1 - 1.2).abs() < 0.15);
}

#[test]
fn a_condition_that_comes_and_goes_does_not_bring_a_phase_back() {
    let mut driver = driver_of(BRAKE_TEST);
    // The speed flickers about the limit.
    let speeds = [9.0, 10.1, 9.0, 10.1, 9.0];
    let gears: Vec<i64> = speeds
        .iter()
        .enumerate()
        .map(|(index, speed)| driver.drive(&straight_ahead(0.001 * index as f64, *speed), 1e-3).gear)
        .collect();
    assert_eq!(gears, [1, 2, 2, 2, 2]);
}

#[test]
fn steering_goes_on_smoothly_between_phases() {
    let text = r#"
name = "x"
initial = { speed_m_s = 15.0 }
path = { kind = "straight" }
[[phase]]
steering = { kind = "sine", angle_deg = 40.0, frequency_hz = 0.5 }
until = { time_s = 0.8 }
[[phase]]
steering = { kind = "hold", angle_deg = -20.0 }
until = { time_s = 1.0 }
[[phase]]
steering = { kind = "path" }
until = { time_s = 1.0 }
[[phase]]
steering = { kind = "step", angle_deg = 10.0, rise_s = 0.5 }
until = { time_s = 1.0 }
"#;
    let mut driver = driver_of(text);
    let h = 1e-3;
    let off_the_line =
        |time: f64| Kinematics { position_m: Vector3::new(15.0 * time, 0.4, 0.0), ..straight_ahead(time, 15.0) };
    let inputs: Vec<DriverInput> =
        (0..3800).map(|index| driver.drive(&off_the_line(f64::from(index) * h), h)).collect();
    for (index, pair) in inputs.windows(2).enumerate() {
        // Trapezoid: what the angle gains is what the rates say, and no rate jumps. The hands of
        // the path driver may start with a jolt.
        let mean = 0.5 * (pair[0].steering_rate_rad_s + pair[1].steering_rate_rad_s);
        let gain = (pair[1].steering_angle_rad - pair[0].steering_angle_rad) / h;
        assert!((gain - mean).abs() < 0.02, "{index}: {gain} {mean}");
        let jump = (pair[1].steering_rate_rad_s - pair[0].steering_rate_rad_s).abs();
        assert!(jump < 0.6, "{index}: {jump}");
        let jolt = (pair[1].steering_acceleration_rad_s2 - pair[0].steering_acceleration_rad_s2).abs();
        assert!(jolt < 3.0 || (1795..2805).contains(&index), "{index}: {jolt}");
    }
    assert!((inputs[1795].steering_angle_rad + 20.0_f64.to_radians()).abs() < 1e-9, "held");
    assert!((inputs[3799].steering_angle_rad - 10.0_f64.to_radians()).abs() < 1e-9, "stepped");
}

#[test]
fn a_manoeuvre_ends_by_time_place_or_distance() {
    let ends = |stop: &str, motion: Kinematics| {
        let mut driver = driver_of(&format!("name = \"x\"\nstop = {{ {stop} }}\n"));
        assert!(!driver.has_finished(&motion), "before it has begun");
        driver.drive(&straight_ahead(0.0, 10.0), 0.5);
        driver.has_finished(&motion)
    };
    assert!(ends("time_s = 2.0", straight_ahead(2.0, 10.0)));
    assert!(!ends("time_s = 2.0", straight_ahead(1.999, 10.0)));
    assert!(ends("x_above_m = 19.0", straight_ahead(2.0, 10.0)));
    assert!(ends("distance_m = 5.0", straight_ahead(0.5, 10.0)));
    assert!(!ends("distance_m = 5.1", straight_ahead(0.5, 10.0)));
    assert!(ends("speed_below_km_h = 36.0", straight_ahead(1.0, 9.9)));
    assert!(ends("speed_above_mph = 20.0", straight_ahead(1.0, 9.0)));
    assert!(ends("standstill = true", straight_ahead(1.0, 0.01)));
    assert!(!ends("standstill = true", straight_ahead(1.0, 0.2)));
    let skids = Kinematics { acceleration_m_s2: Vector3::new(0.0, -7.6, 0.0), ..straight_ahead(1.0, 20.0) };
    assert!(ends("lateral_above_m_s2 = 7.5", skids));
}

#[test]
fn the_clock_starts_when_the_driver_does() {
    let mut driver = driver_of(
        "name = \"x\"\nduration_s = 1.0\nsteering = { kind = \"step\", angle_deg = 90.0, at_s = 0.2, rise_s = 0.1 }\n",
    );
    assert_eq!(driver.drive(&straight_ahead(100.0, 5.0), 1e-3).steering_angle_rad, 0.0);
    assert!(driver.drive(&straight_ahead(100.5, 5.0), 1e-3).steering_angle_rad > 1.5);
    assert!(!driver.has_finished(&straight_ahead(100.9, 5.0)));
    assert!(driver.has_finished(&straight_ahead(101.0, 5.0)));
}

#[test]
fn a_phase_that_never_comes_is_refused() {
    let text = "name = \"x\"\n[[phase]]\nspeed = { kind = \"coast\" }\n[[phase]]\nspeed = { kind = \"brake\" }\n";
    assert!(fault(text).contains("no `until`"), "{}", fault(text));
    let text = "name = \"x\"\n[[phase]]\nuntil = { }\n";
    assert!(fault(text).contains("at least one condition"), "{}", fault(text));
}
