//! Forces at points in both axes, and actuators of every kind, against Newton and Euler by hand;
//! forces from outside, which act in every evaluation of a step.

use crate::support::bench::Bench;
use multibody::math::{Force, Symmetric3, Vector3};
use multibody::{BodyId, Description, Joint, JointKind, Method};
use std::f64::consts::FRAC_PI_2;

/// A free body of 2 kg with principal moments 2, 3, 4 kg m² about its centre, which is at the
/// origin of the drawing; no gravity.
fn floating(forces: &str) -> Bench {
    let topology = "name = \"floating\"\nbodies = [\"body\"]\n\
        [joints]\nfree = { type = \"free\", bodies = [\"ground\", \"body\"] }\n";
    let parameters = "gravity_m_s2 = [0.0, 0.0, 0.0]\n\
        [bodies.body]\nmass_kg = 2.0\ncentre_of_gravity_m = [0.0, 0.0, 0.0]\nmoments_kg_m2 = [2.0, 3.0, 4.0]\n";
    // Elsewhere, and a quarter turn about z.
    let start = format!("[joints.free]\ncoordinates = [5.0, -3.0, 2.0, 0.0, 0.0, {FRAC_PI_2}]\n");
    Bench::of_texts(topology, &(parameters.to_string() + &start + forces))
}

/// Acceleration of the centre and angular acceleration, earth axes.
fn accelerations(bench: &mut Bench) -> [Vector3; 2] {
    bench.evaluate();
    let (model, workspace) = (&bench.model, &bench.workspace);
    let body = model.description().body("body").expect("the body");
    [
        workspace.point_acceleration(model, body, Vector3::ZERO),
        workspace.body_acceleration(model, model.slot(body)).angular,
    ]
}

fn assert_close(found: [Vector3; 2], expected: [Vector3; 2]) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((*found - expected).norm() < 1e-12, "{found:?} {expected:?}");
    }
}

fn force(axes: &str) -> String {
    format!(
        "[point_force.push]\nbody = \"body\"\npoint_m = [0.0, 1.0, 0.0]\nforce_n = [6.0, 0.0, 4.0]\n\
         torque_nm = [8.0, 0.0, 0.0]\naxes = \"{axes}\"\n"
    )
}

/// Turned by a quarter about z, the body's x is the earth's y and its y the earth's −x: the point
/// is at (−1, 0, 0) from the centre, and the moments about the earth's x, y, z are 3, 2, 4 kg m².
#[test]
fn a_force_in_earth_axes_keeps_its_direction() {
    let found = accelerations(&mut floating(&force("earth")));
    // r × F = (−1, 0, 0) × (6, 0, 4) = (0, 4, 0), and the torque (8, 0, 0).
    let (linear, angular) = (Vector3::new(3.0, 0.0, 2.0), Vector3::new(8.0 / 3.0, 4.0 / 2.0, 0.0));
    assert_close(found, [linear, angular]);
}

#[test]
fn a_force_in_body_axes_turns_with_the_body() {
    let found = accelerations(&mut floating(&force("body")));
    // F = (0, 6, 4), r × F = (−1, 0, 0) × (0, 6, 4) = (0, 4, −6), and the torque (0, 8, 0).
    let (linear, angular) = (Vector3::new(0.0, 3.0, 2.0), Vector3::new(0.0, 12.0 / 2.0, -6.0 / 4.0));
    assert_close(found, [linear, angular]);
}

/// Inputs go to tsda, rsda, point_force in the order of the file; an element without `actuator`
/// takes none.
#[test]
fn each_actuator_has_its_input() {
    let topology = "name = \"actuators\"\nbodies = [\"cart\", \"wheel\", \"body\"]\n[joints]\n\
        slide = { type = \"translational\", bodies = [\"ground\", \"cart\"] }\n\
        axle = { type = \"revolute\", bodies = [\"ground\", \"wheel\"] }\n\
        rail = { type = \"translational\", bodies = [\"ground\", \"body\"] }\n";
    let mut parameters = String::from("gravity_m_s2 = [0.0, 0.0, 0.0]\n");
    for (body, joint) in [("cart", "slide"), ("wheel", "axle"), ("body", "rail")] {
        parameters += &format!(
            "[bodies.{body}]\nmass_kg = 2.0\ncentre_of_gravity_m = [1.0, 0.0, 0.0]\nmoments_kg_m2 = [0.5, 0.5, 0.5]\n\
             [joints.{joint}]\npoint_m = [1.0, 0.0, 0.0]\naxis = [1.0, 0.0, 0.0]\n"
        );
    }
    parameters += "[tsda.passive]\nbodies = [\"ground\", \"cart\"]\npoints_m = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]\npreload_n = 2.0\n\
        [tsda.cylinder]\nbodies = [\"ground\", \"cart\"]\npoints_m = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]\nactuator = true\n\
        [rsda.motor]\njoint = \"axle\"\nactuator = true\n\
        [point_force.still]\nbody = \"body\"\npoint_m = [1.0, 0.0, 0.0]\nforce_n = [10.0, 0.0, 0.0]\n\
        [point_force.thruster]\nbody = \"body\"\npoint_m = [1.0, 0.0, 0.0]\nforce_n = [-3.0, 0.0, 0.0]\nactuator = true\n";
    let mut it = Bench::of_texts(topology, &parameters);
    assert_eq!(it.inputs.actuators, [0.0; 3]);
    // At rest the passive elements act alone: tension pulls the cart back.
    let accelerations = |it: &mut Bench| ["slide", "axle", "rail"].map(|joint| it.acceleration(joint, 0));
    assert_eq!(accelerations(&mut it), [-1.0, 0.0, 5.0]);
    // −(2 + 8)/2, 7/0.5, (10 − 3 · 4)/2: tension positive, torque along the coordinate, a multiple
    // of the force.
    it.inputs.actuators.copy_from_slice(&[8.0, 7.0, 4.0]);
    assert_eq!(accelerations(&mut it), [-5.0, 14.0, -1.0]);
}

/// A chassis on two corners tips over: partitions change, and pairs of clusters fall apart for a
/// step.
#[test]
fn changes_of_partition_leave_the_state_finite() {
    let mut bench = Bench::new(&multibody::generate::corners(2));
    bench.run(Method::AdamsBashforth3, 1e-3, 1500, |_, _| {});
    assert!(bench.state.position.iter().all(|it| it.is_finite()));
}

/// A free body of 2 kg under a force of 6 N that the caller adds before each step: x = ½ (F/m) t²,
/// which each method of order two or more meets exactly, and the first-order one as x = ½ (F/m) t
/// (t + h).
#[test]
fn forces_from_outside_are_held_over_the_step() {
    let mut description = Description::empty("free");
    description.gravity = Vector3::ZERO;
    let body = description.add_body("body", 2.0, Vector3::ZERO, Symmetric3::new([1.0; 3], [0.0; 3]));
    let free = Joint::new("free", JointKind::Free, [BodyId::GROUND, body], Vector3::ZERO, Vector3::AXES[2]);
    description.joints.push(free);
    for (name, method) in Method::NAMES {
        let (mut bench, step) = (Bench::new(&description), 0.01);
        bench.start(method, step);
        for _ in 0..100 {
            let push = Force::at(Vector3::new(6.0, 0.0, 0.0), Vector3::ZERO);
            bench.workspace.add_force(&bench.model, body, push);
            bench.step();
        }
        let extra = if method == Method::SemiImplicitEuler { step } else { 0.0 };
        let expected = 0.5 * 3.0 * 1.0 * (1.0 + extra);
        // Difference quotients of the implicit method leave some 1e-8.
        assert!((bench.state.position[0] - expected).abs() < 1e-7, "{name}: {:?}", bench.state.position);
    }
}
