//! The rest of ADAMS's family of single-joint mechanisms: cylindrical, rod, revolute–spherical
//! link, rotational spring, linear actuator, inclined hinge. Motion and reactions over 5 s against
//! absolute coordinates with multipliers (`reference/make_adams_family.py`), and closed forms.

use crate::support::bench::Bench;
use crate::support::{numbers, reference, vector};
use multibody::math::Vector3;
use multibody::{BodyId, Method};
use serde_json::Value;

/// The second solver integrates to 1e-11 and ours with 0.5 ms steps of order four: both are good to
/// some 1e-8 where a body tumbles for 5 s.
const TOLERANCE: f64 = 1e-6;
const STEPS_BETWEEN_SAMPLES: usize = 500;
const BODY: BodyId = BodyId(1);

/// What the joint does to the body: force, and moment about its centre of gravity; leaves an evaluated workspace.
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
        let mut bench = Bench::shipped(case["model"].as_str().expect("a name"));
        for sample in 0..numbers(&case["time_s"]).len() {
            let reaction = reaction(&mut bench);
            for (field, ours) in bench.motion(BODY).into_iter().chain(bench.body_accelerations(BODY)).chain(reaction) {
                compare(case, sample, field, ours);
            }
            let step = 0.25 / STEPS_BETWEEN_SAMPLES as f64;
            bench.run(Method::RungeKutta4, step, STEPS_BETWEEN_SAMPLES, |_, _| {});
        }
    }
}

/// Along an axis a the sleeve is in free fall: x = x₀ + v t + ½ (g·a) t², whatever the bar does about it.
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
