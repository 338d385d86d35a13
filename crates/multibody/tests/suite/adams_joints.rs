//! Single-joint mechanisms against MSC ADAMS: position, orientation, velocities, accelerations and
//! reactions over 5 s.

use crate::support::{matrix, number, numbers, reference, vector};
use multibody::forces::NoTyres;
use multibody::math::{Matrix3, Quaternion, Vector3};
use multibody::reaction::reactions;
use multibody::{BodyId, Inputs, Integrator, Method, Model, State, Workspace};
use serde_json::Value;
use std::path::Path;

const STEPS_BETWEEN_SAMPLES: usize = 500;

struct Bench {
    model: Model,
    state: State,
    workspace: Workspace,
    inputs: Inputs,
}

fn bench(name: &str) -> Bench {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let model = Model::new(&multibody::files::read_folder(&folder).expect("reads")).expect("a model");
    Bench { state: State::new(&model), workspace: Workspace::new(&model), inputs: Inputs::new(&model), model }
}

/// Distance of two rotations as the angle between them.
fn angle(ours: &Matrix3, theirs: Quaternion) -> f64 {
    let theirs = theirs.normalised().to_matrix();
    let columns = ours.columns.iter().zip(theirs.columns);
    columns.map(|(a, b)| (*a - b).norm()).fold(0.0, f64::max)
}

fn compare(case: &Value, sample: usize, field: &str, ours: Vector3) {
    let theirs = vector(&case["samples"][field][sample]);
    let tolerance = number(&case["tolerance"][field]);
    let error = (ours - theirs).norm();
    assert!(error <= tolerance, "{} {field} at sample {sample}: {ours:?} {theirs:?}", case["name"]);
}

fn check_sample(bench: &mut Bench, case: &Value, sample: usize) {
    let (model, id) = (&bench.model, BodyId(1));
    let found = reactions(model, &mut bench.state, &bench.inputs, &mut NoTyres, &mut bench.workspace);
    multibody::dynamics::evaluate(model, &mut bench.state, &bench.inputs, &mut NoTyres, &mut bench.workspace);
    let workspace = &bench.workspace;
    let centre = model.description().bodies[1].centre;
    compare(case, sample, "position", workspace.position(model, id, centre));
    compare(case, sample, "velocity", workspace.point_velocity(model, id, centre));
    compare(case, sample, "acceleration", workspace.point_acceleration(model, id, centre));
    compare(case, sample, "angular_velocity", workspace.body_velocity(model, id).angular);
    let angular = workspace.body_acceleration(model, model.slot(id)).angular;
    compare(case, sample, "angular_acceleration", angular);
    if let Some(quaternion) = case["samples"].get("quaternion") {
        let initial = matrix(&case["body"]["initial_rotation"]);
        let wxyz = <[f64; 4]>::try_from(numbers(&quaternion[sample])).expect("four numbers");
        let ours = workspace.orientation(model, id) * initial;
        let tolerance = 4.0 * number(&case["tolerance"]["quaternion"]) + 4e-6;
        assert!(angle(&ours, Quaternion::from_wxyz(wxyz)) < tolerance, "{} orientation at {sample}", case["name"]);
    }
    let has_reaction = case["samples"].get("reaction_torque").is_some() && model.description().tsda.is_empty();
    if has_reaction {
        let point = vector(&case["joint"]["point"]);
        // A slide moves with its body: its reaction is compared as a force only.
        let wrench = found.of_joint(model, 0).expect("the joint");
        let (force, moment) = found.about(&-wrench, point);
        compare(case, sample, "reaction_force", force);
        if case["joint"]["type"] != "prismatic" {
            compare(case, sample, "reaction_torque", moment);
        }
    }
}

#[test]
fn single_joints_move_as_in_adams() {
    let data = reference("adams_joints.json");
    let mut checked = 0;
    for case in data["cases"].as_array().expect("cases") {
        let folder = match case["name"].as_str().expect("a name") {
            name if name.starts_with("revolute") => "adams-revolute",
            name if name.starts_with("spherical") => "adams-spherical",
            name if name.starts_with("prismatic") => "adams-prismatic",
            name if name.starts_with("universal") => "adams-universal",
            _ => "adams-translational-spring",
        };
        let mut bench = bench(folder);
        let step = 0.25 / STEPS_BETWEEN_SAMPLES as f64;
        let mut integrator = Integrator::new(&bench.model, Method::RungeKutta4, step);
        for (sample, _) in case["time_s"].as_array().expect("times").iter().enumerate() {
            check_sample(&mut bench, case, sample);
            checked += 1;
            let Bench { model, state, workspace, inputs } = &mut bench;
            integrator.start(model, state, inputs, workspace);
            for _ in 0..STEPS_BETWEEN_SAMPLES {
                integrator.step(model, state, inputs, &mut NoTyres, workspace);
            }
        }
    }
    assert_eq!(checked, 105);
}
