//! A steering manoeuvre like that of the thesis's Fig. 4.7: known exactly, and seen through an
//! encoder.
//!
//! The thesis's own recording is not published. This one has what a driver does: a lane change, a
//! slalom, quick corrections, and a slow turn, each A·sin²(πu)·sin(2πf·t) over its own time, which
//! begins and ends with rate and acceleration zero.

use std::f64::consts::{PI, TAU};

use super::Recording;

/// A step of the encoder (°), Gallo 2012, §3.1.2.
pub const ENCODER_STEP_DEG: f64 = 0.18;
/// How long it is (s).
pub const MANOEUVRE_S: f64 = 20.0;

struct Part {
    begins_s: f64,
    lasts_s: f64,
    amplitude_deg: f64,
    /// Whole cycles fit into the time.
    frequency_hz: f64,
}

const fn part(begins_s: f64, lasts_s: f64, amplitude_deg: f64, frequency_hz: f64) -> Part {
    Part { begins_s, lasts_s, amplitude_deg, frequency_hz }
}

const PARTS: [Part; 4] =
    [part(0.5, 4.0, 90.0, 0.5), part(5.0, 6.0, 60.0, 1.0), part(11.5, 3.0, 20.0, 2.0), part(15.0, 4.0, 180.0, 0.25)];

/// The angle itself (°).
pub fn test_manoeuvre_deg(time_s: f64) -> f64 {
    let angle_deg = |part: &Part| {
        let since_s = time_s - part.begins_s;
        let inside = (0.0..part.lasts_s).contains(&since_s);
        let shape = (PI * since_s / part.lasts_s).sin().powi(2) * (TAU * part.frequency_hz * since_s).sin();
        if inside { part.amplitude_deg * shape } else { 0.0 }
    };
    PARTS.iter().map(angle_deg).sum()
}

/// The angle as an encoder of [`ENCODER_STEP_DEG`] gives it, at a sampling period.
pub fn test_manoeuvre(period_ns: u64) -> Recording {
    let count = (MANOEUVRE_S * 1e9) as u64 / period_ns.max(1);
    let times_ns: Vec<u64> = (0..count).map(|sample| sample * period_ns).collect();
    let counted = |ns: &u64| (test_manoeuvre_deg(*ns as f64 * 1e-9) / ENCODER_STEP_DEG).round();
    let values = times_ns.iter().map(|ns| counted(ns) * ENCODER_STEP_DEG).collect();
    Recording::from_parts(times_ns, values)
}
