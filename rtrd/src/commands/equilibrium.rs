//! `rtrd equilibrium`: a mechanism at rest.

use std::fmt::Write;

use multibody::assembly::{assemble, equilibrium as find_rest, instability};
use multibody::dynamics::evaluate;
use multibody::rest::{AtRest, at_rest};
use multibody::{Inputs, Model, State, Workspace, shipped};
use serde_json::json;

/// Find the static equilibrium of a mechanism: a vehicle at rest on its wheels
///
/// Loops are closed first, driven joints stay where the files put them.
#[derive(clap::Args)]
pub struct EquilibriumArguments {
    /// A folder with topology.toml and parameters.toml, or the name of a shipped model (`rtrd
    /// topology` lists them)
    model: String,
    /// Print all that was found as JSON, for programs
    #[arg(long)]
    json: bool,
}

/// A mechanism at rest, ready for more.
pub struct Rest {
    pub model: Model,
    pub state: State,
    pub inputs: Inputs,
    pub workspace: Workspace,
    /// Newton iterations of the search.
    pub iterations: u32,
}

impl Rest {
    /// Reads, assembles and, if wanted, moves to rest.
    pub fn new(name: &str, at_rest: bool) -> anyhow::Result<Self> {
        let model = Model::new(&shipped::find(name)?)?;
        let (mut state, mut workspace, mut inputs) = (State::new(&model), Workspace::new(&model), Inputs::new(&model));
        let wheels = model.description().wheels.clone();
        let iterations = if at_rest {
            inputs.driven.iter_mut().for_each(|drive| (drive[1], drive[2]) = (0.0, 0.0));
            find_rest(&model, &mut state, &inputs, &mut wheels.as_slice(), &mut workspace)?
        } else {
            assemble(&model, &mut state, &inputs, &mut workspace)?
        };
        evaluate(&model, &mut state, &inputs, &mut wheels.as_slice(), &mut workspace);
        Ok(Self { model, state, inputs, workspace, iterations })
    }
}

pub fn equilibrium(arguments: &EquilibriumArguments) -> anyhow::Result<()> {
    let mut rest = Rest::new(&arguments.model, true)?;
    let wheels = rest.model.description().wheels.clone();
    let found = at_rest(&rest.model, &rest.state, &mut wheels.as_slice(), &rest.workspace);
    let growth = instability(&rest.model, &rest.state, &rest.inputs, &mut wheels.as_slice(), &mut rest.workspace);
    // Differences leave this much of a direction that nothing holds.
    let unstable = growth.is_some_and(|growth| growth > 0.01);
    if arguments.json {
        println!("{:#}", as_json(&rest, &found, unstable));
    } else {
        print!("{}", as_text(&rest, &found, unstable));
    }
    Ok(())
}

fn as_json(rest: &Rest, found: &AtRest, unstable: bool) -> serde_json::Value {
    let poses = found.poses.iter().map(
        |it| json!({"body": it.name, "origin_m": it.origin_m.to_array(), "roll_pitch_yaw_rad": it.roll_pitch_yaw_rad}),
    );
    let wheels = found.wheels.iter().map(
        |it| json!({"wheel": it.name, "load_n": it.load_n, "height_m": it.height_m, "deflection_m": it.deflection_m}),
    );
    let springs =
        found.springs.iter().map(|it| json!({"spring": it.name, "length_m": it.length_m, "force_n": it.force_n}));
    let coordinates = found.coordinates.iter().map(|(joint, values)| json!({"joint": joint, "coordinates": values}));
    json!({
        "model": rest.model.description().name,
        "iterations": rest.iterations,
        "residual_acceleration": found.residual,
        "violation_m": rest.workspace.violation_max(),
        "stable": !unstable,
        "poses": poses.collect::<Vec<_>>(),
        "wheels": wheels.collect::<Vec<_>>(),
        "springs": springs.collect::<Vec<_>>(),
        "coordinates": coordinates.collect::<Vec<_>>(),
    })
}

fn as_text(rest: &Rest, found: &AtRest, unstable: bool) -> String {
    let mut text = format!("{}: at rest after {} iterations\n", rest.model.description().name, rest.iterations);
    let _ = writeln!(
        text,
        "residual {:.1e} m/s² or rad/s², loops closed to {:.1e} m{}",
        found.residual,
        rest.workspace.violation_max(),
        if unstable { "; UNSTABLE: a small displacement grows" } else { "" }
    );
    text += "\nbody                        x m        y m        z m   roll °  pitch °    yaw °\n";
    for it in &found.poses {
        let (at, [roll, pitch, yaw]) = (it.origin_m, it.roll_pitch_yaw_rad.map(f64::to_degrees));
        let _ = writeln!(
            text,
            "{:20} {:>10.5} {:>10.5} {:>10.5} {roll:>8.4} {pitch:>8.4} {yaw:>8.4}",
            it.name, at.x, at.y, at.z
        );
    }
    if !found.wheels.is_empty() {
        text += "\nwheel                    load N   height m   pressed in mm\n";
        for it in &found.wheels {
            let (name, pressed) = (&it.name, 1000.0 * it.deflection_m);
            let _ = writeln!(text, "{name:20} {:>10.3} {:>10.5} {pressed:>15.3}", it.load_n, it.height_m);
        }
        let sum: f64 = found.wheels.iter().map(|it| it.load_n).sum();
        let _ = writeln!(text, "{:20} {sum:>10.3}", "sum");
    }
    if !found.springs.is_empty() {
        text += "\nspring                 length m    tension N\n";
        for it in &found.springs {
            let _ = writeln!(text, "{:20} {:>10.5} {:>12.3}", it.name, it.length_m, it.force_n);
        }
    }
    text
}
