//! The formulas of P. Gallo's thesis (2012), §4.2.2 and appendix D: the table that is right, and
//! what is printed wrongly beside it.
//!
//! Elsewhere: 75.6° of pedal in `calibration`, the engine's torque polynomial in `vehicle`'s
//! powertrain, five channels of 200 µs in `board`.

use acquisition::differentiation::{Differentiator, Estimate, Method, smooth_coefficients};

/// Period of the thesis's simulator.
const PERIOD_S: f64 = 0.005;
const PERIOD_NS: u64 = 5_000_000;

/// Table 4.3: denominator without h, and coefficients from the newest sample on.
const TABLE_4_3: [(usize, f64, &[f64]); 7] = [
    (2, 2.0, &[1.0, 0.0, -1.0]),
    (3, 4.0, &[1.0, 1.0, -1.0, -1.0]),
    (4, 8.0, &[1.0, 2.0, 0.0, -2.0, -1.0]),
    (5, 16.0, &[1.0, 3.0, 2.0, -2.0, -3.0, -1.0]),
    (6, 32.0, &[1.0, 4.0, 5.0, 0.0, -5.0, -4.0, -1.0]),
    (7, 64.0, &[1.0, 5.0, 9.0, 5.0, -5.0, -9.0, -5.0, -1.0]),
    (8, 128.0, &[1.0, 6.0, 14.0, 14.0, 0.0, -14.0, -14.0, -6.0, -1.0]),
];

/// The newest estimate after a signal has been sampled at the thesis's period.
fn last(method: Method, signal: impl Fn(f64) -> f64) -> Estimate {
    let mut differentiator = Differentiator::new(method, u64::MAX);
    let estimates = (0..40_u64).map(|sample| differentiator.push(sample * PERIOD_NS, signal(sample as f64 * PERIOD_S)));
    estimates.last().expect("forty samples")
}

#[test]
fn the_generator_gives_every_row_of_table_4_3() {
    for (length, _, row) in TABLE_4_3 {
        let coefficients = smooth_coefficients(length);
        assert_eq!(&coefficients[..=length], row, "N = {length}");
        assert!(coefficients[length + 1..].iter().all(|rest| *rest == 0.0));
    }
}

#[test]
fn every_row_of_table_4_3_is_what_the_differentiator_does() {
    let signal = |time_s: f64| (17.0 * time_s).sin() + 3.0 * time_s;
    for (length, denominator, row) in TABLE_4_3 {
        let samples = row.iter().zip(0..).map(|(c, k)| c * signal(f64::from(39 - k) * PERIOD_S));
        let printed = samples.sum::<f64>() / (denominator * PERIOD_S);
        let found = last(Method::Smooth { length }, signal).rate;
        assert!((found - printed).abs() < 1e-11, "N = {length}: {found} for {printed}");
    }
}

/// Appendix D, line 51, divides by 16·h.
#[test]
fn erratum_the_velocity_is_divided_by_8_h() {
    let ramp = |sample: i32| f64::from(sample) * PERIOD_S;
    let sum = ramp(4) + 2.0 * ramp(3) - 2.0 * ramp(1) - ramp(0);
    assert!((sum / (16.0 * PERIOD_S) - 0.5).abs() < 1e-12, "as printed: half of the slope");
    assert!((sum / (8.0 * PERIOD_S) - 1.0).abs() < 1e-12);
    assert!((last(Method::Smooth { length: 4 }, |time_s| time_s).rate - 1.0).abs() < 1e-12);
}

/// Appendix D, line 53, divides by 320·h, as though it were another differentiator.
#[test]
fn erratum_the_acceleration_is_divided_by_8_h() {
    let velocity = |sample: i32| f64::from(sample) * PERIOD_S;
    let sum = velocity(4) + 2.0 * velocity(3) - 2.0 * velocity(1) - velocity(0);
    assert!((sum / (320.0 * PERIOD_S) - 1.0 / 40.0).abs() < 1e-12, "as printed: a fortieth");
    let parabola = last(Method::Smooth { length: 4 }, |time_s| 0.5 * time_s * time_s);
    assert!((parabola.acceleration - 1.0).abs() < 1e-9);
}

fn binomial(n: i32, k: i32) -> f64 {
    if k < 0 || k > n {
        return 0.0;
    }
    (0..k).map(|i| f64::from(n - i) / f64::from(k - i)).product()
}

/// Eq. 4.17 and 4.18 as printed.
fn printed_coefficient(points: i32, k: i32) -> f64 {
    let m = (points - 3) / 2;
    (binomial(2 * m, m - k + 1) - binomial(2 * m, m - k - 1)) / 2_f64.powi(2 * m + 1)
}

/// Eq. 4.17 and 4.18 are the coefficients of the centred differentiator, Σ cₖ·(f₊ₖ − f₋ₖ)/h, which
/// needs the future. Put into Eq. 4.16 they give a signal at rest a rate. Delayed until the future
/// is past, they are the one-sided differentiator that is one shorter.
#[test]
fn erratum_eq_4_17_is_the_centred_form() {
    for points in [5, 7, 9] {
        let at_rest: f64 = (0..=points).map(|k| printed_coefficient(points, k)).sum();
        assert!(at_rest > 0.25, "Eq. 4.16 of a constant 1 is {at_rest}/h");
        let half = (points - 1) / 2;
        let length = usize::try_from(points - 1).expect("positive");
        let denominator = 2_f64.powi(points - 2);
        for (place, coefficient) in (0..points).zip(smooth_coefficients(length)) {
            let k = half - place;
            let centred = printed_coefficient(points, k.abs()) * f64::from(k.signum());
            assert!((coefficient / denominator - centred).abs() < 1e-15, "{points} points, place {place}");
        }
    }
}
