//! The rest of ADAMS's family of single-joint mechanisms: cylindrical, rod, revolute–spherical
//! link, rotational spring, linear actuator, inclined hinge. Motion and reactions over 5 s against
//! absolute coordinates with multipliers (`reference/make_adams_family.py`), and closed forms.

use crate::support::{numbers, reference, vector};
use multibody::forces::NoTyres;
use multibody::math::Vector3;
use multibody::reaction::reactions;
use multibody::{BodyId, Inputs, Integrator, Method, Model, State, Workspace, shipped};
use serde_json::Value;

/// The second solver integrates to 1e-11 and ours with 0.5 ms steps of order four: both are good to
/// some 1e-8 where a body tumbles for 5 s.
const TOLERANCE: f64 = 1e-6;
const STEPS_BETWEEN_SAMPLES: usize = 500;
const BODY: BodyId = BodyId(1);

struct Bench {
    model: Model,
    state: State,
    workspace: Workspace,
    inputs: Inputs,
}

impl Bench {
    fn new(name: &str) -> Self {
        let description = shipped::description(name).unwrap_or_else(|error| panic!("{error}"));
        let model = Model::new(&description).unwrap_or_else(|error| panic!("{name}: {error}"));
        Self { state: State::new(&model), workspace: Workspace::new(&model), inputs: Inputs::new(&model), model }
    }

    /// What the joint does to the body: force, and moment about its centre of gravity; leaves an
    /// evaluated workspace.
    fn reaction(&mut self) -> (Vector3, Vector3) {
        let model = &self.model;
        let found = reactions(model, &mut self.state, &self.inputs, &mut NoTyres, &mut self.workspace);
        let joint = model.description().joint("joint").expect("the joint");
        let wrench = found.of_joint(model, joint).expect("a reaction");
        let on_second = model.description().joints[joint].bodies[1] == BODY;
        let wrench = if on_second { wrench } else { -wrench };
        multibody::dynamics::evaluate(model, &mut self.state, &self.inputs, &mut NoTyres, &mut self.workspace);
        let centre = self.workspace.position(model, BODY, model.description().bodies[1].centre);
        found.about(&wrench, centre)
    }
}

fn compare(case: &Value, sample: usize, field: &str, ours: Vector3) {
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
        let mut bench = Bench::new(case["model"].as_str().expect("a name"));
        let step = 0.25 / STEPS_BETWEEN_SAMPLES as f64;
        let mut integrator = Integrator::new(&bench.model, Method::RungeKutta4, step);
        for sample in 0..numbers(&case["time_s"]).len() {
            let (force, moment) = bench.reaction();
            let Bench { model, state, workspace, inputs } = &mut bench;
            let centre = model.description().bodies[1].centre;
            let angular = workspace.body_acceleration(model, model.slot(BODY)).angular;
            let pairs = [
                ("position", workspace.position(model, BODY, centre)),
                ("velocity", workspace.point_velocity(model, BODY, centre)),
                ("acceleration", workspace.point_acceleration(model, BODY, centre)),
                ("angular_velocity", workspace.body_velocity(model, BODY).angular),
                ("angular_acceleration", angular),
                ("force", force),
                ("moment", moment),
            ];
            for (field, ours) in pairs {
                compare(case, sample, field, ours);
            }
            integrator.start(model, state, inputs, workspace);
            for _ in 0..STEPS_BETWEEN_SAMPLES {
                integrator.step(model, state, inputs, &mut NoTyres, workspace);
            }
        }
    }
}

/// Along an axis a the sleeve is in free fall: x = x₀ + v t + ½ (g·a) t², whatever the bar does
/// about it.
#[test]
fn a_cylindrical_joint_falls_along_its_axis() {
    let mut bench = Bench::new("adams-cylindrical");
    let mut integrator = Integrator::new(&bench.model, Method::RungeKutta4, 1e-3);
    let Bench { model, state, workspace, inputs } = &mut bench;
    integrator.start(model, state, inputs, workspace);
    for _ in 0..2000 {
        integrator.step(model, state, inputs, &mut NoTyres, workspace);
    }
    let (position, velocity) = model.coordinate(0, 1).expect("a displacement");
    let along = -9.80665 / 2.0_f64.sqrt();
    assert!((state.position[position] - (2.0 + 0.5 * along * 4.0)).abs() < 1e-9);
    assert!((state.velocity[velocity] - (1.0 + along * 2.0)).abs() < 1e-9);
}

/// x = A sin ω t along a: the drive has to give m (ẍ − g·a), the slide the rest of m (a − g).
#[test]
fn a_linear_actuator_gives_the_force_that_newton_asks_for() {
    let (amplitude, omega) = (0.4, 3.0);
    let mut bench = Bench::new("adams-linear-actuator");
    let axis = Vector3::new(1.0, 2.0, 2.0) * (1.0 / 3.0);
    let gravity = Vector3::new(0.0, 0.0, -9.80665);
    let mut integrator = Integrator::new(&bench.model, Method::AdamsBashforth3, 1e-3);
    for step in 0..=5000 {
        let t = 1e-3 * f64::from(step);
        let (sine, cosine) = (omega * t).sin_cos();
        let drive = [amplitude * sine, amplitude * omega * cosine, -amplitude * omega * omega * sine];
        bench.inputs.driven[0] = drive;
        if step == 0 {
            let Bench { model, state, workspace, inputs } = &mut bench;
            integrator.start(model, state, inputs, workspace);
        }
        if step % 250 == 0 {
            let (force, _) = bench.reaction();
            let Bench { model, state, workspace, inputs } = &mut bench;
            let found = reactions(model, state, inputs, &mut NoTyres, workspace);
            let centre = model.description().bodies[1].centre;
            let place = workspace.position(model, BODY, centre);
            assert!((place - centre - axis * drive[0]).norm() < 1e-12);
            assert!((workspace.point_velocity(model, BODY, centre) - axis * drive[1]).norm() < 1e-12);
            let wanted = drive[2] - gravity.dot(axis);
            assert!((found.driven[0] - wanted).abs() < 1e-11, "{t}");
            assert!((force - (axis * drive[2] - gravity)).norm() < 1e-11, "{t}: {force:?}");
        }
        let Bench { model, state, workspace, inputs } = &mut bench;
        integrator.step(model, state, inputs, &mut NoTyres, workspace);
    }
}
