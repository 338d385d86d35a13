//! The cruise control on a longitudinal model, and the pedals.
//!
//! The model is v̇ = a_t · throttle − a_b · brake − c₀ − c₂ v² − g · slope with a lag of 0.15 s
//! between pedal and force; the driver is told other values of a_t and a_b than the model has.

use crate::driver::{driver_of, straight_ahead};
use vehicle::driver::Driver;
use vehicle::{DriverInput, Kinematics, Vector3};

struct Run {
    speeds: Vec<f64>,
    inputs: Vec<DriverInput>,
}

const STEP_S: f64 = 0.005;

fn run(driver: &mut dyn Driver, start_m_s: f64, length_s: f64, slope: impl Fn(f64) -> f64) -> Run {
    let (mut speed, mut force, mut x) = (start_m_s, 0.0, 0.0);
    let mut run = Run { speeds: Vec::new(), inputs: Vec::new() };
    for index in 0..(length_s / STEP_S) as usize {
        let time_s = index as f64 * STEP_S;
        let motion = Kinematics { position_m: Vector3::new(x, 0.0, 0.0), ..straight_ahead(time_s, speed) };
        let input = driver.drive(&motion, STEP_S);
        let asked = 2.2 * input.throttle_ratio - 11.0 * input.brake_ratio;
        force += (asked - force) * STEP_S / 0.15;
        let pull = force - 9.81 * slope(time_s);
        let drag = 0.15 + 0.0005 * speed * speed;
        speed = if speed > 0.0 || pull > drag { (speed + (pull - drag) * STEP_S).max(0.0) } else { 0.0 };
        x += speed * STEP_S;
        run.speeds.push(speed);
        run.inputs.push(input);
    }
    run
}

fn hold(speed_m_s: f64) -> String {
    format!("name = \"x\"\nspeed = {{ kind = \"hold\", speed_m_s = {speed_m_s:?} }}\n")
}

#[test]
fn a_held_speed_is_reached_with_hardly_any_overshoot() {
    // Who slows down without knowing the road load goes below by as much as it takes to find out:
    // 0.26 m/s² at 15 m/s, over the gain of 0.8/s and with 3/2.2 of the throttle believed.
    for (from, to, most) in [(20.0, 25.0, 0.1), (0.0, 30.0, 0.1), (30.0, 15.0, 0.6), (27.0, 27.0, 0.1)] {
        let run = run(driver_of(&hold(to)).as_mut(), from, 60.0, |_| 0.0);
        let last = run.speeds[run.speeds.len() - 1];
        assert!((last - to).abs() < 0.02, "{from} to {to}: {last}");
        let overshoot = overshoot(&run, from, to);
        println!("{from} to {to}: overshoot {overshoot:.3} m/s");
        assert!(overshoot < most, "{from} to {to}: {overshoot}");
    }
}

fn overshoot(run: &Run, from: f64, to: f64) -> f64 {
    run.speeds.iter().map(|speed| (speed - to) * (to - from).signum()).fold(0.0, f64::max)
}

#[test]
fn who_knows_the_road_load_does_not_slow_down_too_much() {
    let text = hold(15.0).replace("15.0", "15.0, rolling_m_s2 = 0.2, drag_1_m = 0.0006");
    let run = run(driver_of(&text).as_mut(), 30.0, 60.0, |_| 0.0);
    let overshoot = overshoot(&run, 30.0, 15.0);
    println!("30 to 15 with known load: overshoot {overshoot:.3} m/s");
    assert!(overshoot < 0.3, "{overshoot}");
}

#[test]
fn a_hill_that_is_too_steep_winds_nothing_up() {
    // 30 % for 20 s is more than full throttle can climb; afterwards the speed comes back without
    // overshoot.
    let run =
        run(driver_of(&hold(20.0)).as_mut(), 20.0, 90.0, |time| if (10.0..30.0).contains(&time) { 0.3 } else { 0.0 });
    let lowest = run.speeds.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = run.speeds.iter().copied().fold(0.0, f64::max);
    assert!(lowest < 10.0, "the hill is steep: {lowest}");
    assert!(highest < 20.7, "overshoot to {highest}");
    assert!((run.speeds[run.speeds.len() - 1] - 20.0).abs() < 0.05);
}

#[test]
fn downhill_the_brake_holds_the_speed() {
    let run = run(driver_of(&hold(20.0)).as_mut(), 20.0, 60.0, |_| -0.1);
    assert!((run.speeds[run.speeds.len() - 1] - 20.0).abs() < 0.05);
    assert!(run.inputs[run.inputs.len() - 1].brake_ratio > 0.0);
    assert!(
        run.inputs.iter().all(|input| input.throttle_ratio == 0.0 || input.brake_ratio == 0.0),
        "both pedals at once"
    );
}

#[test]
fn a_course_of_speeds_is_followed() {
    let text = r#"
name = "x"
speed = { kind = "table", speed_km_h = [[0.0, 36.0], [5.0, 36.0], [25.0, 72.0], [30.0, 72.0]], rolling_m_s2 = 0.15, drag_1_m = 0.0005 }
"#;
    let run = run(driver_of(text).as_mut(), 10.0, 40.0, |_| 0.0);
    for (time, expected) in [(5.0, 10.0), (15.0, 15.0), (24.0, 19.5), (40.0, 20.0)] {
        let found = run.speeds[(time / STEP_S) as usize - 1];
        assert!((found - expected).abs() < 0.35, "{time} s: {found} instead of {expected}");
    }
}

#[test]
fn who_should_stand_stays_on_the_brake() {
    let text = "name = \"x\"\nspeed = { kind = \"table\", speed_m_s = [[0.0, 10.0], [10.0, 0.0]] }\n";
    let run = run(driver_of(text).as_mut(), 10.0, 40.0, |_| -0.1);
    assert_eq!(run.speeds[run.speeds.len() - 1], 0.0);
    assert!(run.inputs[run.inputs.len() - 1].brake_ratio >= 0.4);
}

#[test]
fn pedals_follow_their_tables() {
    let text = r#"
name = "x"
speed = { kind = "pedals", throttle = [[0.0, 0.0], [2.0, 1.0]], brake = 0.25, clutch = [[0.0, 1.0], [1.0, 0.0]], gear = 2, pressure_bar = [[0.0, 0.0], [4.0, 80.0]] }
"#;
    let mut driver = driver_of(text);
    let inputs: Vec<DriverInput> =
        (0..3000).map(|index| driver.drive(&straight_ahead(f64::from(index) * 1e-3, 5.0), 1e-3)).collect();
    // One step late at most: the pedal follows within its rate.
    assert!((inputs[1000].throttle_ratio - 0.5).abs() < 1e-3);
    assert!((inputs[500].clutch_ratio - 0.5).abs() < 1e-12);
    assert_eq!((inputs[0].brake_ratio, inputs[2999].brake_ratio), (0.25, 0.25));
    assert_eq!(inputs[2000].gear, 2);
    assert!((inputs[2000].brake_pressure_bar - 40.0).abs() < 1e-9);
}

#[test]
fn pedals_move_no_faster_than_a_foot() {
    let text = r#"
name = "x"
limits = { throttle_rate_1_s = 4.0, brake_rate_1_s = 8.0 }
[[phase]]
speed = { kind = "accelerate" }
until = { time_s = 1.0 }
[[phase]]
speed = { kind = "brake", rise_s = 0.001 }
"#;
    let mut driver = driver_of(text);
    let inputs: Vec<DriverInput> =
        (0..2000).map(|index| driver.drive(&straight_ahead(f64::from(index) * 1e-3, 5.0), 1e-3)).collect();
    assert_eq!(inputs[0].throttle_ratio, 1.0);
    for pair in inputs.windows(2) {
        assert!((pair[1].throttle_ratio - pair[0].throttle_ratio).abs() <= 4.0e-3 + 1e-12);
        assert!((pair[1].brake_ratio - pair[0].brake_ratio).abs() <= 8.0e-3 + 1e-12);
    }
    assert_eq!((inputs[1999].throttle_ratio, inputs[1999].brake_ratio), (0.0, 1.0));
    // 1/8 s from nothing to the floor.
    assert!(inputs[1120].brake_ratio < 1.0 && inputs[1130].brake_ratio == 1.0);
}

#[test]
fn coasting_in_neutral_and_braking_by_pressure() {
    let coast = driver_of("name = \"x\"\nspeed = { kind = \"coast\", neutral = true }\n")
        .drive(&straight_ahead(0.0, 20.0), 1e-3);
    assert_eq!((coast.gear, coast.throttle_ratio, coast.brake_ratio), (0, 0.0, 0.0));
    let mut driver =
        driver_of("name = \"x\"\nspeed = { kind = \"brake\", pressure_bar = 60.0, at_s = 1.0, rise_s = 0.2 }\n");
    assert_eq!(driver.drive(&straight_ahead(0.0, 20.0), 1e-3).brake_pressure_bar, 0.0);
    let half = driver.drive(&straight_ahead(1.1, 20.0), 1e-3);
    assert!((half.brake_pressure_bar - 30.0).abs() < 1e-9);
    assert_eq!(half.brake_ratio, 0.0);
}
