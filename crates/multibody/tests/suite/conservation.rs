//! Conservation over 10⁵ steps: a floating mechanism with a loop and a spring, without gravity, by
//! the methods of constant step.
//!
//! A method of order p lets energy and momentum drift by C hᵖ over a given time. So the time is run
//! through twice, with steps h and 2 h: the drift has to be small, and to grow as 2ᵖ.

use crate::support::bench::Bench;
use multibody::forces::{Law, Tsda};
use multibody::math::{Symmetric3, Vector3};
use multibody::{BodyId, Description, Joint, JointKind, Method};

/// A base with two arms on hinges of different directions; a rod between the arms closes a loop, a
/// spring swings them.
fn satellite() -> Description {
    let mut d = Description::empty("satellite");
    d.gravity = Vector3::ZERO;
    let at = Vector3::new;
    let tensor = |moments: [f64; 3]| Symmetric3::new(moments, [0.0; 3]);
    let base = d.add_body("base", 5.0, at(0.0, 0.0, 0.0), tensor([0.5, 0.6, 0.7]));
    let left = d.add_body("left", 1.0, at(0.3, 0.4, 0.1), tensor([0.02, 0.03, 0.04]));
    let right = d.add_body("right", 1.5, at(0.3, -0.4, 0.0), tensor([0.03, 0.02, 0.04]));
    let mut free = Joint::new("free", JointKind::Free, [BodyId::GROUND, base], at(0.0, 0.0, 0.0), Vector3::AXES[2]);
    free.velocities = vec![0.3, -0.2, 0.1, 0.2, -0.4, 0.5];
    d.joints.push(free);
    let hinge = |name: &str, body, point, axis: Vector3| {
        let axis = axis.normalised().expect("a direction");
        Joint::new(name, JointKind::Revolute, [base, body], point, axis)
    };
    let mut first = hinge("left", left, at(0.0, 0.3, 0.0), at(0.1, 0.2, 1.0));
    first.velocities = vec![0.8];
    d.joints.push(first);
    d.joints.push(hinge("right", right, at(0.0, -0.3, 0.0), at(0.2, 0.0, 1.0)));
    let mut rod = Joint::new("rod", JointKind::SphericalSpherical, [left, right], at(0.5, 0.45, 0.1), Vector3::AXES[2]);
    rod.second_point = at(0.5, -0.45, 0.0);
    rod.length = (rod.second_point - rod.point).norm();
    d.joints.push(rod);
    let law = Law { free: 0.4, stiffness: 40.0, ..Law::default() };
    d.tsda.push(Tsda::new("spring", [base, left], [at(0.4, 0.0, 0.0), at(0.3, 0.4, 0.1)], law));
    d
}

/// Largest drift of energy, of linear and of angular momentum, each relative to its size.
fn drift(method: Method, step: f64, steps: usize) -> [f64; 3] {
    let mut bench = Bench::new(&satellite());
    bench.evaluate();
    let (energy, [linear, angular]) = (bench.energy(), bench.momentum());
    let mut worst = [0.0_f64; 3];
    bench.run(method, step, steps, |now, violation| {
        assert!(violation < 1e-9);
        let [p, l] = now.momentum();
        let now = [
            (now.energy() - energy).abs() / energy,
            (p - linear).norm() / linear.norm(),
            (l - angular).norm() / angular.norm(),
        ];
        worst = [0, 1, 2].map(|k| worst[k].max(now[k]));
    });
    assert!(worst.iter().all(|it| it.is_finite()));
    worst
}

fn check(method: Method, step: f64, bound: f64) {
    let order = i32::try_from(method.order()).expect("small");
    let (fine, coarse) = (drift(method, step, 100_000), drift(method, 2.0 * step, 50_000));
    for ((fine, coarse), what) in fine.iter().zip(coarse).zip(["energy", "momentum", "angular momentum"]) {
        assert!(*fine < bound, "{method:?} {what}: {fine:e}");
        // Rounding of 10⁵ steps and of loops closed to 1e-10 m has no order.
        let grown = coarse / fine;
        assert!(
            grown > 0.7 * 2.0_f64.powi(order) || coarse < 1e-9,
            "{method:?} {what}: {fine:e} at h, {coarse:e} at 2 h"
        );
    }
}

#[test]
fn adams_bashforth_3_conserves_to_third_order() {
    check(Method::AdamsBashforth3, 2e-4, 1e-6);
}

#[test]
fn adams_bashforth_2_conserves_to_second_order() {
    check(Method::AdamsBashforth2, 2e-4, 1e-4);
}

#[test]
fn runge_kutta_4_conserves_to_fourth_order() {
    check(Method::RungeKutta4, 4e-3, 1e-6);
}
