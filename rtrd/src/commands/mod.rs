//! The commands, one file each.

pub mod check;
pub mod clean;
pub mod completions;
pub mod config;
pub mod daq;
pub mod deploy;
pub mod equilibrium;
pub mod flight;
pub mod jitter;
pub mod linearise;
pub mod reload;
pub mod report;
pub mod road;
pub mod scenarios;
pub mod signal_table;
pub mod signals;
pub mod sim;
pub mod soak;
pub mod topology;
pub mod view;

use std::ops::RangeInclusive;

/// Exit code after Ctrl-C, as a shell reports it.
pub const INTERRUPTED: u8 = 130;

/// A number of seconds in a range, from the command line.
pub fn seconds_within(text: &str, range: RangeInclusive<f64>) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| range.contains(seconds));
    seconds.ok_or_else(|| format!("expected a number of seconds, {} to {}", range.start(), range.end()))
}

/// A duration from the command line.
pub fn positive_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && seconds > 0.0 && seconds <= 1e9 => Ok(seconds),
        _ => Err("expected a number of seconds above 0".to_owned()),
    }
}
