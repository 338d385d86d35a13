//! `rtrd sim`: a scenario, a vehicle or a mechanism without processes and clocks, as fast as the
//! machine goes.

mod mechanism;
mod vehicle;

use std::path::PathBuf;
use std::time::Instant;

use ::vehicle::assembly::Choice;
use ::vehicle::files::did_you_mean;
use ::vehicle::library::Kind;
use anyhow::bail;
use plant::{Method, Scenario, simulate};

use crate::commands::signal_table::SignalTable;
use crate::output::Progress;

/// Simulate offline, faster than real time: a vehicle in a manoeuvre, a plant, or a mechanism
///
/// The same models and the same order of events as in a live run, without processes and clocks.
///
/// Examples: `rtrd sim passenger-car --manoeuvre iso-3888-1 --plot run.svg`, `rtrd sim tank-level`,
/// `rtrd sim four-bar --duration 5 --out motion.csv`, `rtrd sim hmmwv --out loads.csv --signals
/// 'vehicle.wheels[*].load_n,speed_km_h'`
#[derive(clap::Args)]
pub struct SimArguments {
    /// A vehicle, a manoeuvre, a scenario of a plant or a mechanism: a shipped name (`rtrd
    /// scenarios` lists them) or a path
    name: String,
    /// Manoeuvre of a vehicle: a shipped name or the path of a file
    #[arg(short, long, value_name = "NAME|FILE")]
    manoeuvre: Option<String>,
    /// Brake system instead of the vehicle's
    #[arg(long, value_name = "NAME|FILE")]
    brake: Option<String>,
    #[command(flatten)]
    parts: PartsArguments,
    /// Write the signals (CSV)
    #[arg(short, long, value_name = "FILE.csv")]
    out: Option<PathBuf>,
    /// Signals of the table and the plot by name, in which * stands for anything; `rtrd signals`
    /// lists them [default: those that people watch]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    signals: Vec<String>,
    /// Write a plot over time, and of a vehicle's path seen from above (SVG)
    #[arg(short, long, value_name = "FILE.svg", value_parser = plot::svg_file)]
    plot: Option<PathBuf>,
    /// Write a plot of a vehicle's path alone (SVG)
    #[arg(long, value_name = "FILE.svg", value_parser = plot::svg_file)]
    trajectory: Option<PathBuf>,
    /// Time between two rows of the signals of a vehicle or a mechanism, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.01)]
    every: f64,
    /// Step in seconds instead of the default
    #[arg(long, value_name = "SECONDS")]
    step: Option<f64>,
    /// Duration in seconds instead of the default; a manoeuvre of a vehicle ends at its own end if
    /// that is earlier, and says so
    #[arg(long, value_name = "SECONDS")]
    duration: Option<f64>,
    /// Integrator: of a plant euler, heun, rk4, adams-bashforth-2, adams-bashforth-3; of a
    /// mechanism ab3, ab2, euler, rk4, rosenbrock
    #[arg(long, value_name = "NAME")]
    integrator: Option<String>,
    /// Write what each joint of a mechanism transmits beside its coordinates: force and moment on
    /// its second body, earth axes
    #[arg(long, requires = "out")]
    reactions: bool,
}

/// Files in the place of those that the manoeuvre and the vehicle name.
#[derive(clap::Args)]
pub struct PartsArguments {
    /// Road instead of the manoeuvre's
    #[arg(long, value_name = "NAME|FILE")]
    road: Option<String>,
    /// Tyres instead of the vehicle's
    #[arg(long, value_name = "NAME|FILE")]
    tyre: Option<String>,
    /// Powertrain instead of the vehicle's; `none` for no drive
    #[arg(long, value_name = "NAME|FILE")]
    powertrain: Option<String>,
    /// Steering system instead of the vehicle's
    #[arg(long, value_name = "NAME|FILE")]
    steering: Option<String>,
    /// Model of the air instead of the vehicle's; `none` for no air
    #[arg(long, value_name = "NAME|FILE")]
    aerodynamics: Option<String>,
}

impl PartsArguments {
    /// A manoeuvre, its vehicle and brake system if they are given, and these parts.
    pub fn choice(&self, manoeuvre: String, vehicle: Option<String>, brake: Option<String>) -> Choice {
        let Self { road, tyre, powertrain, steering, aerodynamics } = self;
        let [road, tyre, powertrain] = [road, tyre, powertrain].map(Option::clone);
        let [steering, aerodynamics] = [steering, aerodynamics].map(Option::clone);
        Choice { manoeuvre, vehicle, road, tyre, powertrain, brake, steering, aerodynamics }
    }
}

pub fn sim(arguments: &SimArguments) -> anyhow::Result<()> {
    for (name, value) in
        [("--step", arguments.step), ("--duration", arguments.duration), ("--every", Some(arguments.every))]
    {
        if let Some(value) = value
            && !(value.is_finite() && value > 0.0)
        {
            bail!("{name} {value}: expected a number of seconds above 0");
        }
    }
    let name = arguments.name.as_str();
    let ships = |kind: Kind| kind.shipped().any(|known| known == name);
    let is_file = std::path::Path::new(name).is_file();
    let is_scenario = Scenario::builtin_names().contains(&name) || (is_file && is_plant(name));
    let is_vehicle = arguments.manoeuvre.is_some() || ships(Kind::Vehicle);
    if !is_vehicle && !is_scenario && !ships(Kind::Manoeuvre) && !is_file {
        expect_mechanism(name)?;
        return mechanism::sim(arguments);
    }
    if arguments.reactions {
        bail!("--reactions: expected a mechanism; of a vehicle, give the folder of its model");
    }
    if is_scenario && !is_vehicle { simulate_plant(arguments) } else { vehicle::sim(arguments) }
}

/// What else could have been meant is not a mechanism alone.
fn expect_mechanism(name: &str) -> anyhow::Result<()> {
    let models = multibody::shipped::names();
    if models.contains(&name) || std::path::Path::new(name).is_dir() {
        return Ok(());
    }
    let files = [Kind::Vehicle, Kind::Manoeuvre].into_iter().flat_map(Kind::shipped);
    let nearest = did_you_mean(name, models.into_iter().chain(Scenario::builtin_names()).chain(files));
    bail!(
        "`{name}` is no file or folder and not shipped; expected a vehicle, a manoeuvre or a scenario \
         (`rtrd scenarios` lists them), or a mechanism (`rtrd topology`){nearest}"
    )
}

fn is_plant(path: &str) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().any(|line| line.trim_start().starts_with("[plant"))
}

/// An integrator of a plant.
fn plant_method(name: &str) -> anyhow::Result<Method> {
    name.parse::<Method>().map_err(|error| anyhow::anyhow!("--integrator {name}: {error}"))
}

fn simulate_plant(arguments: &SimArguments) -> anyhow::Result<()> {
    let scenario = scenario(arguments)?;
    let steps = scenario.step_count();
    let mut progress = Progress::of_steps(steps);
    let began = Instant::now();
    let trace = simulate(&scenario, |exchange| progress.at(exchange.step));
    let elapsed_s = began.elapsed().as_secs_f64().max(1e-9);
    drop(progress);

    let (duration_s, method) = (scenario.duration_s(), scenario.method());
    let speed = duration_s / elapsed_s;
    println!("{}: {steps} steps of {} s by {method}", scenario.name(), scenario.step_s());
    println!("{duration_s} s in {elapsed_s:.4} s: {speed:.0} times faster than real time");
    let table = SignalTable::of_trace(&trace, &arguments.signals)?;
    table.print_ends();
    println!("  plant: {}; controller: {}", trace.step_status(), trace.control_status());
    table.write(arguments.out.as_ref(), arguments.plot.as_ref())
}

fn scenario(arguments: &SimArguments) -> anyhow::Result<Scenario> {
    let mut config = service::Config::default();
    config.instance.scenario.clone_from(&arguments.name);
    let mut scenario = config.plant_scenario()?;
    if let Some(step_s) = arguments.step {
        scenario = scenario.with_step_s(step_s)?;
    }
    if let Some(duration_s) = arguments.duration {
        scenario = scenario.with_duration_s(duration_s)?;
    }
    if let Some(name) = &arguments.integrator {
        let substeps = scenario.substeps();
        scenario = scenario.with_method(plant_method(name)?, substeps);
    }
    Ok(scenario)
}
