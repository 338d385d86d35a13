//! A mechanism that moves on its own: from its initial coordinates, with driven joints at rest.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use multibody::assembly::assemble;
use multibody::{Inputs, Integrator, Method, Model, State, Workspace};
use plot::{LinePlot, Panel, Series};

use super::{Progress, SimArguments};

/// Step and duration unless asked otherwise (s).
const STEP_S: f64 = 1e-3;
const DURATION_S: f64 = 10.0;

/// A joint coordinate that is recorded.
struct Column {
    name: String,
    index: usize,
    values: Vec<f64>,
}

pub fn sim(arguments: &SimArguments) -> anyhow::Result<ExitCode> {
    let description = multibody::shipped::find(&arguments.name)?;
    let model = Model::new(&description)?;
    let method = match &arguments.integrator {
        None => Method::AdamsBashforth3,
        Some(name) => method(name)?,
    };
    let step_s = arguments.step.unwrap_or(STEP_S);
    let duration_s = arguments.duration.unwrap_or(DURATION_S);
    let (mut state, mut workspace, inputs) =
        (State::new(&model), Workspace::new(&model), Inputs::new(&model));
    assemble(&model, &mut state, &inputs, &mut workspace)?;
    let mut integrator = Integrator::new(&model, method, step_s);
    integrator.start(&model, &mut state, &inputs, &mut workspace);
    let wheels = model.description().wheels.clone();
    let steps = (duration_s / step_s).round() as u64;
    let every = (arguments.every / step_s).round().max(1.0) as u64;
    let mut columns = columns(&model);
    let (mut times_s, mut energies, mut progress) = (Vec::new(), Vec::new(), Progress::new(steps));
    let (mut violation, mut iterations) = (0.0_f64, 0_u64);
    let began = Instant::now();
    for step in 0..=steps {
        if step.is_multiple_of(every) {
            times_s.push(state.time);
            energies.push(workspace.kinetic_energy(&model) + workspace.potential_energy(&model, &state));
            for column in &mut columns {
                column.values.push(state.position[column.index]);
            }
        }
        let mut tyres = wheels.as_slice();
        let status = integrator.step(&model, &mut state, &inputs, &mut tyres, &mut workspace);
        violation = violation.max(status.violation);
        iterations += u64::from(status.iterations);
        progress.at(step);
    }
    let elapsed_s = began.elapsed().as_secs_f64().max(1e-9);
    progress.end();
    println!("{} · {}", description.name, description.summary);
    println!(
        "{duration_s} s in {elapsed_s:.4} s: {:.0} times faster than real time, {:.2} µs a step",
        duration_s / elapsed_s,
        elapsed_s * 1e6 / steps.max(1) as f64
    );
    println!(
        "  loops open by at most {violation:.1e} m, {:.3} Newton iterations a step, energy {:.6} → {:.6} J",
        iterations as f64 / steps.max(1) as f64,
        energies.first().copied().unwrap_or(f64::NAN),
        energies.last().copied().unwrap_or(f64::NAN)
    );
    if let Some(path) = &arguments.out {
        write_csv(path, &times_s, &energies, &columns)?;
    }
    if let Some(path) = &arguments.plot {
        draw(path, &description.summary, &times_s, &energies, &columns)?;
    }
    if state.position.iter().any(|value| !value.is_finite()) {
        bail!("the motion has left what numbers can say: try a smaller --step");
    }
    Ok(ExitCode::SUCCESS)
}

fn method(name: &str) -> anyhow::Result<Method> {
    let known = Method::NAMES.iter().find(|(known, _)| *known == name);
    known.map(|(_, method)| *method).with_context(|| {
        let names: Vec<&str> = Method::NAMES.iter().map(|(name, _)| *name).collect();
        format!("--integrator {name}: expected one of {}", names.join(", "))
    })
}

/// Every coordinate of a joint in the tree that has a single number.
fn columns(model: &Model) -> Vec<Column> {
    let joints = model.description().joints.iter().enumerate();
    joints
        .flat_map(|(number, joint)| {
            let coordinates = (0..joint.kind.coordinate_count()).filter_map(move |coordinate| {
                model
                    .coordinate(number, coordinate)
                    .map(|(index, _)| (coordinate, index))
            });
            coordinates.map(|(coordinate, index)| Column {
                name: format!("{}_{coordinate}", joint.name),
                index,
                values: Vec::new(),
            })
        })
        .collect()
}

fn write_csv(path: &Path, times_s: &[f64], energies: &[f64], columns: &[Column]) -> anyhow::Result<()> {
    let write = || -> std::io::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        writeln!(file, "time_s,energy_j,{}", names.join(","))?;
        for (row, (time_s, energy)) in times_s.iter().zip(energies).enumerate() {
            write!(file, "{time_s},{energy}")?;
            for column in columns {
                write!(file, ",{}", column.values[row])?;
            }
            writeln!(file)?;
        }
        file.flush()
    };
    write().with_context(|| format!("cannot write {}", path.display()))?;
    println!("wrote {} ({} rows)", path.display(), times_s.len());
    Ok(())
}

fn draw(
    path: &Path,
    title: &str,
    times_s: &[f64],
    energies: &[f64],
    columns: &[Column],
) -> anyhow::Result<()> {
    let series = |name: &str, values: &[f64]| {
        let points = times_s.iter().copied().zip(values.iter().copied());
        Series::new(name, points.collect())
    };
    let coordinates = columns
        .iter()
        .take(8)
        .map(|column| series(&column.name, &column.values));
    let panels = vec![
        Panel::new("coordinate [rad, m]", coordinates.collect()),
        Panel::new("energy [J]", vec![series("energy", energies)]),
    ];
    LinePlot::new(title, "time [s]", panels)
        .write_svg(path)
        .with_context(|| format!("cannot draw {}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}
