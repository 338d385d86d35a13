//! Single-joint mechanisms against MSC ADAMS: position, orientation, velocities, accelerations and reactions over 5 s.

use crate::support::bench::Bench;
use crate::support::{matrix, number, numbers, reference, vector};
use multibody::math::{Matrix3, Quaternion, Vector3};
use multibody::{BodyId, Method};
use serde_json::Value;

const STEPS_BETWEEN_SAMPLES: usize = 500;

const BODY: BodyId = BodyId(1);

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
    let found = bench.reactions();
    bench.evaluate();
    for (field, ours) in bench.motion(BODY).into_iter().chain(bench.body_accelerations(BODY)) {
        compare(case, sample, field, ours);
    }
    let (model, workspace) = (&bench.model, &bench.workspace);
    if let Some(quaternion) = case["samples"].get("quaternion") {
        let initial = matrix(&case["body"]["initial_rotation"]);
        let wxyz = <[f64; 4]>::try_from(numbers(&quaternion[sample])).expect("four numbers");
        let ours = workspace.orientation(model, BODY) * initial;
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
        let mut bench = Bench::shipped(folder);
        for (sample, _) in case["time_s"].as_array().expect("times").iter().enumerate() {
            check_sample(&mut bench, case, sample);
            checked += 1;
            let step = 0.25 / STEPS_BETWEEN_SAMPLES as f64;
            bench.run(Method::RungeKutta4, step, STEPS_BETWEEN_SAMPLES, |_, _| {});
        }
    }
    assert_eq!(checked, 105);
}
