//! `rtrd linearise`: the matrices of small motions, for control engineers.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Context;
use multibody::linear::{Linear, Mode, linearise as matrices};
use multibody::{BodyId, Model, State, Workspace};
use nalgebra::DMatrix;
use serde_json::json;

use super::equilibrium::Rest;
use crate::output;

/// Linearise a mechanism about its equilibrium: A, B, C, D, natural frequencies and modes
///
/// A mode is named by the coordinates that take part in it most. States are small motions of the
/// independent coordinates, then their rates. Inputs are the actuators, then position, velocity and
/// acceleration of each driven coordinate. Outputs are x, y, z of the centres of gravity that
/// --output names.
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
    /// Write the matrices: as CSV with matrix, row, column and value, or as JSON with the names of
    /// states, inputs and outputs and the modes as well
    #[arg(short, long, value_name = "FILE.csv|FILE.json", value_parser = table_file)]
    out: Option<PathBuf>,
}

pub fn linearise(arguments: &LineariseArguments) -> anyhow::Result<()> {
    let mut rest = Rest::new(&arguments.model, !arguments.start)?;
    let bodies = outputs(&rest.model, &arguments.output)?;
    let model = &rest.model;
    let wheels = model.description().wheels.clone();
    let read = |workspace: &Workspace, _: &State| {
        let place = |id: &BodyId| workspace.position(model, *id, model.description().bodies[id.0].centre);
        bodies.iter().flat_map(|id| place(id).to_array()).collect::<Vec<f64>>()
    };
    let linear = matrices(model, &rest.state, &rest.inputs, &mut wheels.as_slice(), read, &mut rest.workspace);
    print!("{}", summary(model, &linear));
    if let Some(path) = &arguments.out {
        let is_json = path.extension().is_some_and(|ending| ending == "json");
        let text = if is_json { format!("{:#}\n", as_json(model, &linear, &bodies)) } else { as_csv(&linear) };
        output::write(path, text)?;
    }
    Ok(())
}

fn table_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let known = path.extension().is_some_and(|ending| ending == "csv" || ending == "json");
    if known { Ok(path) } else { Err("expected a name that ends in .csv or .json".to_owned()) }
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
    let name = &model.description().name;
    let mut text = format!("{name}: {states} states, {inputs} inputs, {outputs} outputs\n");
    for (name, matrix) in matrices_of(linear) {
        text += &matrix_text(name, matrix);
    }
    match linear.modes() {
        Some(modes) => text + &modes_text(&modes, &motion_names(model, linear), &linear.ignorable()),
        None => text + "the eigenvalues could not be found\n",
    }
}

/// Rows and columns that a terminal has room for.
const SHOWN_MAX: (usize, usize) = (24, 12);

fn matrix_text(name: &str, matrix: &DMatrix<f64>) -> String {
    let size = format!("{} × {}", matrix.nrows(), matrix.ncols());
    if matrix.is_empty() || matrix.nrows() > SHOWN_MAX.0 || matrix.ncols() > SHOWN_MAX.1 {
        let where_it_is = if matrix.is_empty() { "" } else { ": `--out FILE.csv` writes it" };
        return format!("\n{name}: {size}{where_it_is}\n");
    }
    let mut text = format!("\n{name}: {size}\n");
    for row in matrix.row_iter() {
        let cells: Vec<String> = row.iter().map(|value| format!("{:>12}", cell(*value))).collect();
        let _ = writeln!(text, "{}", cells.join(" "));
    }
    text
}

/// Differences leave some 1e-9 of a zero.
fn cell(value: f64) -> String {
    match value.abs() {
        ..1e-9 => "0".to_owned(),
        ..1e-3 => format!("{value:.3e}"),
        _ => format!("{value:.5}"),
    }
}

fn modes_text(modes: &[Mode], names: &[String], ignorable: &[usize]) -> String {
    let mut text = String::new();
    let rigid = modes.iter().filter(|mode| mode.is_rigid()).count();
    if rigid > 0 {
        let free: Vec<&str> = ignorable.iter().map(|index| names[*index].as_str()).collect();
        let free = if free.is_empty() { String::new() } else { format!("; nothing holds {}", free.join(", ")) };
        let _ = writeln!(text, "\n{rigid} rigid motions without frequency and damping{free}");
    }
    text += "\n      real 1/s    imaginary rad/s   frequency Hz   damping   motion\n";
    for mode in modes.iter().filter(|mode| !mode.is_rigid()) {
        let _ = writeln!(
            text,
            "{:>14.5} {:>18.5} {:>14.5} {:>9.4}   {}",
            mode.real,
            mode.imaginary,
            mode.natural_frequency_hz(),
            mode.damping_ratio().unwrap_or_default(),
            mode_name(mode, names)
        );
    }
    text
}

/// The coordinates that make most of a mode, with their shares.
fn mode_name(mode: &Mode, names: &[String]) -> String {
    let mut shares: Vec<(f64, &String)> = mode.participations.iter().copied().zip(names).collect();
    shares.sort_by(|one, other| other.0.total_cmp(&one.0));
    let main = shares.iter().take(3).filter(|(share, _)| *share >= 0.1);
    main.map(|(share, name)| format!("{name} {:.0} %", 100.0 * share)).collect::<Vec<_>>().join(", ")
}

fn matrices_of(linear: &Linear) -> [(&'static str, &DMatrix<f64>); 4] {
    [("A", &linear.a), ("B", &linear.b), ("C", &linear.c), ("D", &linear.d)]
}

/// The independent motions in words: `arm`, `chassis yaw`.
fn motion_names(model: &Model, linear: &Linear) -> Vec<String> {
    let names = model.velocity_names();
    let words = |index: &usize| {
        let name = &names[*index];
        let stem = name.strip_suffix("_rad_s").or_else(|| name.strip_suffix("_m_s"));
        stem.unwrap_or(name).replace('_', " ")
    };
    linear.independent.iter().map(words).collect()
}

/// Motions, then rates: `chassis_z_m`, `chassis_z_m_s`.
fn state_names(model: &Model, linear: &Linear) -> Vec<String> {
    let names = model.velocity_names();
    let rates = linear.independent.iter().map(|index| names[*index].clone());
    let motions = rates.clone().map(|rate| rate.trim_end_matches("_s").to_owned());
    motions.chain(rates).collect()
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
    for (name, matrix) in matrices_of(linear) {
        for row in 0..matrix.nrows() {
            for column in 0..matrix.ncols() {
                let _ = writeln!(text, "{name},{},{},{:e}", row + 1, column + 1, matrix[(row, column)]);
            }
        }
    }
    text
}

fn as_json(model: &Model, linear: &Linear, bodies: &[BodyId]) -> serde_json::Value {
    let rows = |matrix: &DMatrix<f64>| {
        let row = |index: usize| matrix.row(index).iter().copied().collect::<Vec<f64>>();
        (0..matrix.nrows()).map(row).collect::<Vec<_>>()
    };
    let names = bodies.iter().flat_map(|id| {
        let body = &model.description().bodies[id.0].name;
        ["x_m", "y_m", "z_m"].map(|axis| format!("{body} {axis}"))
    });
    let motions = motion_names(model, linear);
    let modes = linear.modes().unwrap_or_default().into_iter().map(|mode| {
        json!({
            "motion": if mode.is_rigid() { String::new() } else { mode_name(&mode, &motions) },
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
