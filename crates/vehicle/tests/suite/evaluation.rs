//! Key figures of signals whose answers are known in closed form.

use std::f64::consts::{PI, TAU};
use vehicle::evaluation::braking::Stop;
use vehicle::evaluation::bump::settled_s;
use vehicle::evaluation::comparison::Difference;
use vehicle::evaluation::longitudinal::RoadLoad;
use vehicle::evaluation::sine_steer::WaveResponse;
use vehicle::evaluation::steady_state::{Gradients, Steady};
use vehicle::evaluation::step_steer::StepResponse;
use vehicle::evaluation::{Context, Quantity, Recording, Value, evaluate, frequency, signal};

const SPACING_S: f64 = 0.001;

fn times(length_s: f64) -> Vec<f64> {
    (0..=(length_s / SPACING_S) as usize).map(|k| k as f64 * SPACING_S).collect()
}

fn of(time: &[f64], function: impl Fn(f64) -> f64) -> Vec<f64> {
    time.iter().map(|time| function(*time)).collect()
}

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found}, expected {expected} ± {tolerance}");
}

/// A first-order lag reaches 90 % after τ ln 10 and has no overshoot. Tolerance: one sample.
#[test]
fn step_response_of_a_first_order_lag() {
    let time = times(8.0);
    let (tau, gain) = (0.2, 3.0);
    let input = of(&time, |t| if t < 1.0 { 0.0 } else { 2.0 });
    let output = of(&time, |t| 2.0 * gain * (1.0 - (-(t - 1.0).max(0.0) / tau).exp()));
    let found = StepResponse::new(&time, &input, &output, 0.5, 1.0).expect("a response");
    near(found.zero_s, 1.0, SPACING_S);
    near(found.steady, 6.0, 1e-6);
    near(found.response_s.expect("it gets there"), tau * 10_f64.ln(), SPACING_S);
    near(found.overshoot(), 0.0, 1e-6);
}

/// A second-order system with damping ζ: overshoot exp(−πζ/√(1−ζ²)) at the time π/(ω √(1−ζ²)). Also
/// to the right, where everything is negative.
#[test]
fn step_response_of_a_second_order_system() {
    let time = times(10.0);
    let (omega, zeta): (f64, f64) = (6.0, 0.5);
    let damped = omega * (1.0 - zeta * zeta).sqrt();
    for side in [1.0, -1.0] {
        let input = of(&time, |t| if t < 1.0 { 0.0 } else { side });
        let output = of(&time, |t| {
            let t = (t - 1.0).max(0.0);
            let decay = (-zeta * omega * t).exp();
            side * (1.0 - decay * ((damped * t).cos() + zeta * omega / damped * (damped * t).sin()))
        });
        let found = StepResponse::new(&time, &input, &output, 0.5, 1.0).expect("a response");
        let expected = (-PI * zeta / (1.0 - zeta * zeta).sqrt()).exp();
        near(found.overshoot(), expected, 1e-5);
        near(found.peak_s, PI / damped, 2.0 * SPACING_S);
        near(found.steady, side, 1e-6);
    }
}

/// A wave that comes back with half the size and a lag of 0.1 s.
#[test]
fn a_wave_with_a_known_lag() {
    let time = times(6.0);
    let frequency = 0.5;
    let wave = |t: f64| {
        if (0.0..=1.0 / frequency).contains(&t) { (TAU * frequency * t).sin() } else { 0.0 }
    };
    let input = of(&time, |t| 30.0 * wave(t - 1.0));
    let output = of(&time, |t| 15.0 * wave(t - 1.1));
    let found = WaveResponse::new(&time, &input, &output, 1.0, frequency).expect("two peaks");
    for k in 0..2 {
        near(found.gain[k], 0.5, 1e-6);
        near(found.lag_s[k], 0.1, 1e-6);
    }
}

/// A first-order lag over frequency: gain 1/√(1+ω²τ²), phase −atan ωτ. The lag is integrated
/// exactly for an input that is linear between samples. 1 % is for the ends of the sweep.
#[test]
fn frequency_response_of_a_first_order_lag() {
    let time = times(44.0);
    let tau = 0.15;
    let input = of(&time, |t| {
        let t = t - 1.0;
        if (0.0..=40.0).contains(&t) { (TAU * (0.2 * t + 0.5 * (3.0 - 0.2) / 40.0 * t * t)).sin() } else { 0.0 }
    });
    let mut output = vec![0.0];
    let keep = (-SPACING_S / tau).exp();
    for pair in input.windows(2) {
        let slope = (pair[1] - pair[0]) / SPACING_S;
        let last = output[output.len() - 1];
        output.push(pair[1] - slope * tau + (last - pair[0] + slope * tau) * keep);
    }
    for at in [0.3, 0.6, 1.0, 2.0, 2.7] {
        let found = frequency::response(&time, &input, &output, at);
        let omega = TAU * at;
        near(found.gain, 1.0 / (1.0 + (omega * tau).powi(2)).sqrt(), 0.01);
        near(found.phase_rad, -(omega * tau).atan(), 0.01);
    }
}

/// A single-track vehicle with a known understeer gradient, on a constant radius and at a constant
/// speed.
#[test]
fn understeer_gradient_by_both_methods() {
    let (wheelbase, ratio, understeer, roll) = (2.7, 16.0, 0.003, 0.006);
    let lateral: Vec<f64> = (0..600).map(|k| k as f64 * 0.01).collect();
    let of = |function: &dyn Fn(f64) -> f64| lateral.iter().map(|value| function(*value)).collect::<Vec<_>>();
    for curvature in [of(&|_| 0.01), of(&|a| a / (25.0 * 25.0))] {
        let steering: Vec<f64> = lateral
            .iter()
            .zip(&curvature)
            .map(|(a, curvature)| ratio * (wheelbase * curvature + understeer * a))
            .collect();
        let signals = Steady {
            lateral: &lateral,
            curvature: &curvature,
            steering_wheel: &steering,
            sideslip: &of(&|a| 0.01 - 0.002 * a),
            roll: &of(&|a| roll * a),
        };
        let found = Gradients::fit(&signals, wheelbase, ratio, [0.5, 4.0]).expect("a fit");
        near(found.understeer_rad_s2_m, understeer, 1e-12);
        near(found.sideslip_rad_s2_m, -0.002, 1e-12);
        near(found.roll_rad_s2_m, roll, 1e-12);
    }
}

/// Constant deceleration: distance v²/2a, MFDD a. Standstill is 0.1 m/s, which is reached 0.0125 s
/// and 0.6 mm earlier.
#[test]
fn a_stop_with_constant_deceleration() {
    let time = times(6.0);
    let (speed, deceleration) = (25.0, 8.0);
    let brake = of(&time, |t| f64::from(u8::from(t >= 1.0)));
    let speeds = of(&time, |t| (speed - deceleration * (t - 1.0).max(0.0)).max(0.0));
    let distances = of(&time, |t| {
        let braked = (t - 1.0).clamp(0.0, speed / deceleration);
        speed * t.min(1.0) + speed * braked - 0.5 * deceleration * braked * braked
    });
    let stop = Stop::new(&time, &brake, &speeds, &distances).expect("a stop");
    near(stop.from_m_s, speed, 0.01);
    near(stop.distance_m.expect("it stops"), speed * speed / (2.0 * deceleration), 0.01);
    near(stop.time_s.expect("it stops"), speed / deceleration, 0.015);
    near(stop.mean_m_s2.expect("it slows down"), deceleration, 1e-3);
}

/// m v̇ = −(f₀ + f₂ v²) has v = √(f₀/f₂) tan(c − √(f₀ f₂) t/m): the fit finds f₀ and f₂, and the
/// closed form the time. The tolerance of the fit is that of differences over half a second.
#[test]
fn rolling_out_against_its_closed_form() {
    let (mass, constant, quadratic): (f64, f64, f64) = (1600.0, 180.0, 0.4);
    let begin = (30.0 * (quadratic / constant).sqrt()).atan();
    let time = times(100.0);
    let speed = of(&time, |t| (constant / quadratic).sqrt() * (begin - (constant * quadratic).sqrt() * t / mass).tan());
    let load = RoadLoad::fit(&time, &speed, mass).expect("a fit");
    near(load.constant_n, constant, 0.2);
    near(load.quadratic_n_s2_m2, quadratic, 1e-3);
    let exact = RoadLoad { constant_n: constant, quadratic_n_s2_m2: quadratic };
    let reached = signal::reaches(&time, &speed, 15.0, 0).expect("it slows down");
    near(exact.time_s(mass, 30.0, 15.0), reached, 1e-3);
}

/// Times of a constant acceleration of 2 m/s² that begins with the throttle at 0.5 s.
#[test]
fn times_of_a_constant_acceleration() {
    let time = times(20.0);
    let speed = of(&time, |t| 3.6 * 2.0 * (t - 0.5).max(0.0));
    let recording = Recording::default()
        .with(Quantity::Throttle, of(&time, |t| f64::from(u8::from(t >= 0.5))))
        .with(Quantity::Speed, speed)
        .with(Quantity::Time, time);
    let figures = vehicle::evaluation::longitudinal::acceleration_figures(&recording);
    for (name, km_h) in [("0–50 km/h", 50.0), ("0–100 km/h", 100.0)] {
        let figure = figures.iter().find(|figure| figure.name == name).expect(name);
        near(figure.number().expect("reached"), km_h / 3.6 / 2.0, 1e-3);
    }
}

/// A decaying height stays within 5 mm after ln(a/0.005)/λ.
#[test]
fn settling_of_a_decaying_height() {
    let time = times(10.0);
    let height = of(&time, |t| 0.55 + if t < 2.0 { 0.0 } else { 0.1 * (-3.0 * (t - 2.0)).exp() });
    let found = settled_s(&time, &height, 0.005, 2.0).expect("it moved");
    near(found, (0.1_f64 / 0.005).ln() / 3.0, 0.002);
}

/// A sine with an error of constant size.
#[test]
fn differences_to_a_reference() {
    let time = times(4.0);
    let reference = of(&time, |t| 10.0 * (TAU * t).sin());
    let signal = of(&time, |t| 10.0 * (TAU * t).sin() + 0.8);
    let found = Difference::new(&time, &signal, &time, &reference, 1.0).expect("a difference");
    near(found.rms, 0.8, 1e-9);
    near(found.largest, 0.8, 1e-9);
    near(found.peak, 10.0, 1e-9);
    near(found.within, 1.0, 0.0);
    let narrow = Difference::new(&time, &signal, &time, &reference, 0.5).expect("a difference");
    near(narrow.within, 0.0, 0.0);
}

/// The lane change is passed only with room to every cone.
#[test]
fn a_cone_that_was_hit_is_said() {
    let time = times(3.0);
    for (least, passed) in [(0.1, true), (-0.05, false)] {
        let clearance = of(&time, |t| if t < 1.0 { f64::NAN } else { least + (t - 2.0).abs() });
        let recording = Recording::default().with(Quantity::Clearance, clearance).with(Quantity::Time, time.clone());
        let figures = vehicle::evaluation::lane_change::figures(&recording);
        assert_eq!(figures[0].value, Value::Verdict(passed));
        let found = figures.iter().find(|figure| figure.name == "least clearance");
        near(found.and_then(vehicle::evaluation::Figure::number).expect("a number"), least, 1e-9);
    }
}

/// Every kind that a manoeuvre may ask for gives figures with definitions, even of a run in which
/// nothing happened, and no figure is not a number.
#[test]
fn nothing_breaks_an_evaluation() {
    let context = Context { wheelbase_m: 2.7, steering_ratio: 16.0, mass_kg: 1500.0, ..Context::default() };
    for kind in vehicle::driver::EVALUATIONS {
        let evaluation =
            vehicle::driver::Evaluation { kind: (*kind).to_owned(), parameters: context.parameters.clone() };
        for length_s in [0.001, 0.5, 5.0] {
            let recording = Recording::default().with(Quantity::Time, times(length_s));
            let figures = evaluate(Some(&evaluation), &recording, &context);
            assert!(!figures.is_empty(), "{kind}");
            for figure in figures {
                assert!(!figure.definition.is_empty(), "{}", figure.name);
                assert!(figure.number().is_none_or(f64::is_finite), "{}", figure.name);
            }
        }
    }
}
