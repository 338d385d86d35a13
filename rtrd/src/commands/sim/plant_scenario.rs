//! A scenario of a plant.

use std::process::ExitCode;
use std::time::Instant;

use plant::{Scenario, simulate};

use super::{SimArguments, plant_method};
use crate::commands::signal_table::SignalTable;
use crate::output::Progress;

pub fn sim(arguments: &SimArguments) -> anyhow::Result<ExitCode> {
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
    if let Some(path) = &arguments.out {
        table.write_csv(path)?;
    }
    if let Some(path) = &arguments.plot {
        table.write_plot(path)?;
    }
    Ok(ExitCode::SUCCESS)
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
