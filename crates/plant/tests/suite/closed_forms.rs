//! The plants against solutions that can be written down.

use crate::{build, outputs};
use plant::{Method, PlantKind};

fn run(kind: PlantKind, initial: (&str, f64), inputs: &[f64], method: Method, step_count: u32, end_s: f64) -> Vec<f64> {
    let mut plant = build(kind, &[], &[initial], method);
    for _ in 0..step_count {
        let status = plant.step(inputs, end_s / f64::from(step_count));
        assert!(status.is_ok(), "{status}");
    }
    outputs(&*plant)
}

/// Eq. 5 with constant valves is A·ṅ = Q − c·√n with Q = q_m·V_e and c = V_o·a·√(2g). With s = √n:
///
/// ```text
/// 2·A·s·ṡ = Q − c·s
/// dt = 2·A·s / (Q − c·s) ds
/// t  = (2·A/c) · [ (s_0 − s) + (Q/c)·ln((Q − c·s_0) / (Q − c·s)) ]
/// ```
/// because ∫ s/(Q − c·s) ds = −s/c − Q/c²·ln(Q − c·s). It is solved for n by halving an interval.
fn tank_level_cm(start_cm: f64, inlet: f64, time_s: f64) -> f64 {
    let (area, flow, outlet) = (15.518, 69.0 * inlet, 0.1781 * (2.0 * 980.0f64).sqrt());
    let time_at = |s: f64| {
        let s0 = start_cm.sqrt();
        2.0 * area / outlet * ((s0 - s) + flow / outlet * ((flow - outlet * s0) / (flow - outlet * s)).ln())
    };
    // the level rises from its start towards (Q/c)², and time_at rises with it
    let (mut low, mut high) = (start_cm.sqrt(), flow / outlet);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if time_at(middle) < time_s { low = middle } else { high = middle }
    }
    low * low
}

/// Eq. 12 with constant torque and slope is M·v̇ = F − k·v² with F = f_t − M·g·(C_0 + sin θ) and
/// k = ½ρC_dA + M·g·C_1. From rest, with v_∞ = √(F/k) and T = M/√(F·k):
///
/// ```text
/// ∫ dv / (1 − v²/v_∞²) = F/M·t  ⟹  v = v_∞·tanh(t/T),   s = v_∞·T·ln cosh(t/T)
/// ```
fn car_speed_and_position(torque: f64, time_s: f64) -> (f64, f64) {
    let force = torque * 2000.0 / 0.26 - 450.0 * 9.8 * 0.015;
    let drag: f64 = 0.5 * 1.18 * 0.51 * 2.4;
    let (speed, constant_s) = ((force / drag).sqrt(), 450.0 / (force * drag).sqrt());
    let part = time_s / constant_s;
    (speed * part.tanh(), speed * constant_s * part.cosh().ln())
}

/// The order that halving the step shows, from steps small enough for the leading term to rule and
/// errors large enough (above 10⁻¹¹) for rounding not to matter.
fn check_order(method: Method, step_count: u32, error: impl Fn(u32) -> f64) {
    let (coarse, fine) = (error(step_count), error(2 * step_count));
    let order = (coarse / fine).log2();
    let promised = f64::from(method.order());
    assert!((order - promised).abs() < 0.15, "{method}: measured order {order}, errors {coarse:e} and {fine:e}");
}

#[test]
fn the_tank_converges_to_its_closed_form() {
    let exact = tank_level_cm(4.0, 0.457, 20.0);
    assert!((10.0..15.9).contains(&exact), "between start and end: {exact}");
    for method in Method::all() {
        let step_count = if method == Method::Rk4 { 20 } else { 160 };
        check_order(method, step_count, |count| {
            (run(PlantKind::Tank, ("level_cm", 4.0), &[0.457, 1.0], method, count, 20.0)[0] - exact).abs()
        });
    }
}

#[test]
fn the_car_converges_to_its_closed_form() {
    let (speed, position) = car_speed_and_position(0.25, 8.0);
    assert!((20.0..50.0).contains(&speed), "{speed}");
    for method in Method::all() {
        let step_count = if method == Method::Rk4 { 40 } else { 320 };
        let error = |count: u32, output: usize, exact: f64| {
            (run(PlantKind::Car, ("speed_m_s", 0.0), &[0.25, 0.0], method, count, 8.0)[output] - exact).abs()
        };
        check_order(method, step_count, |count| error(count, 0, speed));
        check_order(method, step_count, |count| error(count, 1, position));
    }
}

/// From an empty tank the solution begins as n = Q/A·t − b·t^1.5: no method that samples such a
/// slope can be better than order 1.5. Written down as a warning against searching for a mistake in
/// RK4.
#[test]
fn an_empty_tank_starts_with_order_one_and_a_half() {
    let exact = tank_level_cm(0.0, 0.457, 20.0);
    let error =
        |count| (run(PlantKind::Tank, ("level_cm", 0.0), &[0.457, 1.0], Method::Rk4, count, 20.0)[0] - exact).abs();
    let order = (error(2000) / error(4000)).log2();
    assert!((order - 1.5).abs() < 0.05, "measured {order}");
}

/// Without inflow the root falls on a straight line, √n = √n_0 − c/(2A)·t, until the tank is empty
/// at t = 2A·√n_0/c; then it stays empty and the limit keeps it from going below.
#[test]
fn a_draining_tank_ends_empty() {
    let outlet = 0.1781 * (2.0 * 980.0f64).sqrt();
    let empty_s = 2.0 * 15.518 * 4.0 / outlet;
    for method in Method::all() {
        let mut plant = build(PlantKind::Tank, &[], &[("level_cm", 16.0)], method);
        while plant.time_s() + 1e-9 < 10.0 {
            plant.step(&[0.0, 1.0], 0.001);
        }
        let expected = (4.0 - outlet / (2.0 * 15.518) * 10.0f64).powi(2);
        assert!((plant.state()[0] - expected).abs() < 3e-3, "{method}: {} {expected}", plant.state()[0]);
        while plant.time_s() < empty_s + 1.0 {
            plant.step(&[0.0, 1.0], 0.001);
            assert!(plant.state()[0] >= 0.0);
        }
        assert!(plant.state()[0] < 1e-6, "{method}: {}", plant.state()[0]);
    }
}
