//! `rtrd report`: a manoeuvre offline, and a page with its key figures and plots.

pub mod date;
mod page;
mod plots;
mod run;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use vehicle::assembly::Choice;
use vehicle::driver;
use vehicle::library::{Kind, find};

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
    /// Road instead of the manoeuvre's
    #[arg(long, value_name = "NAME|FILE")]
    road: Option<String>,
    /// Tyres instead of the vehicle's
    #[arg(long, value_name = "NAME|FILE")]
    tyre: Option<String>,
    /// Powertrain instead of the vehicle's
    #[arg(long, value_name = "NAME|FILE")]
    powertrain: Option<String>,
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

pub fn report(arguments: &ReportArguments) -> anyhow::Result<ExitCode> {
    if !(arguments.step.is_finite() && arguments.step > 0.0 && arguments.step <= 0.02) {
        bail!("--step {}: expected a number of seconds above 0, at most 0.02", arguments.step);
    }
    if !(arguments.tolerance.is_finite() && arguments.tolerance > 0.0) {
        bail!("--tolerance {}: expected per cent above 0", arguments.tolerance);
    }
    let reference = match &arguments.reference {
        Some(path) => Some(Reference::read(path, arguments.tolerance / 100.0)?),
        None => None,
    };
    let mut runs = Vec::new();
    for choice in choices(arguments)? {
        runs.push(Run::new(&choice, arguments.step)?);
    }
    for run in &runs {
        println!("{} · {}", run.title, run.setup.manoeuvre.description);
        for figure in &run.figures {
            println!("  {:42} {}", figure.name, page::shown(figure));
        }
    }
    let path = match &arguments.out {
        Some(path) => path.clone(),
        None => PathBuf::from(format!("{}.html", runs[0].setup.manoeuvre.name)),
    };
    let html = page::page(&runs, reference.as_ref())?;
    output::write(&path, html)?;
    Ok(ExitCode::SUCCESS)
}

/// One choice for each vehicle and each brake system.
fn choices(arguments: &ReportArguments) -> anyhow::Result<Vec<Choice>> {
    let vehicles: Vec<Option<&String>> = match arguments.vehicles.as_slice() {
        [] => vec![None],
        given => given.iter().map(Some).collect(),
    };
    let brakes: Vec<Option<&String>> = match arguments.brakes.as_slice() {
        [] => vec![None],
        given => given.iter().map(Some).collect(),
    };
    let mut all = Vec::new();
    for vehicle in vehicles {
        let manoeuvre = match vehicle {
            Some(vehicle) => variant(&arguments.manoeuvre, vehicle)?,
            None => arguments.manoeuvre.clone(),
        };
        for brake in &brakes {
            all.push(Choice {
                manoeuvre: manoeuvre.clone(),
                vehicle: vehicle.cloned(),
                road: arguments.road.clone(),
                tyre: arguments.tyre.clone(),
                powertrain: arguments.powertrain.clone(),
                brake: brake.cloned(),
                ..Choice::default()
            });
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
