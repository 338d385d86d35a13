//! The HMMWV with TMeasy tyres against a run of Project Chrono: an independent code on the same parameters.
//!
//! The reference is `tests/reference/chrono/hmmwv-tmeasy-sine-steer.csv`; what differs between both vehicles is said in `docs/reports.md`.

use vehicle::assembly::{Choice, Setup};
use vehicle::evaluation::comparison::Difference;
use vehicle::evaluation::{Quantity, Recorder};
use vehicle::simulation::Simulation;

const REFERENCE: &str = include_str!("reference/chrono/hmmwv-tmeasy-sine-steer.csv");

/// Rows of numbers under the names of the columns.
fn column(name: &str) -> Vec<f64> {
    let mut rows = REFERENCE.lines().filter(|line| !line.starts_with('#'));
    let place = rows
        .next()
        .and_then(|head| head.split(',').position(|known| known == name))
        .expect("a column");
    rows.map(|row| {
        row.split(',')
            .nth(place)
            .expect("a cell")
            .parse()
            .expect("a number")
    })
    .collect()
}

/// Yaw rate within 10 % of its peak (RMS), speed within 3 %, position within 1 m after 6 s.
#[test]
fn follows_project_chrono() {
    let choice = Choice {
        manoeuvre: "chrono-sine-steer".into(),
        ..Choice::default()
    };
    let setup = Setup::read(&choice, 1e-3).expect("a setup");
    let mut simulation = Simulation::new(&setup).expect("a vehicle");
    let mut recorder = Recorder::new(&setup, 5);
    while !simulation.has_finished() {
        simulation.step();
        recorder.look(&simulation);
    }
    let recording = recorder.finish();
    let time = column("time_s");
    let compare = |quantity, name: &str, factor: f64, tolerance: f64| {
        let reference: Vec<f64> = column(name).iter().map(|value| value * factor).collect();
        Difference::new(
            recording.get(Quantity::Time),
            recording.get(quantity),
            &time,
            &reference,
            tolerance,
        )
        .expect("a difference")
    };
    let yaw = compare(Quantity::YawRate, "yaw_rate_rad_s", 1_f64.to_degrees(), 1.0);
    println!("yaw rate: {yaw:?}");
    let speed = compare(Quantity::Speed, "speed_m_s", 3.6, 1.0);
    println!("speed: {speed:?}");
    let (x, y) = (
        compare(Quantity::X, "x_m", 1.0, 1.0),
        compare(Quantity::Y, "y_m", 1.0, 1.0),
    );
    println!("x: {x:?}\ny: {y:?}");
    assert!(
        yaw.rms < 0.1 * yaw.peak,
        "yaw rate off by {} of {} °/s",
        yaw.rms,
        yaw.peak
    );
    // The slowest speed is 28.6 km/h, so that 3 % of it is the narrowest band.
    let narrowest = 0.03 * 7.94 * 3.6;
    assert!(speed.largest < narrowest, "speed off by {} km/h", speed.largest);
    let distance = x.at_end.hypot(y.at_end);
    assert!(distance < 1.0, "position off by {distance} m");
}
