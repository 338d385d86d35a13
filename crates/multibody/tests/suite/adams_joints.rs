//! Single-joint mechanisms against MSC ADAMS: position, orientation, velocities, accelerations and
//! reactions over 5 s; and the rest of ADAMS's family (cylindrical, rod, revolute–spherical link,
//! rotational spring, linear actuator, inclined hinge) against absolute coordinates with
//! multipliers (`reference/make_adams_family.py`), and closed forms.

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

/// The second solver integrates to 1e-11 and ours with 0.5 ms steps of order four: both are good to
/// some 1e-8 where a body tumbles for 5 s.
const TOLERANCE: f64 = 1e-6;

/// What the joint does to the body: force, and moment about its centre of gravity; leaves an
/// evaluated workspace.
fn reaction(bench: &mut Bench) -> [(&'static str, Vector3); 2] {
    let found = bench.reactions();
    bench.evaluate();
    let joint = bench.model.description().joint("joint").expect("the joint");
    let wrench = found.of_joint(&bench.model, joint).expect("a reaction");
    let on_second = bench.model.description().joints[joint].bodies[1] == BODY;
    let [(_, centre), ..] = bench.motion(BODY);
    let (force, moment) = found.about(&if on_second { wrench } else { -wrench }, centre);
    [("force", force), ("moment", moment)]
}

fn compare_relative(case: &Value, sample: usize, field: &str, ours: Vector3) {
    let theirs = vector(&case[field][sample]);
    let error = (ours - theirs).norm() / (1.0 + theirs.norm());
    assert!(error < TOLERANCE, "{} {field} at sample {sample}: {ours:?} {theirs:?}", case["model"]);
}

#[test]
fn the_family_moves_as_the_second_solver_says() {
    let data = reference("adams_family.json");
    let cases = data["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 5);
    for case in cases {
        let mut bench = Bench::shipped(case["model"].as_str().expect("a name"));
        for sample in 0..numbers(&case["time_s"]).len() {
            let reaction = reaction(&mut bench);
            for (field, ours) in bench.motion(BODY).into_iter().chain(bench.body_accelerations(BODY)).chain(reaction) {
                compare_relative(case, sample, field, ours);
            }
            let step = 0.25 / STEPS_BETWEEN_SAMPLES as f64;
            bench.run(Method::RungeKutta4, step, STEPS_BETWEEN_SAMPLES, |_, _| {});
        }
    }
}

/// Along an axis a the sleeve is in free fall: x = x₀ + v t + ½ (g·a) t², whatever the bar does
/// about it.
#[test]
fn a_cylindrical_joint_falls_along_its_axis() {
    let mut bench = Bench::shipped("adams-cylindrical");
    bench.run(Method::RungeKutta4, 1e-3, 2000, |_, _| {});
    let (position, velocity) = bench.index("joint", 1);
    let along = -9.80665 / 2.0_f64.sqrt();
    assert!((bench.state.position[position] - (2.0 + 0.5 * along * 4.0)).abs() < 1e-9);
    assert!((bench.state.velocity[velocity] - (1.0 + along * 2.0)).abs() < 1e-9);
}

/// x = A sin ω t along a: the drive has to give m (ẍ − g·a), the slide the rest of m (a − g).
#[test]
fn a_linear_actuator_gives_the_force_that_newton_asks_for() {
    let (amplitude, omega) = (0.4, 3.0);
    let mut bench = Bench::shipped("adams-linear-actuator");
    let axis = Vector3::new(1.0, 2.0, 2.0) * (1.0 / 3.0);
    let gravity = Vector3::new(0.0, 0.0, -9.80665);
    let drawn = bench.model.description().bodies[BODY.0].centre;
    for step in 0..=5000 {
        let t = 1e-3 * f64::from(step);
        let (sine, cosine) = (omega * t).sin_cos();
        let drive = [amplitude * sine, amplitude * omega * cosine, -amplitude * omega * omega * sine];
        bench.inputs.driven[0] = drive;
        if step == 0 {
            bench.start(Method::AdamsBashforth3, 1e-3);
        }
        if step % 250 == 0 {
            let [(_, force), _] = reaction(&mut bench);
            let found = bench.reactions();
            let [(_, place), (_, velocity), _] = bench.motion(BODY);
            assert!((place - drawn - axis * drive[0]).norm() < 1e-12);
            assert!((velocity - axis * drive[1]).norm() < 1e-12);
            let wanted = drive[2] - gravity.dot(axis);
            assert!((found.driven[0] - wanted).abs() < 1e-11, "{t}");
            assert!((force - (axis * drive[2] - gravity)).norm() < 1e-11, "{t}: {force:?}");
        }
        bench.step();
    }
}
