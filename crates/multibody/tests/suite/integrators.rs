//! Order of convergence, conservation, determinism, on open chains and closed loops.

use crate::support::bench::Bench;
use multibody::forces::{Law, Tsda};
use multibody::math::{Symmetric3, Vector3};
use multibody::{BodyId, Description, Joint, JointKind, Method, State};

fn inertia(x: f64, y: f64, z: f64) -> Symmetric3 {
    Symmetric3::new([x, y, z], [0.0; 3])
}

const Y: Vector3 = Vector3::AXES[1];

/// A spinning top on a ball, with a pendulum on a hinge: quaternion and angle coupled.
fn top() -> Description {
    let mut d = Description::empty("top");
    let body = d.add_body("body", 2.0, Vector3::new(0.1, 0.05, 0.4), inertia(0.05, 0.06, 0.03));
    let arm = d.add_body("arm", 1.0, Vector3::new(0.5, 0.0, 0.6), inertia(0.02, 0.03, 0.03));
    let mut ball = Joint::new("ball", JointKind::Spherical, [BodyId::GROUND, body], Vector3::ZERO, Y);
    ball.velocities = vec![1.0, -2.0, 8.0];
    d.joints.push(ball);
    let mut hinge = Joint::new("hinge", JointKind::Revolute, [body, arm], Vector3::new(0.2, 0.0, 0.6), Y);
    hinge.velocities = vec![2.0];
    d.joints.push(hinge);
    d
}

/// A planar four-bar in space with one redundant set of rows, and a spring.
fn four_bar() -> Description {
    let mut d = Description::empty("four-bar");
    let at = Vector3::new;
    let crank = d.add_body("crank", 1.0, at(0.0, 0.0, 0.1), inertia(0.01, 0.01, 0.001));
    let coupler = d.add_body("coupler", 2.0, at(0.25, 0.0, 0.25), inertia(0.02, 0.05, 0.05));
    let rocker = d.add_body("rocker", 1.5, at(0.5, 0.0, 0.15), inertia(0.02, 0.02, 0.002));
    let revolute = |name: &str, bodies, point| Joint::new(name, JointKind::Revolute, bodies, point, Y);
    let mut pivot = revolute("pivot", [BodyId::GROUND, crank], at(0.0, 0.0, 0.0));
    pivot.velocities = vec![6.0];
    d.joints.push(pivot);
    d.joints.push(revolute("pin", [crank, coupler], at(0.0, 0.0, 0.2)));
    d.joints.push(revolute("far_pin", [coupler, rocker], at(0.5, 0.0, 0.3)));
    d.joints.push(revolute("far_pivot", [BodyId::GROUND, rocker], at(0.5, 0.0, 0.0)));
    let (points, law) =
        ([at(0.2, 0.0, -0.3), at(0.25, 0.0, 0.25)], Law { free: 0.4, stiffness: 200.0, ..Law::default() });
    d.tsda.push(Tsda::new("spring", [BodyId::GROUND, coupler], points, law));
    d
}

/// A spatial crank with a ball, a rod and a slide.
fn spatial() -> Description {
    let mut d = Description::empty("spatial");
    let at = Vector3::new;
    let crank = d.add_body("crank", 1.0, at(0.0, 0.05, 0.1), inertia(0.01, 0.01, 0.005));
    let rod = d.add_body("rod", 0.5, at(0.3, 0.05, 0.1), inertia(0.002, 0.02, 0.02));
    let slider = d.add_body("slider", 2.0, at(0.6, 0.0, 0.0), inertia(0.01, 0.01, 0.01));
    let mut pivot =
        Joint::new("pivot", JointKind::Revolute, [BodyId::GROUND, crank], at(0.0, 0.0, 0.0), at(0.0, 0.6, 0.8));
    pivot.velocities = vec![9.0];
    d.joints.push(pivot);
    d.joints.push(Joint::new("ball", JointKind::Spherical, [crank, rod], at(0.0, 0.1, 0.2), Y));
    d.joints.push(Joint::new("fork", JointKind::Universal, [rod, slider], at(0.6, 0.0, 0.0), Y));
    d.joints.push(Joint::new(
        "slide",
        JointKind::Cylindrical,
        [BodyId::GROUND, slider],
        at(0.6, 0.0, 0.0),
        Vector3::AXES[0],
    ));
    d
}

struct Run {
    state: State,
    energy_error: f64,
    violation: f64,
}

fn run(description: &Description, method: Method, step: f64, steps: usize) -> Run {
    let mut bench = Bench::new(description);
    let begin = bench.energy();
    let (mut energy_error, mut violation) = (0.0_f64, 0.0_f64);
    bench.run(method, step, steps, |now, open| {
        energy_error = energy_error.max((now.energy() - begin).abs());
        violation = violation.max(open);
    });
    Run { state: bench.state, energy_error, violation }
}

fn distance(a: &State, b: &State) -> f64 {
    let position = a.position.iter().zip(&b.position);
    position.chain(a.velocity.iter().zip(&b.velocity)).fold(0.0, |max, (a, b)| (a - b).abs().max(max))
}

#[test]
fn order_of_each_method_is_the_theoretical_one_with_and_without_loops() {
    for description in [top(), four_bar(), spatial()] {
        let exact = run(&description, Method::RungeKutta4, 1.25e-4, 4000).state;
        for (name, method) in Method::NAMES {
            let (coarse, fine) = match method {
                Method::SemiImplicitEuler => (2000, 4000),
                Method::RungeKutta4 => (125, 250),
                _ => (500, 1000),
            };
            let error = |steps: usize| distance(&run(&description, method, 0.5 / steps as f64, steps).state, &exact);
            let (coarse, fine) = (error(coarse), error(fine));
            let order = (coarse / fine).log2();
            let expected = f64::from(method.order());
            assert!(
                (order - expected).abs() < 0.35,
                "{} {name}: order {order}, errors {coarse:e} {fine:e}",
                description.name
            );
        }
    }
}

#[test]
fn energy_of_undamped_mechanisms_drifts_by_the_order_only() {
    for description in [top(), four_bar(), spatial()] {
        let (coarse, fine) = (
            run(&description, Method::AdamsBashforth3, 4e-4, 5000),
            run(&description, Method::AdamsBashforth3, 2e-4, 10000),
        );
        let ratio = coarse.energy_error / fine.energy_error;
        assert!(ratio > 5.0, "{}: {} {}", description.name, coarse.energy_error, fine.energy_error);
        assert!(fine.energy_error < 1e-4, "{}: {}", description.name, fine.energy_error);
        assert!(coarse.violation < 1e-9 && fine.violation < 1e-9);
    }
}

#[test]
fn a_hundred_thousand_steps_keep_the_energy_of_a_loop() {
    let long = run(&four_bar(), Method::RungeKutta4, 1e-3, 100_000);
    assert!(long.energy_error < 1e-4, "{}", long.energy_error);
    assert!(long.violation < 1e-9, "{}", long.violation);
}

#[test]
fn the_same_input_gives_the_same_bits() {
    for description in [top(), spatial()] {
        let (one, other) = (
            run(&description, Method::AdamsBashforth3, 1e-3, 500),
            run(&description, Method::AdamsBashforth3, 1e-3, 500),
        );
        let bits = |state: &State| state.position.iter().map(|it| it.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&one.state), bits(&other.state));
    }
}

#[test]
fn loops_with_redundant_rows_agree_with_the_dense_system() {
    for description in [four_bar(), spatial()] {
        let (ours, dense) = Bench::new(&description).both_routes();
        for (ours, theirs) in ours.iter().zip(&dense) {
            assert!((ours - theirs).abs() < 1e-8 * (1.0 + theirs.abs()), "{}: {ours} {theirs}", description.name);
        }
    }
}

#[test]
fn a_stiff_spring_is_stepped_over_by_the_implicit_method() {
    let mut d = four_bar();
    d.tsda[0].law = Law { free: 0.55, stiffness: 2e7, damping: 2e5, ..Law::default() };
    d.joints[0].velocities = vec![0.0];
    let explicit = run(&d, Method::AdamsBashforth3, 1e-3, 300);
    let implicit = run(&d, Method::Rosenbrock2, 1e-3, 300);
    assert!(implicit.state.velocity[0].abs() < 1e-2, "comes to rest: {:?}", implicit.state.velocity);
    let diverged = explicit.state.velocity.iter().any(|it| it.is_nan() || it.abs() > 1.0);
    assert!(diverged, "the explicit method is the control: {:?}", explicit.state.velocity);
}
