//! `rtrd linearise`: the matrices of small motions, for control engineers.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use multibody::linear::{Linear, linearise as matrices};
use multibody::{BodyId, Model, State, Workspace};
use serde_json::json;

use super::equilibrium::Rest;

/// Linearise a mechanism about its equilibrium: A, B, C, D and the natural frequencies
///
/// States are small motions of the independent coordinates, then their rates. Inputs are the
/// actuators, then position, velocity and acceleration of each driven coordinate. Outputs are x, y,
/// z of the centres of gravity that --output names.
#[derive(clap::Args)]
pub struct LineariseArguments {
    /// A folder with topology.toml and parameters.toml, or the name of a shipped model (`rtrd
    /// topology` lists them)
    model: String,
    /// Linearise about the assembled initial state instead of the equilibrium
    #[arg(long)]
    start: bool,
    /// A body whose centre of gravity is an output; may be given several times [default: the base,
    /// else the first]
    #[arg(long, value_name = "BODY")]
    output: Vec<String>,
    /// Write the matrices (CSV: matrix, row, column, value)
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write matrices, names and eigenvalues (JSON)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub fn linearise(arguments: &LineariseArguments) -> anyhow::Result<ExitCode> {
    let mut rest = Rest::new(&arguments.model, !arguments.start)?;
    let bodies = outputs(&rest.model, &arguments.output)?;
    let model = &rest.model;
    let wheels = model.description().wheels.clone();
    let read = |workspace: &Workspace, _: &State| {
        let place = |id: &BodyId| workspace.position(model, *id, model.description().bodies[id.0].centre);
        bodies.iter().flat_map(|id| place(id).to_array()).collect::<Vec<f64>>()
    };
    let linear =
        matrices(model, &rest.state, &rest.inputs, &mut wheels.as_slice(), read, &mut rest.workspace);
    print!("{}", summary(model, &linear));
    if let Some(path) = &arguments.csv {
        write(path, &as_csv(&linear))?;
    }
    if let Some(path) = &arguments.json {
        write(path, &format!("{:#}\n", as_json(model, &linear, &bodies)))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn outputs(model: &Model, names: &[String]) -> anyhow::Result<Vec<BodyId>> {
    let description = model.description();
    if names.is_empty() {
        let base = model.plan().base;
        return Ok(vec![if base == BodyId::GROUND { BodyId(1) } else { base }]);
    }
    let find = |name: &String| {
        let found = description.body(name).filter(|id| *id != BodyId::GROUND);
        found.with_context(|| {
            let known: Vec<&str> = description.bodies[1..].iter().map(|it| it.name.as_str()).collect();
            format!("--output {name}: no such body; expected one of {}", known.join(", "))
        })
    };
    names.iter().map(find).collect()
}

fn summary(model: &Model, linear: &Linear) -> String {
    let (states, inputs, outputs) = (linear.a.nrows(), linear.b.ncols(), linear.c.nrows());
    let mut text =
        format!("{}: {states} states, {inputs} inputs, {outputs} outputs\n", model.description().name);
    let Some(modes) = linear.modes() else {
        return text + "the eigenvalues could not be found\n";
    };
    text += "\n      real 1/s    imaginary rad/s   frequency Hz   damping\n";
    for mode in modes {
        let _ = writeln!(
            text,
            "{:>14.5} {:>18.5} {:>14.5} {:>9.4}",
            mode.real,
            mode.imaginary,
            mode.natural_frequency_hz(),
            mode.damping_ratio()
        );
    }
    text
}

/// Names of the states: the velocity coordinates of the tree that are independent.
fn state_names(model: &Model, linear: &Linear) -> Vec<String> {
    let name = |velocity: &usize| {
        let joints = 0..model.description().joints.len();
        let coordinates = joints.flat_map(|joint| (0..6).map(move |which| (joint, which)));
        let found = coordinates
            .filter_map(|(joint, which)| Some((joint, which, model.coordinate(joint, which)?.1)))
            .find(|(_, _, index)| index == velocity);
        found.map_or_else(
            || format!("coordinate {velocity}"),
            |(joint, which, _)| format!("{}[{which}]", model.description().joints[joint].name),
        )
    };
    let motions: Vec<String> = linear.independent.iter().map(name).collect();
    let rates: Vec<String> = motions.iter().map(|name| format!("d/dt {name}")).collect();
    [motions, rates].concat()
}

fn input_names(model: &Model) -> Vec<String> {
    let description = model.description();
    let lines = description.tsda.iter().filter(|it| it.actuator).map(|it| it.name.clone());
    let joints = description.rsda.iter().filter(|it| it.actuator).map(|it| it.name.clone());
    let points = description.point_forces.iter().filter(|it| it.actuator).map(|it| it.name.clone());
    let driven = model.driven().iter().flat_map(|driven| {
        let name = &description.joints[driven.joint].name;
        (0..driven.coordinates.len()).flat_map(move |which| {
            ["position", "velocity", "acceleration"].map(|part| format!("{name}[{which}] {part}"))
        })
    });
    lines.chain(joints).chain(points).chain(driven).collect()
}

fn as_csv(linear: &Linear) -> String {
    let mut text = String::from("matrix,row,column,value\n");
    for (name, matrix) in [("A", &linear.a), ("B", &linear.b), ("C", &linear.c), ("D", &linear.d)] {
        for row in 0..matrix.nrows() {
            for column in 0..matrix.ncols() {
                let _ = writeln!(text, "{name},{},{},{:e}", row + 1, column + 1, matrix[(row, column)]);
            }
        }
    }
    text
}

fn as_json(model: &Model, linear: &Linear, bodies: &[BodyId]) -> serde_json::Value {
    let rows = |matrix: &nalgebra::DMatrix<f64>| {
        let row = |index: usize| matrix.row(index).iter().copied().collect::<Vec<f64>>();
        (0..matrix.nrows()).map(row).collect::<Vec<_>>()
    };
    let names = bodies.iter().flat_map(|id| {
        let body = &model.description().bodies[id.0].name;
        ["x_m", "y_m", "z_m"].map(|axis| format!("{body} {axis}"))
    });
    let modes = linear.modes().unwrap_or_default().into_iter().map(|mode| {
        json!({
            "real": mode.real,
            "imaginary": mode.imaginary,
            "frequency_hz": mode.natural_frequency_hz(),
            "damping_ratio": mode.damping_ratio(),
        })
    });
    json!({
        "model": model.description().name,
        "states": state_names(model, linear),
        "inputs": input_names(model),
        "outputs": names.collect::<Vec<_>>(),
        "a": rows(&linear.a),
        "b": rows(&linear.b),
        "c": rows(&linear.c),
        "d": rows(&linear.d),
        "modes": modes.collect::<Vec<_>>(),
    })
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    eprintln!("wrote {}", path.display());
    Ok(())
}
