//! Against numbers that this code did not make.

use crate::powertrain::rig::{Rolling, drive, held, shipped};
use serde::Deserialize;
use vehicle::powertrain::Powertrain;

#[derive(Deserialize)]
struct Reference {
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    file: String,
    mass_kg: f64,
    radius_m: f64,
    resistance_n: f64,
    throttle: f64,
    /// Time, speed, engine speed, gear.
    rows: Vec<(f64, f64, f64, i32)>,
}

/// Launch with converter through the gear shifts, solved by a stiff solver of scipy from the same
/// equations (`reference/powertrain/launch.py`). Tolerance: the substep is an implicit Euler step
/// of 0.25 ms, and shifts begin at steps of 1 ms; speed agrees to 0.02 % and engine speed to 0.06
/// %; three times that is allowed.
#[test]
fn a_launch_through_the_gears_agrees_with_an_independent_solver() {
    let text = include_str!("../../reference/powertrain/launch.json");
    let reference: Reference = serde_json::from_str(text).expect("made by launch.py");
    assert!(reference.runs.len() >= 2);
    let (mut worst_speed, mut worst_engine) = (0.0_f64, 0.0_f64);
    for run in reference.runs {
        let mut train = shipped(&run.file, 4);
        let mut car = Rolling::new(4, run.mass_kg, run.radius_m, 0.0);
        car.resistance_n = run.resistance_n;
        let mut step = 0;
        for (time_s, speed_m_s, engine_rad_s, gear) in run.rows {
            while f64::from(step) * 1e-3 < time_s - 1e-6 {
                car.step(&mut train, &drive(run.throttle), 1e-3, 4);
                step += 1;
            }
            let shown = train.instruments();
            assert_eq!(shown.gear, gear, "at {time_s} s");
            worst_speed = worst_speed.max((car.speed_m_s / speed_m_s - 1.0).abs());
            worst_engine = worst_engine.max((shown.engine_speed_rad_s / engine_rad_s - 1.0).abs());
        }
    }
    println!("speed differs by {worst_speed:.1e}, engine speed by {worst_engine:.1e}");
    assert!(worst_speed < 6e-4 && worst_engine < 2e-3, "{worst_speed} {worst_engine}");
}

/// Project Chrono's HMMWV with TMeasy tyres at throttle 0.3, on the straight part of its run:
/// 8.48079 m/s at 0.5 s, 9.29357 at 1 s, 10.10779 at 1.5 s, 10.91945 at 2 s. A rolling mass has no
/// suspension and no tyre slip, so 1 % of the gained speed. Torque acts on the loaded radius,
/// 0.4699 m − 6320 N / 326,332 N/m; rolling resistance is 0.015 of 25,280 N; a wheel with tyre,
/// spindle and shaft has 7.79 kg m², and turns by the effective radius of about 0.463 m.
#[test]
fn the_recorded_run_has_the_engine_torque_of_its_file() {
    let mut train = shipped("hmmwv-recorded-run", 4);
    let loaded_m = 0.4699 - 6320.0 / 326_332.0;
    let wheels_kg = 4.0 * 7.79 / (loaded_m * 0.463);
    let mut car = Rolling::new(4, 2576.9 + wheels_kg, loaded_m, 8.48079);
    car.resistance_n = 0.015 * 25_280.0;
    for (speed_m_s, time_s) in [(9.29357, 0.5), (10.10779, 1.0), (10.91945, 1.5)] {
        car.run(&mut train, &drive(0.3), 500, 4);
        let (gained, expected) = (car.speed_m_s - 8.48079, speed_m_s - 8.48079);
        assert!((gained / expected - 1.0).abs() < 0.01, "after {time_s} s: {gained} m/s, {expected}");
    }
}

/// The quasi-static HMMWV against its source's equations in its own numbers: torque of the map, by
/// the gear's and the conical gear's ratio as printed there (output by input). At 17 rad/s of the
/// wheels the input turns at 17/0.25/0.4218 rad/s = 1539.5 rpm in third gear.
#[test]
fn the_quasi_static_hmmwv_has_the_torque_of_its_maps() {
    let mut train = shipped("hmmwv-quasi-static", 4);
    let spin = [17.0; 4];
    let torques = held(&mut train, &drive(0.3), &spin);
    let rpm = 17.0 / 0.25 / 0.4218 * 30.0 / std::f64::consts::PI;
    let full = 789.0 + (rpm - 1500.0) / 100.0 * (793.0 - 789.0);
    let closed = -50.0 - (rpm - 1000.0) / 1000.0 * 20.0;
    let engine_nm = 0.3 * full + 0.7 * closed;
    assert_eq!(train.instruments().gear, 3);
    assert!((train.instruments().engine_torque_nm - engine_nm).abs() < 1e-6);
    for wheel in 0..4 {
        let expected = engine_nm / 0.4218 / 0.25 / 4.0;
        // The file's ratios have nine decimals.
        assert!((torques.torque_nm[wheel] - expected).abs() < 1e-6, "{:?}", &torques.torque_nm[..4]);
    }
}
