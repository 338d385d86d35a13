//! Inverse dynamics: closed forms of an open chain and of a loop, and the way there and back on
//! random mechanisms. Pinocchio's numbers are in `pinocchio_trees.rs`.

use crate::support::bench::Bench;
use crate::support::mechanism::{Dice, settings};
use multibody::dynamics::{apply_forces, backward, forward, outward};
use multibody::forces::NoTyres;
use multibody::inverse::{Motors, inverse};
use multibody::math::{Symmetric3, Vector3};
use multibody::reaction::reactions;
use multibody::{BodyId, Description, Joint, JointKind, shipped};
use proptest::prelude::*;

const Y: Vector3 = Vector3::AXES[1];
const GRAVITY: f64 = 9.81;

fn motors(bench: &mut Bench, wanted: &[f64]) -> Motors {
    let (model, state, inputs) = (&bench.model, &mut bench.state, &bench.inputs);
    inverse(model, state, inputs, wanted, &mut NoTyres, &mut bench.workspace)
}

/// Accelerations with forces on the coordinates.
fn forward_with(bench: &mut Bench, force: &[f64]) -> Vec<f64> {
    let (model, state, workspace) = (&bench.model, &mut bench.state, &mut bench.workspace);
    forward(model, state, &bench.inputs, workspace);
    apply_forces(model, state, &bench.inputs, &mut NoTyres, workspace);
    for (velocity, force) in force.iter().enumerate() {
        workspace.add_joint_force(velocity, *force);
    }
    backward(model, state, workspace);
    outward(model, state, workspace);
    workspace.acceleration().to_vec()
}

fn bar(d: &mut Description, name: &str, mass: f64, centre: Vector3, about: f64) -> BodyId {
    d.add_body(name, mass, centre, Symmetric3::new([about; 3], [0.0; 3]))
}

fn hinge(d: &mut Description, name: &str, bodies: [BodyId; 2], point: Vector3) {
    d.joints.push(Joint::new(name, JointKind::Revolute, bodies, point, Y));
}

/// Two hanging bars with relative angles; with α = θ₁ + θ₂, from Lagrange's equations:
/// ```text
/// τ₂ = (I₂ + m₂ c₂²)(θ̈₁ + θ̈₂) + m₂ l₁ c₂ (θ̈₁ cos θ₂ + θ̇₁² sin θ₂) + m₂ g c₂ sin α
/// τ₁ = τ₂ + (I₁ + m₁ c₁² + m₂ l₁²) θ̈₁ + m₂ l₁ c₂ ((θ̈₁ + θ̈₂) cos θ₂ − (θ̇₁ + θ̇₂)² sin θ₂) + (m₁ c₁ + m₂ l₁) g sin θ₁
/// ```
#[test]
fn a_double_pendulum_asks_for_the_torques_of_lagrange() {
    let (m1, m2, c1, c2, l1, i1, i2) = (2.0, 3.0, 0.4, 0.3, 0.9, 0.2, 0.1);
    let mut d = Description::empty("double-pendulum");
    let down = |by: f64| Vector3::new(0.0, 0.0, -by);
    let upper = bar(&mut d, "upper", m1, down(c1), i1);
    let lower = bar(&mut d, "lower", m2, down(l1 + c2), i2);
    hinge(&mut d, "first", [BodyId::GROUND, upper], Vector3::ZERO);
    hinge(&mut d, "second", [upper, lower], down(l1));
    let mut bench = Bench::new(&d);
    let mut dice = Dice::new(3);
    for _ in 0..50 {
        let [a, b, va, vb, wa, wb] = [(); 6].map(|()| 3.0 * dice.0.next());
        bench.set("first", 0, a, va);
        bench.set("second", 0, b, vb);
        let both = wa + wb;
        let second = (i2 + m2 * c2 * c2) * both
            + m2 * l1 * c2 * (wa * b.cos() + va * va * b.sin())
            + m2 * GRAVITY * c2 * (a + b).sin();
        let first = second
            + (i1 + m1 * c1 * c1 + m2 * l1 * l1) * wa
            + m2 * l1 * c2 * (both * b.cos() - (va + vb).powi(2) * b.sin())
            + (m1 * c1 + m2 * l1) * GRAVITY * a.sin();
        let (first_index, second_index) = (bench.index("first", 0).1, bench.index("second", 0).1);
        let mut wanted = [0.0; 2];
        (wanted[first_index], wanted[second_index]) = (wa, wb);
        let found = motors(&mut bench, &wanted).force;
        assert!((found[first_index] - first).abs() < 1e-11 * (1.0 + first.abs()));
        assert!((found[second_index] - second).abs() < 1e-11 * (1.0 + second.abs()));
    }
}

/// A parallelogram of two cranks and a coupler that never turns: with θ the crank's angle from
/// upright, τ = (2 (I + m c²) + M l²) θ̈ − (2 m c + M l) g sin θ. Its constraints are redundant in
/// space.
#[test]
fn a_loop_asks_for_the_torque_of_lagrange() {
    let (crank, coupler, centre, length, about) = (1.5, 4.0, 0.25, 0.6, 0.05);
    let mut d = Description::empty("parallelogram");
    let at = |x: f64, z: f64| Vector3::new(x, 0.0, z);
    let left = bar(&mut d, "left", crank, at(0.0, centre), about);
    let right = bar(&mut d, "right", crank, at(1.0, centre), about);
    let top = bar(&mut d, "top", coupler, at(0.4, length), 0.7);
    hinge(&mut d, "left", [BodyId::GROUND, left], at(0.0, 0.0));
    hinge(&mut d, "right", [BodyId::GROUND, right], at(1.0, 0.0));
    hinge(&mut d, "left_pin", [left, top], at(0.0, length));
    hinge(&mut d, "right_pin", [right, top], at(1.0, length));
    let mut dice = Dice::new(5);
    for _ in 0..20 {
        let [angle, rate, wanted] = [0.9, 3.0, 5.0].map(|scale| scale * dice.0.next());
        for (joint, sign) in [("left", 1.0), ("right", 1.0), ("left_pin", -1.0), ("right_pin", -1.0)] {
            let joint = d.joint(joint).expect("a joint");
            d.joints[joint].coordinates[0] = sign * angle;
            d.joints[joint].velocities[0] = sign * rate;
        }
        let mut bench = Bench::new(&d);
        bench.evaluate();
        let free: Vec<usize> = bench.state.independent(&bench.model).collect();
        assert_eq!(free.len(), 1);
        // Whichever hinge is independent turns with the cranks or against them, and so does its
        // torque.
        let turns = bench.state.velocity[free[0]] / rate;
        assert!((turns.abs() - 1.0).abs() < 1e-9);
        let mut accelerations = vec![f64::NAN; bench.model.velocity_count()];
        accelerations[free[0]] = turns * wanted;
        let found = motors(&mut bench, &accelerations);
        let inertia = 2.0 * (about + crank * centre * centre) + coupler * length * length;
        let expected = inertia * wanted - (2.0 * crank * centre + coupler * length) * GRAVITY * angle.sin();
        assert!(
            (turns * found.force[free[0]] - expected).abs() < 1e-7 * (1.0 + expected.abs()),
            "{} {expected}",
            found.force[free[0]]
        );
        assert!(found.acceleration.iter().all(|it| (it.abs() - wanted.abs()).abs() < 1e-6));
    }
}

/// With the accelerations of a free motion no motor has anything to do, and a drive gives what it
/// gives as a reaction.
#[test]
fn a_free_motion_asks_for_nothing_but_the_drive() {
    let mut bench = Bench::new(&shipped::description("hmmwv").expect("ships"));
    bench.inputs.driven[0] = [0.01, 0.2, 3.0];
    bench.push(&mut Dice::new(11).0, 1.0);
    let accelerations = forward_with(&mut bench, &[]);
    let found = motors(&mut bench, &accelerations);
    let (model, state, inputs) = (&bench.model, &mut bench.state, &bench.inputs);
    let reaction = reactions(model, state, inputs, &mut NoTyres, &mut bench.workspace);
    let rack = model.driven()[0].coordinates[0].1;
    assert!((found.force[rack] - reaction.driven[0]).abs() < 1e-8 * (1.0 + reaction.driven[0].abs()));
    assert!(reaction.driven[0].abs() > 10.0, "the rack pushes: {}", reaction.driven[0]);
    // Forces in the loops are some 1e4 N: what is left of them is rounding.
    for (index, force) in found.force.iter().enumerate().filter(|(index, _)| *index != rack) {
        assert!(force.abs() < 1e-6, "{index}: {force:e}");
    }
    for (ours, wanted) in found.acceleration.iter().zip(&accelerations) {
        assert!((ours - wanted).abs() < 1e-8 * (1.0 + wanted.abs()), "{ours} {wanted}");
    }
}

proptest! {
    #![proptest_config(settings(80))]

    #[test]
    fn there_and_back_again(seed in any::<u64>(), floats in any::<bool>(), closed in any::<bool>()) {
        let mut dice = Dice::new(seed);
        let mut bench = Bench::new(&dice.any(13, floats, closed, false));
        if closed {
            bench.push(&mut dice.0, 0.5);
        }
        bench.evaluate();
        prop_assume!(bench.workspace.acceleration().iter().all(|it| it.abs() < 150.0));
        let free: Vec<usize> = bench.state.independent(&bench.model).collect();
        let mut wanted = vec![f64::NAN; bench.model.velocity_count()];
        free.iter().for_each(|index| wanted[*index] = 10.0 * dice.0.next());
        let found = motors(&mut bench, &wanted);
        let back = forward_with(&mut bench, &found.force);
        let scale = found.acceleration.iter().fold(1.0_f64, |max, it| it.abs().max(max));
        for index in &free {
            prop_assert!((back[*index] - wanted[*index]).abs() < 1e-7 * scale, "{} {}", back[*index], wanted[*index]);
        }
        for (ours, theirs) in found.acceleration.iter().zip(&back) {
            prop_assert!((ours - theirs).abs() < 1e-7 * scale, "{} {}", ours, theirs);
        }
        // Without the forces the motion is another one: the way back is not trivial.
        let idle = forward_with(&mut bench, &[]);
        prop_assert!(free.iter().any(|index| (idle[*index] - wanted[*index]).abs() > 1e-3));
    }
}
