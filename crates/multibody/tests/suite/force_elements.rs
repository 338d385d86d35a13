//! Force elements one at a time, from a file to an acceleration that a hand calculation gives:
//! stops, curves, springs on coordinates.
//!
//! A mass of 2 kg slides along x on a line element from the origin; a flywheel of 0.5 kg m² turns
//! about x. There is no gravity, so that ẍ = −f/m and θ̈ = −n/I, with f and n as
//! `docs/model-files.md` has them. All numbers are short: what is left is rounding.

use crate::support::bench::Bench;
use multibody::Method;
use std::f64::consts::PI;

const TOLERANCE: f64 = 1e-12;
const MASS: f64 = 2.0;
const INERTIA: f64 = 0.5;

/// The line element is 0.5 m long at x = 0.
fn slider(element: &str) -> Bench {
    let topology = "name = \"slider\"\nbodies = [\"mass\"]\n\
        [joints]\nslide = { type = \"translational\", bodies = [\"ground\", \"mass\"] }\n";
    let parameters = "gravity_m_s2 = [0.0, 0.0, 0.0]\n\
        [bodies.mass]\nmass_kg = 2.0\ncentre_of_gravity_m = [0.5, 0.0, 0.0]\nmoments_kg_m2 = [1.0, 1.0, 1.0]\n\
        [joints.slide]\naxis = [1.0, 0.0, 0.0]\n";
    Bench::of_texts(topology, &(parameters.to_string() + element))
}

fn line(fields: &str) -> Bench {
    let head = "[tsda.line]\nbodies = [\"ground\", \"mass\"]\npoints_m = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0]]\n";
    slider(&(head.to_string() + fields))
}

/// Two flywheels of 0.5 and 0.25 kg m², and a sleeve of 2 kg and 0.5 kg m² that turns and slides.
fn wheels(element: &str) -> Bench {
    let topology = "name = \"flywheels\"\nbodies = [\"one\", \"other\", \"sleeve\"]\n[joints]\n\
        one = { type = \"revolute\", bodies = [\"ground\", \"one\"] }\n\
        other = { type = \"revolute\", bodies = [\"ground\", \"other\"] }\n\
        sleeve = { type = \"cylindrical\", bodies = [\"ground\", \"sleeve\"] }\n";
    let mut parameters = String::from("gravity_m_s2 = [0.0, 0.0, 0.0]\n");
    for (name, about) in [("one", 0.5), ("other", 0.25), ("sleeve", 0.5)] {
        parameters += &format!(
            "[bodies.{name}]\nmass_kg = 2.0\ncentre_of_gravity_m = [0.0, 0.0, 0.0]\nmoments_kg_m2 = [{about}, 0.4, 0.4]\n\
             [joints.{name}]\npoint_m = [0.0, 0.0, 0.0]\naxis = [1.0, 0.0, 0.0]\n"
        );
    }
    Bench::of_texts(topology, &(parameters + element))
}

fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < TOLERANCE * (1.0 + expected.abs()), "{what}: {found} {expected}");
}

/// Tension of the line at a length and rate.
fn tension(bench: &mut Bench, length: f64, rate: f64) -> f64 {
    bench.set("slide", 0, length - 0.5, rate);
    -MASS * bench.acceleration("slide", 0)
}

/// Torque that the spring takes from a flywheel.
fn torque(bench: &mut Bench, joint: &str, angle: f64, rate: f64) -> f64 {
    bench.set(joint, 0, angle, rate);
    -INERTIA * bench.acceleration(joint, 0)
}

/// Length or angle, rate, and the force.
type Case = (f64, f64, f64);

#[test]
fn stops_of_a_line_act_beyond_their_length_and_in_their_direction_only() {
    let bump: [Case; 6] = [
        (0.45, 0.0, 0.0),
        (0.45, -9.0, 0.0),  // not there yet, however fast
        (0.3, 0.0, -100.0), // 1000 · (0.3 − 0.4)
        (0.3, -1.0, -150.0),
        (0.3, 1.5, -25.0),
        (0.3, 3.0, 0.0), // −100 + 150 would pull
    ];
    let rebound: [Case; 4] = [
        (0.55, 9.0, 0.0),
        (0.65, 0.0, 100.0), // 2000 · (0.65 − 0.6)
        (0.65, 2.0, 200.0),
        (0.65, -3.0, 0.0), // 100 − 150 would push
    ];
    for (stop, cases) in [
        ("bump_stop = { length_m = 0.4, stiffness_n_m = 1000.0, damping_ns_m = 50.0 }\n", &bump[..]),
        ("rebound_stop = { length_m = 0.6, stiffness_n_m = 2000.0, damping_ns_m = 50.0 }\n", &rebound),
    ] {
        let mut it = line(stop);
        for (length, rate, expected) in cases {
            assert_close(tension(&mut it, *length, *rate), *expected, stop);
        }
    }
}

#[test]
fn angle_stops_act_beyond_their_angles_and_in_their_direction_only() {
    let stops = "[rsda.stops]\njoint = \"one\"\n\
        lower_stop = { angle_rad = -0.5, stiffness_nm_rad = 100.0, damping_nms_rad = 4.0 }\n\
        upper_stop = { angle_rad = 0.25, stiffness_nm_rad = 200.0, damping_nms_rad = 4.0 }\n";
    let mut it = wheels(stops);
    for (angle, rate, expected) in [
        (0.2, 5.0, 0.0),
        (-0.4, -5.0, 0.0),
        (0.5, 0.0, 50.0), // 200 · (0.5 − 0.25)
        (0.5, 2.0, 58.0),
        (0.5, -20.0, 0.0),
        (-0.75, 0.0, -25.0), // 100 · (−0.75 + 0.5)
        (-0.75, -2.0, -33.0),
        (-0.75, 20.0, 0.0),
    ] {
        assert_close(torque(&mut it, "one", angle, rate), expected, "stop");
    }
}

/// The natural cubic spline through (0, 0), (1, 1), (2, 0) has curvature −3 in the middle: 3/2 x −
/// 1/2 x³ on the first piece, the mirror image on the second, and goes on with slopes 3/2 and −3/2.
/// Here its abscissa is tenfold the stretch, or the rate; its ordinate is a hundredth of the force.
#[test]
fn spline_curves_of_length_and_rate_act_inside_a_line_element() {
    let length = "spring_curve = { points = [[0.0, 0.0], [0.1, 100.0], [0.2, 0.0]], interpolation = \"spline\" }\n";
    let rate = "damper_curve = { points = [[0.0, 0.0], [1.0, 100.0], [2.0, 0.0]], interpolation = \"spline\" }\n";
    let curve = [(0.5, 68.75), (1.0, 100.0), (1.5, 68.75), (3.0, -150.0), (-1.0, -150.0)];
    let mut both = line(&format!("free_length_m = 0.3\n{length}{rate}"));
    for (x, by_length) in curve {
        for (v, by_rate) in curve {
            assert_close(tension(&mut both, 0.3 + 0.1 * x, v), by_length + by_rate, "spline");
        }
    }
    // Straight pieces through the same points are another law: the spline is not one of them by
    // chance.
    let mut straight = line(&format!("free_length_m = 0.3\n{}", length.replace("spline", "linear")));
    assert_close(tension(&mut straight, 0.35, 0.0), 50.0, "straight");
}

#[test]
fn spline_curves_of_angle_and_rate_act_inside_a_rotational_element() {
    let curves = "[rsda.curves]\njoint = \"one\"\nfree_angle_rad = 0.25\npreload_nm = 7.0\ndamping_nms_rad = 2.0\n\
        spring_curve = { points = [[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]], interpolation = \"spline\" }\n\
        damper_curve = { points = [[0.0, 0.0], [1.0, 10.0], [2.0, 0.0]], interpolation = \"spline\" }\n";
    let mut it = wheels(curves);
    // 7 + 2 · 1 + S(0.5) + D(1), and at rest at the free angle the preload alone.
    assert_close(torque(&mut it, "one", 0.75, 1.0), 9.0 + 0.6875 + 10.0, "spline");
    assert_close(torque(&mut it, "one", 0.25, 0.0), 7.0, "preload");
}

/// n = 3 (θ₁ − θ₂ − 0.1) + 0.5 (θ̇₁ − θ̇₂) takes from the one flywheel what it gives to the other.
#[test]
fn a_spring_against_another_joint_acts_on_the_difference() {
    let spring = "[rsda.bar]\njoint = \"one\"\nagainst = \"other\"\nfree_angle_rad = 0.1\n\
        stiffness_nm_rad = 3.0\ndamping_nms_rad = 0.5\n";
    let mut it = wheels(spring);
    it.set("one", 0, 0.8, 1.0);
    it.set("other", 0, -0.3, 3.0);
    let expected = 3.0 * (0.8 + 0.3 - 0.1) + 0.5 * (1.0 - 3.0);
    assert_close(it.acceleration("one", 0), -expected / 0.5, "one");
    assert_close(it.acceleration("other", 0), expected / 0.25, "other");
    assert_close(it.acceleration("sleeve", 0), 0.0, "a third wheel");
    // Turned together the bar is not twisted.
    it.set("one", 0, 0.6, 2.0);
    it.set("other", 0, 0.5, 2.0);
    assert_close(it.acceleration("one", 0), 0.0, "together");
}

#[test]
fn a_spring_on_a_displacement_leaves_the_angle_alone() {
    let fields =
        "coordinate = \"displacement\"\nstiffness_nm_rad = 40.0\ndamping_nms_rad = 4.0\nfree_angle_rad = 0.05\n";
    let mut it = slider(&format!("[rsda.spring]\njoint = \"slide\"\n{fields}"));
    it.set("slide", 0, 0.3, 0.5);
    // −(40 · 0.25 + 4 · 0.5) / 2
    assert_close(it.acceleration("slide", 0), -6.0, "translational");
    let mut it = wheels(&format!("[rsda.spring]\njoint = \"sleeve\"\n{fields}"));
    it.set("sleeve", 0, 0.7, 0.9);
    it.set("sleeve", 1, 0.3, 0.5);
    assert_close(it.acceleration("sleeve", 1), -6.0, "cylindrical");
    assert_close(it.acceleration("sleeve", 0), 0.0, "its angle");
    // The same spring without the word acts on the angle.
    let angle = fields.replace("coordinate = \"displacement\"\n", "");
    let mut it = wheels(&format!("[rsda.spring]\njoint = \"sleeve\"\n{angle}"));
    it.set("sleeve", 0, 0.3, 0.5);
    it.set("sleeve", 1, 0.7, 0.9);
    assert_close(it.acceleration("sleeve", 0), -12.0 / INERTIA, "its angle");
    assert_close(it.acceleration("sleeve", 1), 0.0, "its displacement");
}

/// θ = 15 cos ω t with ω² = k/I: four and a half revolutions, past 2π and −2π. A wrapped angle
/// would be off by a multiple of 2π. A step of 1 ms leaves (ω h)⁴ ω t / 120 ≈ 1e-12 of the
/// amplitude.
#[test]
fn revolutions_are_counted() {
    let mut it = wheels("[rsda.spring]\njoint = \"one\"\nstiffness_nm_rad = 2.0\n");
    for turns in [0.5, 1.0, 2.5, -7.0] {
        let angle = 2.0 * PI * turns;
        assert_close(torque(&mut it, "one", angle, 0.0), 2.0 * angle, "turns");
    }
    it.set("one", 0, 15.0, 0.0);
    let (place, _) = it.index("one", 0);
    it.run(Method::RungeKutta4, 1e-3, 3200, |now, _| {
        let expected = 15.0 * (2.0 * now.state.time).cos();
        assert!((now.state.position[place] - expected).abs() < 1e-9, "{}", now.state.time);
    });
}

/// What a spring stores is what it takes to get there: ½ k x² for springs and stops, ∫S for curves.
/// For the spline above ∫₀¹ = 3/4 − 1/8.
#[test]
fn stored_energy_is_the_integral_of_the_force() {
    let mut stopped = line(
        "bump_stop = { length_m = 0.4, stiffness_n_m = 1000.0 }\n\
        rebound_stop = { length_m = 0.6, stiffness_n_m = 2000.0 }\n",
    );
    for (length, expected) in [(0.3, 5.0), (0.5, 0.0), (0.7, 10.0)] {
        tension(&mut stopped, length, 0.0);
        assert_close(stopped.energy(), expected, "stops");
    }
    let mut curved = wheels(
        "[rsda.curve]\njoint = \"one\"\n\
        spring_curve = { points = [[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]], interpolation = \"spline\" }\n\
        lower_stop = { angle_rad = -0.5, stiffness_nm_rad = 100.0 }\nupper_stop = { angle_rad = 0.5, stiffness_nm_rad = 100.0 }\n",
    );
    torque(&mut curved, "one", 1.0, 0.0);
    // Simpson's rule has no error on a cubic.
    assert_close(curved.energy(), 0.625 + 0.5 * 100.0 * 0.25, "curve and stop");
    torque(&mut curved, "one", -1.0, 0.0);
    assert_close(curved.energy(), 0.5 * 1.5 + 0.5 * 100.0 * 0.25, "straight end and stop");
}
