//! `rtrd sim`: a scenario without processes and clocks, as fast as the machine goes.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use plant::{Method, Scenario, simulate};

use super::trace_files;

/// Simulate a scenario offline, faster than real time
///
/// The same models and the same order of events as in a live run, without processes and clocks.
#[derive(clap::Args)]
pub struct SimArguments {
    /// The name of a shipped scenario (`rtrd scenarios` lists them) or the path of a file
    scenario: String,
    /// Write the signals (CSV)
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write a plot (SVG)
    #[arg(short, long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Step in seconds instead of the scenario's
    #[arg(long, value_name = "SECONDS")]
    step: Option<f64>,
    /// Duration in seconds instead of the scenario's
    #[arg(long, value_name = "SECONDS")]
    duration: Option<f64>,
    /// Integrator instead of the scenario's: euler, heun, rk4, adams-bashforth-2, adams-bashforth-3
    #[arg(long, value_name = "NAME")]
    integrator: Option<Method>,
}

pub fn sim(arguments: &SimArguments) -> anyhow::Result<ExitCode> {
    let scenario = scenario(arguments)?;
    let steps = scenario.step_count();
    let mut progress = Progress::new(steps);
    let began = Instant::now();
    let trace = simulate(&scenario, |exchange| progress.at(exchange.step));
    let elapsed_s = began.elapsed().as_secs_f64().max(1e-9);
    progress.end();

    let (duration_s, method) = (scenario.duration_s(), scenario.method());
    let speed = duration_s / elapsed_s;
    println!(
        "{}: {steps} steps of {} s by {method}",
        scenario.name(),
        scenario.step_s()
    );
    println!("{duration_s} s in {elapsed_s:.4} s: {speed:.0} times faster than real time");
    for column in trace.columns() {
        let (first, last) = (column.values.first().copied(), column.values.last().copied());
        let (first, last) = (first.unwrap_or(f64::NAN), last.unwrap_or(f64::NAN));
        println!(
            "  {:6} {:24} {first:>12.4} → {last:>12.4}",
            column.kind.prefix(),
            column.port.name
        );
    }
    println!(
        "  plant: {}; controller: {}",
        trace.step_status(),
        trace.control_status()
    );
    if let Some(path) = &arguments.out {
        trace_files::write_csv(&trace, path)?;
    }
    if let Some(path) = &arguments.plot {
        trace_files::write_plot(&trace, path)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn scenario(arguments: &SimArguments) -> anyhow::Result<Scenario> {
    let mut config = service::Config::default();
    config.instance.scenario.clone_from(&arguments.scenario);
    let mut scenario = config.plant_scenario()?;
    if let Some(step_s) = arguments.step {
        scenario = scenario.with_step_s(step_s)?;
    }
    if let Some(duration_s) = arguments.duration {
        scenario = scenario.with_duration_s(duration_s)?;
    }
    if let Some(method) = arguments.integrator {
        let substeps = scenario.substeps();
        scenario = scenario.with_method(method, substeps);
    }
    Ok(scenario)
}

/// A bar on the terminal for work that takes long enough to wonder.
struct Progress {
    steps: u64,
    every: u64,
    shown: bool,
    began: Instant,
}

impl Progress {
    fn new(steps: u64) -> Self {
        Self {
            steps,
            every: (steps / 100).max(1),
            shown: false,
            began: Instant::now(),
        }
    }

    fn at(&mut self, step: u64) {
        let worth_it = self.began.elapsed().as_millis() > 300 && std::io::stderr().is_terminal();
        if step.is_multiple_of(self.every) && worth_it {
            let percent = 100 * step / self.steps.max(1);
            let done = "█".repeat(percent as usize / 4);
            eprint!("\r{done:25} {percent:3} %");
            let _ = std::io::stderr().flush();
            self.shown = true;
        }
    }

    fn end(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}
