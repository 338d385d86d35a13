//! `rtrd report`: a manoeuvre offline, and a page with its key figures and plots.

pub mod date;
mod page;
mod plots;
mod run;

use std::path::PathBuf;

use anyhow::bail;
use vehicle::assembly::Choice;
use vehicle::driver;
use vehicle::library::{Kind, find};

use crate::commands::sim::PartsArguments;
use crate::output;
use run::{Reference, Run};

/// Run a manoeuvre offline and write a page with key figures and plots (HTML)
///
/// The page needs nothing else: it can be sent and printed. Key figures are those of the standard
/// that the manoeuvre names.
///
/// Examples: `rtrd report iso-7401-step`, `rtrd report iso-3888-1 --vehicle passenger-car --vehicle
/// hmmwv`, `rtrd report chrono-sine-steer --reference measured.csv --tolerance 10`
#[derive(clap::Args)]
pub struct ReportArguments {
    /// Manoeuvre: a shipped name (`rtrd scenarios` lists them) or the path of a file
    manoeuvre: String,
    /// Vehicle instead of the manoeuvre's; several stand side by side, each with the variant of the
    /// manoeuvre that ships for it
    #[arg(long = "vehicle", value_name = "NAME|FILE")]
    vehicles: Vec<String>,
    #[command(flatten)]
    parts: PartsArguments,
    /// Brake system instead of the vehicle's; several are compared (with and without ABS)
    #[arg(long = "brake", value_name = "NAME|FILE")]
    brakes: Vec<String>,
    /// Recorded data to compare with: columns by name, `time_s` first (docs/reports.md)
    #[arg(long, value_name = "FILE.csv")]
    reference: Option<PathBuf>,
    /// Half width of the tolerance band around the reference, in per cent of its peak
    #[arg(long, value_name = "PERCENT", default_value_t = 10.0)]
    tolerance: f64,
    /// Where to write the page; the manoeuvre's name without it
    #[arg(short, long, value_name = "FILE.html")]
    out: Option<PathBuf>,
    /// Step in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1e-3)]
    step: f64,
}

pub fn report(arguments: &ReportArguments) -> anyhow::Result<()> {
    if !(arguments.step.is_finite() && arguments.step > 0.0 && arguments.step <= 0.02) {
        bail!("--step {}: expected a number of seconds above 0, at most 0.02", arguments.step);
    }
    if !(arguments.tolerance.is_finite() && arguments.tolerance > 0.0) {
        bail!("--tolerance {}: expected per cent above 0", arguments.tolerance);
    }
    let read = |path: &PathBuf| Reference::read(path, arguments.tolerance / 100.0);
    let reference = arguments.reference.as_ref().map(read).transpose()?;
    let run = |choice: &Choice| Run::new(choice, arguments.step);
    let runs = choices(arguments)?.iter().map(run).collect::<anyhow::Result<Vec<Run>>>()?;
    for run in &runs {
        println!("{} · {}", run.title, run.setup.manoeuvre.description);
        for figure in &run.figures {
            println!("  {:42} {}", figure.name, page::shown(figure));
        }
    }
    let usual = || PathBuf::from(format!("{}.html", runs[0].setup.manoeuvre.name));
    let path = arguments.out.clone().unwrap_or_else(usual);
    let html = page::page(&runs, reference.as_ref())?;
    output::write(&path, html)?;
    Ok(())
}

/// One choice for each vehicle and each brake system.
fn choices(arguments: &ReportArguments) -> anyhow::Result<Vec<Choice>> {
    /// Each that is given, or none once.
    fn or_none(given: &[String]) -> impl Iterator<Item = Option<&String>> {
        given.iter().map(Some).chain(given.is_empty().then_some(None))
    }
    let mut all = Vec::new();
    for vehicle in or_none(&arguments.vehicles) {
        let manoeuvre = match vehicle {
            Some(vehicle) => variant(&arguments.manoeuvre, vehicle)?,
            None => arguments.manoeuvre.clone(),
        };
        for brake in or_none(&arguments.brakes) {
            all.push(arguments.parts.choice(manoeuvre.clone(), vehicle.cloned(), brake.cloned()));
        }
    }
    Ok(all)
}

/// Speed and amplitude must differ between vehicles: a shipped manoeuvre has variants
/// (`iso-7401-step-truck`), and a vehicle gets its own.
fn variant(name: &str, vehicle: &str) -> anyhow::Result<String> {
    let ships = Kind::Manoeuvre.shipped().any(|known| known == name);
    let wanted = |manoeuvre: &str| -> anyhow::Result<bool> {
        let read = driver::read(&find(Kind::Manoeuvre, manoeuvre, None)?.source())?;
        Ok(read.vehicle.as_deref() == Some(vehicle))
    };
    if ships && !wanted(name)? {
        let prefix = format!("{name}-");
        for other in Kind::Manoeuvre.shipped().filter(|known| known.starts_with(&prefix)) {
            if wanted(other)? {
                return Ok(other.to_owned());
            }
        }
    }
    Ok(name.to_owned())
}
