//! One suite for all integration methods: the order that is promised is the order that is measured.

use plant::description::{Description, Port, Range};
use plant::ode::{Moment, Workspace};
use plant::{Method, Plant, System};

/// A smooth problem with a known solution that depends on the time and on the state: a rotation and
/// a growth,
///
/// ```text
/// ẋ1 = x2, ẋ2 = −x1, ẋ3 = x3·cos t     x(0) = (0, 1, 1)     x(t) = (sin t, cos t, e^(sin t))
/// ```
#[derive(Clone)]
struct Smooth;

impl System for Smooth {
    fn describe(&self) -> Description {
        let wide = Range::new(-100.0, 100.0);
        let state = |name: &str, start| Port::new(name, "1", wide, start, "a state");
        Description {
            name: "smooth".into(),
            summary: "a rotation and a growth".into(),
            inputs: vec![],
            outputs: vec![],
            states: vec![state("sine_ratio", 0.0), state("cosine_ratio", 1.0), state("growth_ratio", 1.0)],
        }
    }

    fn derivative(&self, time_s: f64, state: &[f64], _inputs: &[f64], derivative: &mut [f64]) {
        derivative.copy_from_slice(&[state[1], -state[0], state[2] * time_s.cos()]);
    }

    fn limit(&self, _state: &mut [f64]) -> bool {
        false
    }

    fn outputs(&self, _state: &[f64], _inputs: &[f64], _outputs: &mut [f64]) {}
}

const END_S: f64 = 3.0;

fn error_at_end(state: &[f64]) -> f64 {
    let exact = [END_S.sin(), END_S.cos(), END_S.sin().exp()];
    state.iter().zip(exact).map(|(found, exact)| (found - exact).abs()).fold(0.0, f64::max)
}

fn error_of(method: Method, step_count: u32) -> f64 {
    let step_s = END_S / f64::from(step_count);
    let mut workspace = Workspace::new(3);
    let mut state = [0.0, 1.0, 1.0];
    for step in 0..step_count {
        let moment = Moment { time_s: f64::from(step) * step_s, step_s, inputs: &[] };
        method.step(&Smooth, moment, &mut state, &mut workspace);
    }
    error_at_end(&state)
}

/// log2 of the ratio of errors when the step is halved from END_S/200: small enough that the next
/// term of the error is a few per cent of the leading one, large enough that RK4's 10⁻¹⁰ stands
/// above rounding.
fn measured_order(error_of: impl Fn(u32) -> f64) -> f64 {
    (error_of(200) / error_of(400)).log2()
}

#[test]
fn the_measured_order_is_the_promised_one() {
    for method in Method::all() {
        let order = measured_order(|count| error_of(method, count));
        assert!((order - f64::from(method.order())).abs() < 0.1, "{method}: measured {order}");
    }
}

/// The gauge must see a wrong start: Adams–Bashforth 3 begun with two Euler steps is of order 2.
#[test]
fn a_wrong_start_is_caught() {
    let started_badly = |count: u32| {
        let step_s = END_S / f64::from(count);
        let mut workspace = Workspace::new(3);
        let mut state = [0.0, 1.0, 1.0];
        let mut slopes: Vec<[f64; 3]> = Vec::new();
        for step in 0..count as usize {
            let mut slope = [0.0; 3];
            Smooth.derivative(step as f64 * step_s, &state, &[], &mut slope);
            slopes.push(slope);
            if step < 2 {
                let moment = Moment { time_s: step as f64 * step_s, step_s, inputs: &[] };
                Method::Euler.step(&Smooth, moment, &mut state, &mut workspace);
                continue;
            }
            for (index, x) in state.iter_mut().enumerate() {
                let weighted =
                    23.0 * slopes[step][index] - 16.0 * slopes[step - 1][index] + 5.0 * slopes[step - 2][index];
                *x += step_s / 12.0 * weighted;
            }
        }
        error_at_end(&state)
    };
    let order = measured_order(started_badly);
    assert!((order - 2.0).abs() < 0.2, "the wrong start should cost one order: measured {order}");
}

#[test]
fn names_read_back() {
    for method in Method::all() {
        assert_eq!(method.name().parse(), Ok(method));
    }
    let message = "rk5".parse::<Method>().expect_err("no such method");
    assert!(Method::all().all(|method| message.contains(method.name())), "{message}");
}

/// A history that belongs to another step length would be wrong: changing the step half-way keeps
/// the order.
#[test]
fn a_change_of_the_step_length_keeps_the_order() {
    let changing = |method: Method, count: u32| {
        let mut workspace = Workspace::new(3);
        let mut state = [0.0, 1.0, 1.0];
        let mut time_s = 0.0;
        for (part_s, steps) in [(1.0, count / 2), (2.0, count * 2)] {
            let step_s = part_s / f64::from(steps);
            for _ in 0..steps {
                method.step(&Smooth, Moment { time_s, step_s, inputs: &[] }, &mut state, &mut workspace);
                time_s += step_s;
            }
        }
        error_at_end(&state)
    };
    for method in Method::all() {
        let order = measured_order(|count| changing(method, count));
        assert!((order - f64::from(method.order())).abs() < 0.15, "{method}: measured {order}");
    }
}

/// A restored multistep method starts its history again, which must not cost its order.
#[test]
fn a_restore_half_way_keeps_the_order() {
    let restored = |method: Method, count: u32| {
        let step_s = END_S / f64::from(count);
        let mut plant = plant::OdePlant::new(Smooth, method, 1);
        for step in 0..count {
            if step == count / 2 {
                let (time_s, state) = (plant.time_s(), plant.state().to_vec());
                plant = plant::OdePlant::new(Smooth, method, 1);
                plant.restore(time_s, &state).expect("its own state");
            }
            plant.step(&[], step_s);
        }
        error_at_end(plant.state())
    };
    for method in Method::all() {
        let order = measured_order(|count| restored(method, count));
        assert!((order - f64::from(method.order())).abs() < 0.15, "{method}: measured {order}");
    }
}

/// Substeps are steps: one step of four substeps is four steps, to rounding of the times.
#[test]
fn substeps_are_steps() {
    for method in Method::all() {
        let (mut whole, mut parts) = (plant::OdePlant::new(Smooth, method, 4), plant::OdePlant::new(Smooth, method, 1));
        for _ in 0..50 {
            whole.step(&[], 0.04);
            (0..4).for_each(|_| {
                parts.step(&[], 0.01);
            });
        }
        for (whole, parts) in whole.state().iter().zip(parts.state()) {
            assert!((whole - parts).abs() < 1e-13, "{method}: {whole} and {parts}");
        }
    }
}
