//! A vehicle in a manoeuvre.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use plant::simulation::Exchange;
use plant::{ControlStatus, StepStatus, Trace};
use service::Job;
use service::vehicle::signals;
use vehicle::assembly::{Choice, Setup};
use vehicle::library::Kind;
use vehicle::simulation::Simulation;

use super::{Progress, SimArguments};
use crate::commands::trace_files;

/// Step unless asked otherwise (s).
const STEP_S: f64 = 1e-3;
/// A manoeuvre without an end is left after so long (s).
const ENDLESS_S: f64 = 60.0;
/// The manoeuvre of a vehicle that is named alone.
const DEFAULT_MANOEUVRE: &str = "drive-default";

pub fn sim(arguments: &SimArguments) -> anyhow::Result<ExitCode> {
    if let Some(name) = &arguments.integrator
        && name != "ab3"
    {
        bail!("--integrator {name}: a vehicle that meets its subsystems once a step is stepped by ab3");
    }
    let step_s = arguments.step.unwrap_or(STEP_S);
    let job = Job::Vehicle(Box::new(Setup::read(&choice(arguments), step_s)?));
    let Job::Vehicle(setup) = &job else { unreachable!("just made") };
    let mut simulation = Simulation::new(setup)?;
    let longest_s = arguments.duration.or(setup.manoeuvre.duration_s).unwrap_or(ENDLESS_S);
    let steps = (longest_s / step_s).ceil() as u64;
    let every = (arguments.every / step_s).round().max(1.0) as u64;
    let (mut trace, mut progress) = (job.trace(), Progress::new(steps));
    let began = Instant::now();
    while simulation.steps() < steps && !simulation.has_finished() {
        simulation.step();
        if simulation.steps().is_multiple_of(every) {
            record(&simulation, &mut trace);
        }
        progress.at(simulation.steps());
    }
    let elapsed_s = began.elapsed().as_secs_f64().max(1e-9);
    progress.end();
    report(&job, &simulation, &trace, elapsed_s);
    write(arguments, &trace)?;
    if simulation.motion().position_m.is_finite() {
        Ok(ExitCode::SUCCESS)
    } else {
        bail!("the motion has left what numbers can say: try a smaller --step")
    }
}

/// MODEL is the vehicle when a manoeuvre is given; otherwise it is whichever of both it names.
fn choice(arguments: &SimArguments) -> Choice {
    let name = arguments.name.clone();
    let is_vehicle = Kind::Vehicle.shipped().any(|known| known == name);
    let (vehicle, manoeuvre) = match &arguments.manoeuvre {
        Some(manoeuvre) => (Some(name), manoeuvre.clone()),
        None if is_vehicle => (Some(name), DEFAULT_MANOEUVRE.to_owned()),
        None => (None, name),
    };
    Choice {
        manoeuvre,
        vehicle,
        road: arguments.road.clone(),
        tyre: arguments.tyre.clone(),
        powertrain: arguments.powertrain.clone(),
        brake: arguments.brake.clone(),
        steering: arguments.steering.clone(),
        aerodynamics: arguments.aerodynamics.clone(),
    }
}

fn record(simulation: &Simulation, trace: &mut Trace) {
    let subsystems = simulation.subsystems();
    trace.push(&Exchange {
        step: simulation.steps(),
        time_s: simulation.motion().time_s,
        demands: &signals::demands(&subsystems.state().input),
        inputs: &signals::inputs(subsystems.state(), subsystems.response()),
        outputs: &signals::outputs(simulation.motion()),
        step_status: StepStatus::OK,
        control_status: ControlStatus::OK,
    });
}

fn report(job: &Job, simulation: &Simulation, trace: &Trace, elapsed_s: f64) {
    let (steps, time_s) = (simulation.steps(), simulation.motion().time_s);
    println!("{} · {}", job.name(), job.summary());
    println!(
        "{time_s:.3} s in {elapsed_s:.3} s: {:.0} times faster than real time, {:.2} µs a step",
        time_s / elapsed_s,
        elapsed_s * 1e6 / steps.max(1) as f64
    );
    trace_files::print_ends(trace);
    println!(
        "  loops open by at most {:.1e} m, {:.3} Newton iterations a step",
        simulation.violation_max(),
        simulation.iterations() as f64 / steps.max(1) as f64
    );
    let outside = simulation.subsystems().state().loads_outside;
    if outside > 0 {
        println!("  tyres carried loads for which their files were not fitted in {outside} wheel-steps");
    }
}

fn write(arguments: &SimArguments, trace: &Trace) -> anyhow::Result<()> {
    if let Some(path) = &arguments.out {
        trace_files::write_csv(trace, path)?;
    }
    if let Some(path) = &arguments.plot {
        trace_files::write_plot(trace, path)?;
    }
    if let Some(path) = &arguments.trajectory {
        trace_files::write_path(trace, path)?;
    }
    Ok(())
}
