//! Courses over time against their closed forms, and their derivatives against finite differences.

use crate::driver::{driver_of, fault, imposed, manoeuvre, straight_ahead};
use std::f64::consts::{PI, TAU};
use vehicle::driver::{Driver, DriverSetup};
use vehicle::{Coordinate, DriverInput, SteeredBy};

const DEG: f64 = PI / 180.0;

fn file(steering: &str) -> String {
    format!("name = \"x\"\ninitial = {{ speed_m_s = 20.0 }}\nsteering = {steering}\n")
}

/// The steering wheel at a time: the driver is asked a step of 1 ms earlier.
fn at(driver: &mut dyn Driver, time_s: f64) -> Coordinate {
    // The first call sets the clock.
    driver.drive(&straight_ahead(0.0, 20.0), 1e-3);
    sample(&driver.drive(&straight_ahead(time_s - 1e-3, 20.0), 1e-3))
}

fn sample(input: &DriverInput) -> Coordinate {
    Coordinate {
        value: input.steering_angle_rad,
        rate: input.steering_rate_rad_s,
        acceleration: input.steering_acceleration_rad_s2,
    }
}

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected}");
}

#[test]
fn rate_and_acceleration_are_the_derivatives_of_the_angle() {
    // Central differences over 2h are off by h²/6 of the third derivative: with h = 1e-4 s and
    // these courses below 1e-5 of the amplitude's rates.
    let courses = [
        r#"{ kind = "step", angle_deg = 60.0, at_s = 0.5, rise_s = 0.4 }"#,
        r#"{ kind = "ramp", angle_deg = -90.0, rate_deg_s = 100.0, at_s = 0.3, blend_s = 0.2 }"#,
        r#"{ kind = "sine", angle_deg = 30.0, frequency_hz = 0.7, at_s = 0.1 }"#,
        r#"{ kind = "sweep", angle_deg = 10.0, from_hz = 0.2, to_hz = 2.0, length_s = 3.0 }"#,
        r#"{ kind = "table", angle_deg = [[0.0, 0.0], [0.7, 20.0], [1.1, -5.0], [2.0, 3.0]] }"#,
    ];
    let h = 1e-4;
    for course in courses {
        let mut driver = driver_of(&file(course));
        for index in 1..190 {
            let time = 0.01 * f64::from(index) + 0.0037;
            let [before, now, after] = [time - h, time, time + h].map(|time| at(driver.as_mut(), time));
            near((after.value - before.value) / (2.0 * h), now.rate, 2e-4);
            near((after.rate - before.rate) / (2.0 * h), now.acceleration, 2e-2);
        }
    }
}

#[test]
fn a_step_is_smooth_and_as_fast_as_asked() {
    let mut driver = driver_of(&file(r#"{ kind = "step", angle_deg = 60.0, at_s = 1.0, rate_deg_s = 300.0 }"#));
    // Peak rate of 10τ³ − 15τ⁴ + 6τ⁵ is 15/8 of the mean: the step takes 15/8 · 60/300 s.
    let rise = 1.875 * 60.0 / 300.0;
    assert_eq!(at(driver.as_mut(), 1.0).value, 0.0);
    near(at(driver.as_mut(), 1.0 + 0.5 * rise).value, 30.0 * DEG, 1e-12);
    near(at(driver.as_mut(), 1.0 + 0.5 * rise).rate, 300.0 * DEG, 1e-9);
    assert_eq!(at(driver.as_mut(), 1.001 + rise).value, 60.0 * DEG);
    let mut linear =
        driver_of(&file(r#"{ kind = "step", angle_deg = 60.0, at_s = 1.0, rise_s = 0.2, interpolation = "linear" }"#));
    near(at(linear.as_mut(), 1.05).value, 15.0 * DEG, 1e-12);
    near(at(linear.as_mut(), 1.05).rate, 300.0 * DEG, 1e-9);
    near(at(linear.as_mut(), 3.0).value, 60.0 * DEG, 1e-12);
}

#[test]
fn a_ramp_ends_where_it_should() {
    let mut driver =
        driver_of(&file(r#"{ kind = "ramp", angle_deg = -90.0, rate_deg_s = 30.0, at_s = 1.0, blend_s = 0.4 }"#));
    // In the middle half a blend behind the corner at 1 s; at the end after 90/30 s and a blend.
    near(at(driver.as_mut(), 2.0).value, -(1.0 - 0.2) * 30.0 * DEG, 1e-12);
    near(at(driver.as_mut(), 2.0).rate, -30.0 * DEG, 1e-12);
    near(at(driver.as_mut(), 4.4).value, -90.0 * DEG, 1e-12);
    near(at(driver.as_mut(), 9.0).value, -90.0 * DEG, 1e-12);
}

#[test]
fn sine_waves_end_after_their_cycles() {
    let mut driver =
        driver_of(&file(r#"{ kind = "sine", angle_deg = 10.0, frequency_hz = 0.5, at_s = 1.0, cycles = 1.0 }"#));
    for time in [1.2, 1.9, 2.7] {
        near(at(driver.as_mut(), time).value, 10.0 * DEG * (TAU * 0.5 * (time - 1.0)).sin(), 1e-12);
    }
    assert_eq!(at(driver.as_mut(), 3.001), Coordinate::default());
}

#[test]
fn sine_with_dwell_pauses_at_the_second_peak() {
    // FMVSS 126: 0.7 Hz, 500 ms at the third quarter.
    let mut driver =
        driver_of(&file(r#"{ kind = "sine", angle_deg = 10.0, frequency_hz = 0.7, cycles = 1.0, dwell_s = 0.5 }"#));
    let (quarter, peak) = (0.25 / 0.7, 10.0 * DEG);
    near(at(driver.as_mut(), quarter).value, peak, 1e-12);
    for part in [0.01, 0.25, 0.49] {
        assert_eq!(at(driver.as_mut(), 3.0 * quarter + part), Coordinate::at_rest(-peak));
    }
    near(at(driver.as_mut(), 3.5 * quarter + 0.5).value, -peak * (PI / 4.0).cos(), 1e-9);
    assert_eq!(at(driver.as_mut(), 4.0 * quarter + 0.501).value, 0.0);
}

#[test]
fn a_sweep_ends_at_zero_after_whole_waves() {
    // Mean frequency 1.1 Hz over at least 10 s: 11 waves, 10 s.
    let mut driver =
        driver_of(&file(r#"{ kind = "sweep", angle_deg = 10.0, from_hz = 0.2, to_hz = 2.0, length_s = 9.6 }"#));
    near(at(driver.as_mut(), 9.999).value, 0.0, 10.0 * DEG * TAU * 2.0 * 0.0011);
    assert_eq!(at(driver.as_mut(), 10.001), Coordinate::default());
    let phase = TAU * (0.2 * 4.0 + 0.5 * 0.18 * 16.0);
    near(at(driver.as_mut(), 4.0).value, 10.0 * DEG * phase.sin(), 1e-12);
}

#[test]
fn tables_pass_their_points() {
    let points = r#"angle_deg = [[0.0, 0.0], [1.0, 20.0], [2.0, -5.0]]"#;
    let mut smooth = driver_of(&file(&format!("{{ kind = \"table\", {points} }}")));
    near(at(smooth.as_mut(), 1.0).value, 20.0 * DEG, 1e-12);
    near(at(smooth.as_mut(), 1.0).rate, 0.0, 1e-12);
    near(at(smooth.as_mut(), 1.5).value, 7.5 * DEG, 1e-12);
    near(at(smooth.as_mut(), 7.0).value, -5.0 * DEG, 1e-12);
    let mut linear = driver_of(&file(&format!("{{ kind = \"table\", interpolation = \"linear\", {points} }}")));
    near(at(linear.as_mut(), 0.25).value, 5.0 * DEG, 1e-12);
    near(at(linear.as_mut(), 1.75).rate, -25.0 * DEG, 1e-12);
}

#[test]
fn the_name_of_the_amplitude_says_what_is_moved() {
    let setup = DriverSetup::default();
    let held = |amplitude: &str| {
        let mut driver = driver_of(&file(&format!("{{ kind = \"hold\", {amplitude} }}")));
        driver.drive(&straight_ahead(0.0, 20.0), 1e-3)
    };
    near(held("angle_deg = 90.0").steering_angle_rad, PI / 2.0, 1e-15);
    near(held("lock_ratio = -0.5").steering_angle_rad, -0.5 * setup.steering_lock_rad, 1e-15);
    // Steady cornering at 20 m/s: a = δ v²/(L + K v²).
    let road_wheels = held("lateral_m_s2 = 4.0").steering_angle_rad / setup.steering_ratio;
    near(road_wheels * 400.0 / (setup.wheelbase_m + setup.understeer_rad_s2_m * 400.0), 4.0, 1e-12);
    let rack = held("rack_mm = 5.0");
    near(imposed(&rack).expect("the rack").value, 0.005, 1e-15);
    assert_eq!(rack.steering_angle_rad, 0.0);
    let by_angle = DriverSetup { steered_by: SteeredBy::Angle, ..setup };
    let text = file("{ kind = \"hold\", road_wheel_deg = 2.0 }");
    let mut turned = manoeuvre(&text).driver(&by_angle).expect("a driver");
    let angle = imposed(&turned.drive(&straight_ahead(0.0, 20.0), 1e-3)).expect("the road wheels");
    near(angle.value, 2.0 * DEG, 1e-15);
    // A vehicle with a rack has no such angle.
    let refused = manoeuvre(&text).driver(&setup).err().expect("an error").to_string();
    assert!(refused.contains("road_wheel_deg") && refused.contains("rack_mm"), "{refused}");
    assert!(imposed(&held("angle_deg = 1.0")).is_none());
}

#[test]
fn a_file_steers_one_thing() {
    let text = "name = \"x\"\nsteering = { kind = \"hold\", rack_mm = 1.0 }\n[[phase]]\nsteering = { kind = \"hold\", angle_deg = 1.0 }\n";
    assert!(fault(text).contains("two of steering wheel, rack and road wheels"), "{}", fault(text));
}

#[test]
fn wind_blows_where_it_is_told_to() {
    let text = "name = \"x\"\nwind = { speed_m_s = [[0.0, 0.0], [1.0, 0.0], [1.5, 20.0]], direction_deg = 90.0 }\n";
    assert_eq!(manoeuvre(text).duration_s, None);
    let wind = manoeuvre(text).wind().expect("a wind");
    assert_eq!(wind.at(0.0).y, 0.0);
    near(wind.at(1.25).y, 10.0, 1e-12);
    near(wind.at(2.0).x, 0.0, 1e-12);
}
