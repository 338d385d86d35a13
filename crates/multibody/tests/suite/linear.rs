//! Linearisation with inputs and with loops: closed forms, and differences of the dense system of
//! the whole.

use crate::support::bench::Bench;
use multibody::forces::{NoTyres, PointForce};
use multibody::linear::{Linear, linearise};
use multibody::math::{Symmetric3, Vector3};
use multibody::{BodyId, Description, Joint, JointKind, State, Workspace, dense};

const GRAVITY: f64 = 9.81;
/// Differences over 1e-6 of numbers of order ten, loops closed to 1e-10.
const TOLERANCE: f64 = 1e-5;
const X: Vector3 = Vector3::AXES[0];
const Y: Vector3 = Vector3::AXES[1];

fn linear(bench: &mut Bench, output: impl FnMut(&Workspace, &State) -> Vec<f64>) -> Linear {
    let (model, state, inputs) = (&bench.model, &bench.state, &bench.inputs);
    linearise(model, state, inputs, &mut NoTyres, output, &mut bench.workspace)
}

fn assert_close(found: f64, expected: f64, what: &str) {
    let error = (found - expected).abs() / (1.0 + expected.abs());
    assert!(error < TOLERANCE, "{what}: {found} {expected}");
}

/// A cart of M on a slide along x, with a hanging pendulum of m, c, I about y.
fn crane() -> Description {
    let mut d = Description::empty("crane");
    let tensor = Symmetric3::new([0.2; 3], [0.0; 3]);
    let cart = d.add_body("cart", 3.0, Vector3::ZERO, tensor);
    let load = d.add_body("load", 2.0, Vector3::new(0.0, 0.0, -0.5), tensor);
    let slide = Joint::new("slide", JointKind::Translational, [BodyId::GROUND, cart], Vector3::ZERO, X);
    let hinge = Joint::new("hinge", JointKind::Revolute, [cart, load], Vector3::ZERO, Y);
    d.joints.extend([slide, hinge]);
    d
}

/// (M + m) ẍ − m c θ̈ = u, −m c ẍ + (I + m c²) θ̈ = −m g c θ: turning about +y moves the load to
/// −x.
#[test]
fn a_pushed_crane_has_its_closed_form() {
    let mut d = crane();
    d.point_forces.push(PointForce {
        name: "motor".into(),
        body: d.body("cart").expect("the cart"),
        point: Vector3::ZERO,
        force: X * 10.0,
        torque: Vector3::ZERO,
        body_axes: false,
        actuator: true,
    });
    let mut bench = Bench::new(&d);
    let (slide, hinge) = (bench.index("slide", 0), bench.index("hinge", 0));
    let read = |workspace: &Workspace, state: &State| {
        let acceleration = workspace.acceleration();
        vec![state.position[slide.0] + 2.0 * state.velocity[hinge.1], acceleration[slide.1]]
    };
    let found = linear(&mut bench, read);
    let place = |velocity: usize| found.independent.iter().position(|it| *it == velocity).expect("free");
    let (x, angle) = (place(slide.1), place(hinge.1));
    let (whole, moment, coupling, weight) = (5.0, 0.2 + 2.0 * 0.25, 1.0, 2.0 * GRAVITY * 0.5);
    let determinant = whole * moment - coupling * coupling;
    let by_angle = [-coupling * weight / determinant, -whole * weight / determinant];
    assert_close(found.a[(2 + x, angle)], by_angle[0], "ẍ by θ");
    assert_close(found.a[(2 + angle, angle)], by_angle[1], "θ̈ by θ");
    assert_close(found.a[(2 + x, x)], 0.0, "ẍ by x");
    assert_close(found.a[(x, 2 + x)], 1.0, "ẋ by its rate");
    // An input of one is 10 N.
    assert_eq!((found.b.nrows(), found.b.ncols()), (4, 1));
    let pushed = [10.0 * moment / determinant, 10.0 * coupling / determinant];
    for (row, expected) in [(x, 0.0), (angle, 0.0), (2 + x, pushed[0]), (2 + angle, pushed[1])] {
        assert_close(found.b[(row, 0)], expected, "B");
    }
    // The first output has no direct way from the input, an acceleration has.
    assert_close(found.d[(0, 0)], 0.0, "D");
    assert_close(found.d[(1, 0)], pushed[0], "D");
    assert_close(found.c[(0, x)], 1.0, "C");
    assert_close(found.c[(0, 2 + angle)], 2.0, "C");
    assert_close(found.c[(1, angle)], by_angle[0], "C");
}

/// The cart's motion is given: (I + m c²) θ̈ = m c ẍ − m g c θ. Inputs are position, velocity and
/// acceleration of the drive.
#[test]
fn a_driven_crane_has_its_closed_form() {
    let mut d = crane();
    d.joints[0].driven = true;
    let mut bench = Bench::new(&d);
    let (cart, load) = (bench.body("cart"), bench.body("load"));
    let model = bench.model.clone();
    let read = |workspace: &Workspace, _: &State| {
        let centre = model.description().bodies[load.0].centre;
        vec![workspace.position(&model, cart, Vector3::ZERO).x, workspace.point_velocity(&model, load, centre).x]
    };
    let found = linear(&mut bench, read);
    let moment = 0.2 + 2.0 * 0.25;
    assert_eq!((found.b.nrows(), found.b.ncols(), found.independent.len()), (2, 3, 1));
    for (input, expected) in [0.0, 0.0, 1.0 / moment].into_iter().enumerate() {
        assert_close(found.b[(1, input)], expected, "B");
    }
    assert_close(found.a[(1, 0)], -2.0 * GRAVITY * 0.5 / moment, "A");
    // The place of the cart is the first input; the load moves with the second, and with its own
    // angle.
    for (row, expected) in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].iter().enumerate() {
        for (input, expected) in expected.iter().enumerate() {
            assert_close(found.d[(row, input)], *expected, "D");
        }
    }
    assert_close(found.c[(1, 1)], -0.5, "C");
}

fn hinge(name: &str, bodies: [BodyId; 2], x: f64, z: f64) -> Joint {
    Joint::new(name, JointKind::Revolute, bodies, Vector3::new(x, 0.0, z), Y)
}

/// A hanging four-bar: cranks of `left` and 0.6 m, 1 m apart, and a coupler with a force along x on
/// it.
fn hanging(left: f64) -> Description {
    let mut d = Description::empty("hanging");
    let tensor = |about: f64| Symmetric3::new([about; 3], [0.0; 3]);
    let first = d.add_body("first", 1.5, Vector3::new(0.0, 0.0, -0.25), tensor(0.05));
    let second = d.add_body("second", 1.5, Vector3::new(1.0, 0.0, -0.25), tensor(0.05));
    let coupler = d.add_body("coupler", 4.0, Vector3::new(0.4, 0.0, -0.6), tensor(0.7));
    d.joints.push(hinge("first", [BodyId::GROUND, first], 0.0, 0.0));
    d.joints.push(hinge("second", [BodyId::GROUND, second], 1.0, 0.0));
    d.joints.push(hinge("first_pin", [first, coupler], 0.0, -left));
    d.joints.push(hinge("second_pin", [second, coupler], 1.0, -0.6));
    d.point_forces.push(PointForce {
        name: "push".into(),
        body: coupler,
        point: Vector3::new(0.5, 0.0, -0.6),
        force: X,
        torque: Vector3::ZERO,
        body_axes: false,
        actuator: true,
    });
    d
}

/// Equal cranks carry a coupler that never turns: J = 2 (I + m c²) + M l², J θ̈ = −(2 m c + M l) g
/// θ − l u.
#[test]
fn a_parallelogram_has_its_closed_form() {
    let mut bench = Bench::new(&hanging(0.6));
    let read = |workspace: &Workspace, _: &State| workspace.acceleration().to_vec();
    let found = linear(&mut bench, read);
    assert_eq!(found.independent.len(), 1, "a loop with one freedom");
    // The independent hinge turns with the cranks, or against them if it is a pin: A is the same, B
    // changes its sign.
    let second = bench.index("second", 0).1;
    let inertia = 2.0 * (0.05 + 1.5 * 0.0625) + 4.0 * 0.36;
    let stiffness = (2.0 * 1.5 * 0.25 + 4.0 * 0.6) * GRAVITY;
    assert_close(found.a[(1, 0)], -stiffness / inertia, "A");
    assert_close(found.b[(1, 0)].abs(), 0.6 / inertia, "B");
    assert_close(found.d[(second, 0)], -0.6 / inertia, "D");
    let modes = found.modes().expect("eigenvalues");
    let frequency = (stiffness / inertia).sqrt() / std::f64::consts::TAU;
    assert!((modes[0].natural_frequency_hz() - frequency).abs() < 1e-5);
}

/// Unequal cranks away from rest, where everything is coupled: accelerations of the dense system at
/// states moved by 1e-4 and closed anew. Central differences over 1e-4 have an error of some 1e-7.
#[test]
fn a_four_bar_agrees_with_differences_of_the_dense_system() {
    let mut d = hanging(0.4);
    d.joints[0].coordinates[0] = 0.5;
    let mut bench = Bench::new(&d);
    let moving = bench.state.independent(&bench.model).next().expect("a freedom");
    bench.state.velocity[moving] = 1.0;
    let found = linear(&mut bench, |_, _| Vec::new());
    let [free] = found.independent[..] else { panic!("one freedom") };
    let place = bench.model.primitives().iter().find(|it| it.velocity == free);
    let place = place.expect("its primitive").position;
    let dense_at = |bench: &mut Bench, angle: f64, rate: f64, push: f64| {
        let mut moved = bench.state.clone();
        moved.position[place] += angle;
        moved.velocity[free] += rate;
        let mut inputs = bench.inputs.clone();
        inputs.actuators[0] += push;
        dense::accelerations(&bench.model, &mut moved, &inputs, &mut NoTyres, &mut bench.workspace)[free]
    };
    let mut slope = |angle: f64, rate: f64, push: f64| {
        let step = 1e-4;
        let mut side = |sign: f64| {
            let by = sign * step;
            dense_at(&mut bench, by * angle, by * rate, by * push)
        };
        (side(1.0) - side(-1.0)) / (2.0 * step)
    };
    let expected = [slope(1.0, 0.0, 0.0), slope(0.0, 1.0, 0.0), slope(0.0, 0.0, 1.0)];
    assert!(expected.iter().all(|it| it.abs() > 1e-2), "all of them count: {expected:?}");
    assert_close(found.a[(1, 0)], expected[0], "by angle");
    assert_close(found.a[(1, 1)], expected[1], "by rate");
    assert_close(found.b[(1, 0)], expected[2], "by input");
}
