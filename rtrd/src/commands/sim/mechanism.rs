//! A mechanism that moves on its own: from its initial coordinates, with driven joints at rest.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use multibody::assembly::assemble;
use multibody::dynamics::Status;
use multibody::forces::Wheel;
use multibody::reaction::{Reactions, reactions};
use multibody::{Inputs, Integrator, JointKind, Method, Model, State, Workspace};
use plot::{LinePlot, Panel, Series};

use super::SimArguments;
use crate::commands::signal_table::{Column, SignalTable};
use crate::output::{self, Progress};

/// Step and duration unless asked otherwise (s).
const STEP_S: f64 = 1e-3;
const DURATION_S: f64 = 10.0;
/// A plot of more lines cannot be read.
const PLOTTED_MAX: usize = 8;

pub fn sim(arguments: &SimArguments) -> anyhow::Result<()> {
    let description = multibody::shipped::find(&arguments.name)?;
    let model = Model::new(&description)?;
    let step_s = arguments.step.unwrap_or(STEP_S);
    let duration_s = arguments.duration.unwrap_or(DURATION_S);
    let mut run = Run::new(&model, arguments, step_s)?;
    let steps = (duration_s / step_s).round() as u64;
    let every = (arguments.every / step_s).round().max(1.0) as u64;
    let mut recording = Recording::new(&model, arguments.reactions);
    let mut progress = Progress::of_steps(steps);
    let (mut violation, mut iterations) = (0.0_f64, 0_u64);
    let mut diverged = None;
    let began = Instant::now();
    for step in 0..=steps {
        if step.is_multiple_of(every) {
            recording.record(&run);
        }
        let status = run.step();
        violation = violation.max(status.violation);
        iterations += u64::from(status.iterations);
        progress.at(step);
        if let Some(name) = run.unfinite() {
            // Counted from 1, as for a vehicle.
            diverged = Some((step + 1, name));
            break;
        }
    }
    let elapsed_s = began.elapsed().as_secs_f64().max(1e-9);
    drop(progress);
    println!("{} · {}", description.name, description.summary);
    println!(
        "{duration_s} s in {elapsed_s:.4} s: {:.0} times faster than real time, {:.2} µs a step",
        duration_s / elapsed_s,
        elapsed_s * 1e6 / steps.max(1) as f64
    );
    println!(
        "  loops open by at most {violation:.1e} m, {:.3} Newton iterations a step, energy {:.6} → {:.6} J",
        iterations as f64 / steps.max(1) as f64,
        recording.energies_j().first().unwrap_or(&f64::NAN),
        recording.energies_j().last().unwrap_or(&f64::NAN)
    );
    if let Some(path) = &arguments.out {
        recording.table.write_csv(path)?;
    }
    if let Some(path) = &arguments.plot {
        recording.draw(path, &description.summary)?;
    }
    if let Some((step, name)) = diverged {
        let rows = arguments.out.as_ref().map_or(String::new(), |path| format!("; {} ends there", path.display()));
        bail!(
            "the run diverged in step {step} at {:.4} s: coordinate `{name}` is no finite number; a step of {step_s} s \
             is too long: use a smaller step (--step){rows}",
            step as f64 * step_s
        );
    }
    Ok(())
}

/// A mechanism on its way.
struct Run<'a> {
    model: &'a Model,
    state: State,
    inputs: Inputs,
    wheels: Vec<Wheel>,
    workspace: Workspace,
    integrator: Integrator,
}

impl<'a> Run<'a> {
    fn new(model: &'a Model, arguments: &SimArguments, step_s: f64) -> anyhow::Result<Self> {
        let name = arguments.integrator.as_deref();
        let method = name.map_or(Ok(Method::AdamsBashforth3), method)?;
        let (mut state, mut workspace, inputs) = (State::new(model), Workspace::new(model), Inputs::new(model));
        assemble(model, &mut state, &inputs, &mut workspace)?;
        let mut integrator = Integrator::new(model, method, step_s);
        integrator.start(model, &mut state, &inputs, &mut workspace);
        Ok(Self { wheels: model.description().wheels.clone(), model, state, inputs, workspace, integrator })
    }

    fn step(&mut self) -> Status {
        let (state, inputs, workspace) = (&mut self.state, &self.inputs, &mut self.workspace);
        let tyres = &mut self.wheels.as_slice();
        self.integrator.step(self.model, state, inputs, tyres, workspace)
    }

    /// The first coordinate that is no finite number.
    fn unfinite(&self) -> Option<String> {
        let first = |numbers: &[f64]| numbers.iter().position(|number| !number.is_finite());
        let velocity = first(&self.state.velocity).map(|at| self.model.velocity_names().swap_remove(at));
        velocity.or_else(|| first(&self.state.position).map(|at| self.model.position_names().swap_remove(at)))
    }

    fn energy_j(&self) -> f64 {
        self.workspace.kinetic_energy(self.model) + self.workspace.potential_energy(self.model, &self.state)
    }
}

fn method(name: &str) -> anyhow::Result<Method> {
    let known = Method::NAMES.iter().find(|(known, _)| *known == name);
    known.map(|(_, method)| *method).with_context(|| {
        let names: Vec<&str> = Method::NAMES.iter().map(|(name, _)| *name).collect();
        format!("--integrator {name}: expected one of {}", names.join(", "))
    })
}

/// Every coordinate of a joint in the tree that has a single number, with its place in the state.
fn coordinates(model: &Model) -> Vec<(String, usize)> {
    let joints = model.description().joints.iter().enumerate();
    joints
        .flat_map(|(number, joint)| {
            let coordinates = 0..joint.kind.coordinate_count();
            coordinates.filter_map(move |which| {
                let (index, _) = model.coordinate(number, which)?;
                Some((format!("{}_{which}", joint.name), index))
            })
        })
        .collect()
}

/// What is recorded: energy, coordinates, and the reactions if they are wanted.
struct Recording {
    table: SignalTable,
    /// Places of the coordinates in the state.
    places: Vec<usize>,
    reactions: bool,
}

impl Recording {
    fn new(model: &Model, reactions: bool) -> Self {
        let (mut names, places): (Vec<String>, Vec<usize>) = coordinates(model).into_iter().unzip();
        names.insert(0, "energy_j".to_owned());
        if reactions {
            names.extend(reaction_names(model));
        }
        Self { table: SignalTable::of_columns(&model.description().summary, names), places, reactions }
    }

    fn record(&mut self, run: &Run<'_>) {
        let mut row = vec![run.energy_j()];
        row.extend(self.places.iter().map(|place| run.state.position[*place]));
        if self.reactions {
            row.extend(reaction_values(run.model, &run.state, &run.inputs, &run.wheels, &run.workspace));
        }
        self.table.push_row(run.state.time, &row);
    }

    fn energies_j(&self) -> &[f64] {
        &self.table.columns[0].values
    }

    fn draw(&self, path: &Path, title: &str) -> anyhow::Result<()> {
        let series = |column: &Column| {
            let points = self.table.times_s.iter().copied().zip(column.values.iter().copied());
            Series::new(&column.name, points.collect())
        };
        let [energy, coordinates @ ..] = self.table.columns.as_slice() else { return Ok(()) };
        let shown = coordinates.iter().take(self.places.len().min(PLOTTED_MAX));
        let panels = vec![
            Panel::new("coordinate [rad, m]", shown.map(series).collect()),
            Panel::new("energy [J]", vec![series(energy)]),
        ];
        let plot = LinePlot::new(title, "time [s]", panels);
        plot.write_svg(path).with_context(|| format!("cannot draw {}", path.display()))?;
        output::say_wrote(path, "");
        Ok(())
    }
}

/// What joints transmit: force on the second body and moment about the joint's point on it, earth
/// axes.
const PARTS: [&str; 6] = ["force_x_n", "force_y_n", "force_z_n", "moment_x_nm", "moment_y_nm", "moment_z_nm"];

/// The joints that transmit something.
fn joints(model: &Model) -> impl Iterator<Item = (usize, &multibody::Joint)> {
    let joints = model.description().joints.iter().enumerate();
    joints.filter(|(_, joint)| joint.kind != JointKind::Free)
}

/// Names of the columns: six for each joint, then one for each driven coordinate.
fn reaction_names(model: &Model) -> Vec<String> {
    let parts = joints(model).flat_map(|(_, joint)| PARTS.map(|part| format!("{}_{part}", joint.name)));
    let drives = model.driven().iter().flat_map(|driven| {
        let name = &model.description().joints[driven.joint].name;
        (0..driven.coordinates.len()).map(move |which| format!("{name}_{which}_drive"))
    });
    parts.chain(drives).collect()
}

/// Values of the columns. The run goes on from its own state and workspace: these are copies.
fn reaction_values(model: &Model, state: &State, inputs: &Inputs, wheels: &[Wheel], workspace: &Workspace) -> Vec<f64> {
    let (mut state, mut workspace, mut tyres) = (state.clone(), workspace.clone(), wheels);
    let found = reactions(model, &mut state, inputs, &mut tyres, &mut workspace);
    let mut values: Vec<f64> =
        joints(model).flat_map(|(number, joint)| of_joint(model, &workspace, &found, number, joint)).collect();
    values.extend(&found.driven);
    values
}

fn of_joint(
    model: &Model,
    workspace: &Workspace,
    found: &Reactions,
    number: usize,
    joint: &multibody::Joint,
) -> [f64; 6] {
    let Some(wrench) = found.of_joint(model, number) else {
        return [f64::NAN; 6];
    };
    let point = workspace.position(model, joint.bodies[1], joint.second_point);
    let (force, moment) = found.about(&wrench, point);
    let ([a, b, c], [d, e, f]) = (force.to_array(), moment.to_array());
    [a, b, c, d, e, f]
}
