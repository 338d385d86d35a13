//! `rtrd daq differentiators`: what each way of differentiating costs in delay and noise, on a
//! recorded manoeuvre.

mod plots;

use std::path::PathBuf;

use anyhow::{Context, bail};
use board_emulator::differentiators::{
    Comparison, ENCODER_STEP_DEG, Recording, compare, test_manoeuvre, usual_methods,
};

use crate::output;

/// Compare ways of differentiating a steering angle: delay and noise against derivatives that also
/// look ahead
///
/// Without a recording, a test manoeuvre is used: twenty seconds of lane change, slalom,
/// corrections and a slow turn, seen through an encoder of 0.18°. A recording is a CSV file whose
/// first column is `time_s`; delays come out in milliseconds, noise in the unit of the column.
#[derive(clap::Args)]
pub struct DifferentiatorsArguments {
    /// The recording (CSV)
    #[arg(value_name = "RECORDING.csv")]
    recording: Option<PathBuf>,
    /// The column to differentiate; may be left out when there is only one
    #[arg(long, value_name = "NAME", requires = "recording")]
    column: Option<String>,
    /// Sampling period (ms): of the test manoeuvre 5 unless given; of a recording, how often the
    /// newest sample is looked at
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    period: Option<f64>,
    /// How far the reference looks to both sides (ms)
    #[arg(long, value_name = "MS", default_value_t = 50.0, allow_negative_numbers = true)]
    window: f64,
    /// Write the table to a file (CSV)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw the figures into a folder (SVG)
    #[arg(long, value_name = "FOLDER")]
    plot: Option<PathBuf>,
}

/// Period of the thesis's simulator (ms).
const PERIOD_MS: f64 = 5.0;
/// Periods and windows that make sense (ms).
const TIMES_MS: std::ops::RangeInclusive<f64> = 0.01..=10_000.0;

pub fn differentiators(arguments: &DifferentiatorsArguments) -> anyhow::Result<()> {
    let period_ns = arguments.period.map(|period_ms| nanoseconds(period_ms, "--period")).transpose()?;
    let window_s = 1e-9 * nanoseconds(arguments.window, "--window")? as f64;
    let (recording, what) = recorded(arguments, period_ns)?;
    let step = recording.step().unwrap_or(ENCODER_STEP_DEG);
    let comparison =
        compare(&recording, usual_methods(step), window_s).with_context(|| format!("cannot compare on {what}"))?;
    println!("{what}: {} samples, reference over ±{} ms", recording.values().len(), arguments.window);
    let unit = unit(arguments);
    plots::print(&comparison, unit);
    write_files(arguments, &recording, &comparison, unit)
}

fn nanoseconds(time_ms: f64, option: &str) -> anyhow::Result<u64> {
    if TIMES_MS.contains(&time_ms) {
        Ok((time_ms * 1e6).round() as u64)
    } else {
        let (least, most) = (TIMES_MS.start(), TIMES_MS.end());
        bail!("{option}: expected {least} to {most} ms, found {time_ms}")
    }
}

fn recorded(arguments: &DifferentiatorsArguments, period_ns: Option<u64>) -> anyhow::Result<(Recording, String)> {
    let Some(path) = &arguments.recording else {
        let period_ns = period_ns.unwrap_or((PERIOD_MS * 1e6) as u64);
        let what = format!("test manoeuvre in steps of {ENCODER_STEP_DEG}°, every {} ms", 1e-6 * period_ns as f64);
        return Ok((test_manoeuvre(period_ns), what));
    };
    let name = path.display().to_string();
    let whole = Recording::read(&files::read(path)?.source(), arguments.column.as_deref())?;
    Ok(match period_ns {
        None => (whole, name),
        Some(period_ns) => {
            let what = format!("{name} looked at every {} ms", 1e-6 * period_ns as f64);
            (whole.looked_at_every(period_ns), what)
        }
    })
}

/// Of the signal, as far as it is known.
fn unit(arguments: &DifferentiatorsArguments) -> &'static str {
    if arguments.recording.is_none() { "°" } else { "unit" }
}

fn write_files(
    arguments: &DifferentiatorsArguments,
    recording: &Recording,
    comparison: &Comparison,
    unit: &str,
) -> anyhow::Result<()> {
    if let Some(path) = &arguments.out {
        output::write(path, plots::csv(comparison))?;
    }
    if let Some(folder) = &arguments.plot {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        for (name, plot) in plots::all(recording, comparison, unit) {
            let path = folder.join(name);
            plot.write_svg(&path).with_context(|| format!("cannot draw {}", path.display()))?;
            output::say_wrote(&path, "");
        }
    }
    Ok(())
}
