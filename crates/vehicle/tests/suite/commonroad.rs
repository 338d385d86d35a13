//! The passenger car's yaw-rate gain over speed against CommonRoad's vehicle models.
//!
//! `tests/reference/commonroad/generate.py` asked two models of commonroad-vehicle-models (PyPI).
//! Their cornering stiffness is proportional to the load, so both steer neutrally: r/δ = v/L within
//! 4 %. Our tyre's stiffness rises less than its load, and the car carries more of its load in
//! front, so it understeers: its gain falls below theirs as v/(L + K v²). So what is compared is
//! - the gain at low speed, where K v² does not matter yet: 10 %;
//! - the gain at every speed after theirs is corrected by K, with one K for all speeds: 8 %;
//! - the sign of K.

use crate::driven::{STEP_S, record};
use std::io::Write;
use vehicle::assembly::{Choice, Setup};
use vehicle::evaluation::Quantity;
use vehicle::evaluation::signal::{index_at, mean};

/// Yaw rate over the mean angle of the front wheels at a small angle, and the speed at which it was
/// taken. The rack is moved, so that neither steering ratio nor the compliance of the steering
/// matters; nothing drives, because the preload of the differential would resist the turn.
fn gain_1_s(speed_m_s: f64) -> (f64, f64) {
    let text = format!(
        "name = \"small-step\"\ndescription = \"a small step of the rack\"\nroad = \"flat\"\nduration_s = 6.0\n\n[initial]\nspeed_m_s = {speed_m_s:.1}\n\n\
         [steering]\nkind = \"step\"\nrack_mm = -1.8\nat_s = 0.5\nrise_s = 0.3\n"
    );
    let mut file = tempfile::Builder::new().suffix(".toml").tempfile().expect("a file");
    file.write_all(text.as_bytes()).expect("written");
    let choice = Choice {
        manoeuvre: file.path().display().to_string(),
        vehicle: Some("passenger-car".into()),
        steering: Some("none".into()),
        powertrain: Some("none".into()),
        ..Choice::default()
    };
    let recording = record(&Setup::read(&choice, STEP_S).expect("a setup"), f64::INFINITY);
    let last = index_at(recording.get(Quantity::Time), 5.0);
    let steady = |quantity| mean(&recording.get(quantity)[last..]);
    // Both wheels have some toe, which is not steering: it cancels in the mean.
    (steady(Quantity::YawRate) / steady(Quantity::RoadWheel), steady(Quantity::Speed) / 3.6)
}

#[test]
fn gains_follow_commonroad_but_for_understeer() {
    let data: serde_json::Value =
        serde_json::from_str(include_str!("../reference/commonroad/gains.json")).expect("golden numbers");
    let rows = data["gains"].as_array().expect("rows");
    let number = |row: &serde_json::Value, name: &str| row[name].as_f64().expect("a number");
    let wheelbase_m = number(&data["car"], "front_m") + number(&data["car"], "rear_m");
    let multi_body_wheelbase_m = number(&data, "multi_body_wheelbase_m");
    let gains: Vec<(f64, f64, [f64; 2])> = rows
        .iter()
        .map(|row| {
            let asked = number(row, "speed_m_s");
            let (ours, speed) = gain_1_s(asked);
            let theirs = [
                number(row, "single_track_1_s"),
                // The multi-body model is another car: its gain for our wheelbase.
                number(row, "multi_body_1_s") * multi_body_wheelbase_m / wheelbase_m,
            ];
            // Ours rolls out a little; their gains are proportional to the speed.
            (speed, ours, theirs.map(|gain| gain * speed / asked))
        })
        .collect();
    println!("{gains:?}");
    let (_, slow, theirs) = gains[0];
    for other in theirs {
        assert!((slow / other - 1.0).abs() < 0.1, "{slow}, CommonRoad {other}");
    }
    // K from the fastest speed, with the single-track model as the neutral vehicle: r/δ = v/(L + K
    // v²).
    let (speed, fast, [neutral, _]) = gains[gains.len() - 1];
    let understeer = wheelbase_m * (neutral / fast - 1.0) / (speed * speed);
    assert!((0.0005..0.006).contains(&understeer), "understeers by {understeer} rad s²/m");
    for (speed, found, theirs) in gains {
        let share = 1.0 + understeer * speed * speed / wheelbase_m;
        for other in theirs {
            assert!(
                (found * share / other - 1.0).abs() < 0.08,
                "at {speed} m/s: {found}, CommonRoad {other} less understeer {}",
                other / share
            );
        }
    }
}
