//! The antiroll bar by two routes: two bodies with a torsional spring (`models/antiroll-bar`) and
//! the force element, on the same rig.

use crate::support::bench::Bench;
use multibody::forces::{Antiroll, NoTyres};
use multibody::math::{Symmetric3, Vector3};
use multibody::reaction::reactions;
use multibody::{BodyId, Description, Joint, JointKind, shipped};

/// [Nm/rad] In roll.
const STIFFNESS: f64 = 8970.0;

/// The rig with the force element in place of bodies and links.
fn element() -> Description {
    let mut d = Description::empty("antiroll-element");
    d.gravity = Vector3::ZERO;
    let tensor = Symmetric3::new([1.0; 3], [0.0; 3]);
    let points = [0.5, -0.5].map(|y| Vector3::new(-0.25, y, -0.3));
    let chassis = d.add_body("chassis", 100.0, Vector3::ZERO, tensor);
    let left = d.add_body("carrier_left", 10.0, points[0], tensor);
    let right = d.add_body("carrier_right", 10.0, points[1], tensor);
    for (name, kind, body, axis) in [
        ("roll", JointKind::Revolute, chassis, Vector3::AXES[0]),
        ("lift_left", JointKind::Translational, left, Vector3::AXES[2]),
        ("lift_right", JointKind::Translational, right, Vector3::AXES[2]),
    ] {
        let mut joint = Joint::new(name, kind, [BodyId::GROUND, body], Vector3::ZERO, axis);
        joint.driven = true;
        d.joints.push(joint);
    }
    d.antiroll.push(Antiroll { name: "bar".into(), chassis, bodies: [left, right], points, stiffness: STIFFNESS });
    d
}

/// What the drives have to give at rest: moment in roll, forces on the left and the right carrier.
fn drives(description: &Description, roll: f64, left: f64, right: f64) -> [f64; 3] {
    let mut bench = Bench::new(description);
    let given = [("roll", roll), ("lift_left", left), ("lift_right", right)];
    let place = |bench: &Bench, name: &str| {
        let joint = bench.model.description().joint(name);
        let mut driven = bench.model.driven().iter();
        driven.position(|it| Some(it.joint) == joint).expect("driven")
    };
    for (name, at) in given {
        let place = place(&bench, name);
        bench.inputs.driven[place] = [at, 0.0, 0.0];
    }
    let (model, state, inputs) = (&bench.model, &mut bench.state, &bench.inputs);
    let found = reactions(model, state, inputs, &mut NoTyres, &mut bench.workspace);
    given.map(|(name, _)| found.driven[place(&bench, name)])
}

/// Rolled by φ the carriers stand still: φ_bar = −sin φ, and the couple of the two forces along the
/// chassis' own z is k sin φ cos φ.
#[test]
fn the_element_has_its_moment_in_closed_form() {
    for roll in [-0.3, -0.01, 0.0, 0.1, 0.4_f64] {
        let [moment, left, right] = drives(&element(), roll, 0.0, 0.0);
        let expected = STIFFNESS * roll.sin() * roll.cos();
        assert!((moment - expected).abs() < 1e-9, "{moment} {expected}");
        // Along the earth's z each carrier gets k sin φ / b times cos φ; the right one is pushed up
        // when the left one is pushed down.
        assert!((left + expected).abs() < 1e-9 && (right - expected).abs() < 1e-9);
    }
    // One wheel up by z: k z/b on it and against it on the other; b is 1 m.
    let [moment, left, right] = drives(&element(), 0.0, 0.02, 0.0);
    let force = STIFFNESS * 0.02;
    assert!((left - force).abs() < 1e-9 && (right + force).abs() < 1e-9 && (moment + force).abs() < 1e-9);
}

/// Arms that turn by θ shorten by θ²/2, so the two agree to second order: within 20 φ² here, and
/// four times better at half the roll.
#[test]
fn two_bodies_with_a_torsional_spring_give_the_moment_of_the_element() {
    let bodies = shipped::description("antiroll-bar").expect("ships");
    let difference = |roll: f64, left: f64, right: f64| {
        let (one, other) = (drives(&bodies, roll, left, right), drives(&element(), roll, left, right));
        assert!(other.iter().all(|it| it.abs() > 1.0), "something acts: {other:?}");
        let errors = one.iter().zip(other).map(|(one, other)| ((one - other) / other).abs());
        errors.fold(0.0, f64::max)
    };
    for (roll, left, right) in [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.5, -0.5), (1.0, 0.3, 0.1)] {
        let at = |scale: f64| difference(scale * roll, scale * left, scale * right);
        let (coarse, fine) = (at(4e-3), at(2e-3));
        assert!(coarse < 20.0 * 4e-3 * 4e-3, "{coarse:e}");
        let ratio = coarse / fine;
        assert!(ratio > 3.0, "of second order: {coarse:e} {fine:e}");
    }
}

/// A wheel that both carriers make together does not twist the bar, whatever its stiffness.
#[test]
fn both_wheels_together_feel_nothing() {
    for description in [shipped::description("antiroll-bar").expect("ships"), element()] {
        let found = drives(&description, 0.0, 0.05, 0.05);
        assert!(found.iter().all(|it| it.abs() < 1e-8), "{}: {found:?}", description.name);
    }
}
