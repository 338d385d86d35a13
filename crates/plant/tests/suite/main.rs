//! The tests of the crate; that a step allocates nothing has a program of its own.

mod any_text;
mod closed_forms;
mod controllers;
mod integrators;
mod plants;
mod reference;
mod scenarios;
mod simulation;
mod systems;

use plant::{Method, Plant, PlantKind, Scenario, description};

/// A plant with some other parameters and initial values.
fn build(kind: PlantKind, changed: &[(&str, f64)], initial: &[(&str, f64)], method: Method) -> Box<dyn Plant> {
    let mut parameters = kind.parameters();
    for (name, value) in changed {
        description::set(&mut parameters, "a parameter", name, *value).expect("a valid parameter");
    }
    let initial: Vec<(String, f64)> = initial.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    kind.build(&parameters, &initial, method, 1).expect("a valid plant")
}

fn outputs(plant: &dyn Plant) -> Vec<f64> {
    let mut outputs = vec![f64::NAN; plant.description().outputs.len()];
    plant.outputs(&mut outputs);
    outputs
}

fn shipped(name: &str) -> Scenario {
    Scenario::builtin(name).expect("a shipped scenario")
}
