//! Forward and inverse dynamics of random open trees against Pinocchio's articulated-body
//! algorithm: 1e-10 relative.
//!
//! The reference has one frame per joint; ours has one drawing. So each tree is drawn at zero
//! coordinates, and what the reference gives in the axes of a body is turned into the axes of the
//! drawing.

use crate::support::{matrix, number, numbers, reference, symmetric, vector};
use multibody::dynamics::{backward, forward, outward};
use multibody::forces::NoTyres;
use multibody::inverse::inverse;
use multibody::math::{Matrix3, Quaternion, Vector3};
use multibody::{BodyId, Description, Inputs, Joint, JointKind, Model, State, Workspace};
use serde_json::Value;

/// A tree of the reference, drawn.
struct Drawn {
    description: Description,
    rotation: Vec<Matrix3>,
    origin: Vec<Vector3>,
}

fn kind(name: &str) -> JointKind {
    match name {
        "prismatic" => JointKind::Translational,
        "helical" => JointKind::Screw,
        other => JointKind::NAMES.iter().find(|(name, _)| *name == other).expect("a kind").1,
    }
}

fn draw(tree: &Value) -> Drawn {
    let mut drawn = Drawn {
        description: Description::empty(tree["name"].as_str().expect("a name")),
        rotation: vec![Matrix3::IDENTITY],
        origin: vec![Vector3::ZERO],
    };
    drawn.description.gravity = vector(&tree["gravity"]);
    let bodies = tree["bodies"].as_array().expect("bodies").iter();
    for (body, joint) in bodies.zip(tree["joints"].as_array().expect("joints")) {
        add(&mut drawn, body, joint);
    }
    drawn
}

fn add(drawn: &mut Drawn, body: &Value, joint: &Value) {
    let parent = (joint["parent"].as_i64().expect("a number") + 1) as usize;
    let origin = drawn.origin[parent] + drawn.rotation[parent] * vector(&joint["translation"]);
    let rotation = drawn.rotation[parent] * matrix(&joint["rotation"]);
    let axis_or = |name: &str, default: Vector3| joint.get(name).map_or(default, vector);
    let kind = kind(joint["type"].as_str().expect("a type"));
    let axis = rotation * axis_or("axis", Vector3::AXES[2]);
    let centre = origin + rotation * vector(&body["com"]);
    let name = format!("body{}", drawn.origin.len());
    let id = drawn.description.add_body(
        &name,
        number(&body["mass"]),
        centre,
        symmetric(&body["inertia"]).rotated(&rotation),
    );
    let mut ours = Joint::new(&name, kind, [BodyId(parent), id], origin, axis);
    if kind == JointKind::Universal || kind == JointKind::Planar {
        ours.second_axis = rotation * axis_or("second_axis", Vector3::AXES[0]);
    }
    if kind == JointKind::Screw {
        ours.lead = number(&joint["pitch_m_rad"]) * std::f64::consts::TAU;
    }
    let (q, v) = (numbers(&joint["q"]), numbers(&joint["v"]));
    (ours.coordinates, ours.velocities) = coordinates(kind, &rotation, &q, &v);
    drawn.description.joints.push(ours);
    drawn.rotation.push(rotation);
    drawn.origin.push(origin);
}

fn at(list: &[f64], from: usize) -> Vector3 {
    Vector3::new(list[from], list[from + 1], list[from + 2])
}

/// Initial coordinates and velocities by our conventions.
fn coordinates(kind: JointKind, drawn: &Matrix3, q: &[f64], v: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let ball = |from: usize| Quaternion::from_wxyz([q[from + 3], q[from], q[from + 1], q[from + 2]]);
    let turned = |vector: Vector3| (*drawn * vector).to_array();
    match kind {
        JointKind::Spherical => (turned(ball(0).log()).to_vec(), turned(at(v, 0)).to_vec()),
        JointKind::Free => {
            let velocity = ball(3).rotate(at(v, 0));
            ([turned(at(q, 0)), turned(ball(3).log())].concat(), [turned(velocity), turned(at(v, 3))].concat())
        }
        JointKind::Planar => {
            let (x, y) = (q[2] * v[0] - q[3] * v[1], q[3] * v[0] + q[2] * v[1]);
            (vec![q[0], q[1], q[3].atan2(q[2])], vec![x, y, v[2]])
        }
        _ => (q.to_vec(), v.to_vec()),
    }
}

/// Joint forces by our conventions.
fn joint_forces(kind: JointKind, drawn: &Matrix3, q: &[f64], tau: &[f64]) -> Vec<f64> {
    let turned = |vector: Vector3| (*drawn * vector).to_array();
    match kind {
        JointKind::Spherical => turned(at(tau, 0)).to_vec(),
        JointKind::Free => {
            let ball = Quaternion::from_wxyz([q[6], q[3], q[4], q[5]]);
            [turned(ball.rotate(at(tau, 0))), turned(at(tau, 3))].concat()
        }
        JointKind::Planar => vec![q[2] * tau[0] - q[3] * tau[1], q[3] * tau[0] + q[2] * tau[1], tau[2]],
        _ => tau.to_vec(),
    }
}

/// Joint accelerations by our conventions: where `v` holds components in turning axes, d(R v)/dt =
/// R (a + ω × v).
fn joint_accelerations(kind: JointKind, drawn: &Matrix3, joint: &Value) -> Vec<f64> {
    let (q, v, mut a) = (numbers(&joint["q"]), numbers(&joint["v"]), numbers(&joint["a"]));
    match kind {
        JointKind::Free => {
            let linear = at(&a, 0) + at(&v, 3).cross(at(&v, 0));
            a[..3].copy_from_slice(&linear.to_array());
        }
        JointKind::Planar => (a[0], a[1]) = (a[0] - v[2] * v[1], a[1] + v[2] * v[0]),
        _ => {}
    }
    joint_forces(kind, drawn, &q, &a)
}

/// What the reference has for each joint, by our velocity coordinates.
fn by_velocity(
    tree: &Value,
    drawn: &Drawn,
    model: &Model,
    of: impl Fn(JointKind, &Matrix3, &Value) -> Vec<f64>,
) -> Vec<f64> {
    let mut all = vec![0.0; model.velocity_count()];
    for (index, joint) in tree["joints"].as_array().expect("joints").iter().enumerate() {
        let kind = drawn.description.joints[index].kind;
        let values = of(kind, &drawn.rotation[index + 1], joint);
        for (which, value) in values.iter().enumerate() {
            // A free joint of ours has its components along earth or parent axes as drawn, which
            // are those of the model's tree.
            let (_, velocity) = model.coordinate(index, which).expect("in the tree");
            all[velocity] = *value;
        }
    }
    all
}

fn forces(tree: &Value, drawn: &Drawn, model: &Model) -> Vec<f64> {
    by_velocity(tree, drawn, model, |kind, rotation, joint| {
        joint_forces(kind, rotation, &numbers(&joint["q"]), &numbers(&joint["tau"]))
    })
}

fn check(tree: &Value) -> f64 {
    let drawn = draw(tree);
    let model = Model::new(&drawn.description).expect("a model");
    let (mut state, mut workspace, inputs) = (State::new(&model), Workspace::new(&model), Inputs::new(&model));
    forward(&model, &mut state, &inputs, &mut workspace);
    for (velocity, force) in forces(tree, &drawn, &model).iter().enumerate() {
        workspace.add_joint_force(velocity, *force);
    }
    backward(&model, &state, &mut workspace);
    outward(&model, &state, &mut workspace);
    let results = tree["result"].as_array().expect("results");
    let (mut worst, mut scale) = (0.0_f64, 1.0_f64);
    for (index, result) in results.iter().enumerate() {
        let (id, origin) = (BodyId(index + 1), drawn.origin[index + 1]);
        let rotation = workspace.orientation(&model, id) * drawn.rotation[index + 1];
        for (ours, theirs) in rotation.columns.iter().zip(matrix(&result["rotation"]).columns) {
            assert!((*ours - theirs).norm() < 1e-12);
        }
        let pairs = [
            ("position", workspace.position(&model, id, origin)),
            ("velocity", workspace.point_velocity(&model, id, origin)),
            ("angular_velocity", workspace.body_velocity(&model, id).angular),
        ];
        for (name, ours) in pairs {
            let theirs = vector(&result[name]);
            assert!((ours - theirs).norm() < 1e-11 * (1.0 + theirs.norm()), "{name}: {ours:?} {theirs:?}");
        }
        let slot = model.slot(id);
        let angular = workspace.body_acceleration(&model, slot).angular;
        let linear = workspace.point_acceleration(&model, id, origin);
        for (name, ours) in [("angular_acceleration", angular), ("acceleration", linear)] {
            let theirs = vector(&result[name]);
            scale = scale.max(theirs.norm());
            worst = worst.max((ours - theirs).norm());
        }
    }
    let kinetic = number(&tree["kinetic_energy_j"]);
    assert!((workspace.kinetic_energy(&model) - kinetic).abs() < 1e-11 * kinetic.abs());
    worst / scale
}

#[test]
fn accelerations_of_random_trees_agree_with_pinocchio() {
    let data = reference("pinocchio_trees.json");
    let trees = data["trees"].as_array().expect("trees");
    assert!(trees.len() >= 50);
    for tree in trees {
        let error = check(tree);
        assert!(error < 1e-10, "{}: {error:e}", tree["name"]);
    }
}

/// Pinocchio's accelerations ask for the forces that it was given. Its script checks the pairs
/// against its own mass matrix and bias forces, and by d'Alembert's principle.
#[test]
fn forces_of_random_trees_agree_with_pinocchio() {
    let data = reference("pinocchio_trees.json");
    for tree in data["trees"].as_array().expect("trees") {
        let drawn = draw(tree);
        let model = Model::new(&drawn.description).expect("a model");
        let (mut state, mut workspace, inputs) = (State::new(&model), Workspace::new(&model), Inputs::new(&model));
        let wanted = by_velocity(tree, &drawn, &model, joint_accelerations);
        let found = inverse(&model, &mut state, &inputs, &wanted, &mut NoTyres, &mut workspace);
        let expected = forces(tree, &drawn, &model);
        // What is lost is relative to the inertia forces that cancel: mass matrix times
        // acceleration.
        let largest = |list: &[f64]| list.iter().fold(1.0_f64, |max, it| it.abs().max(max));
        let scale = largest(&expected).max(largest(&wanted));
        for (ours, theirs) in found.force.iter().zip(&expected) {
            assert!((ours - theirs).abs() < 1e-10 * scale, "{}: {ours} {theirs}", tree["name"]);
        }
    }
}
