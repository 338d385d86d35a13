//! Differentiators against closed forms: polynomials, sinusoids, least squares, the poles of the
//! Kalman–Bucy filter.

use std::f64::consts::TAU;

use acquisition::differentiation::{Differentiator, Estimate, Method};
use proptest::prelude::*;

const MS: u64 = 1_000_000;
const NEVER: u64 = u64::MAX;

fn smooth(length: usize) -> Method {
    Method::Smooth { length }
}

fn backward(points: usize) -> Method {
    Method::Backward { points }
}

/// Runs a signal through a method at given times (ns) and gives the estimate after each sample.
fn run(method: Method, times_ns: &[u64], signal: impl Fn(f64) -> f64) -> Vec<Estimate> {
    let mut differentiator = Differentiator::new(method, NEVER);
    let estimates = times_ns.iter().map(|ns| differentiator.push(*ns, signal(*ns as f64 * 1e-9)));
    estimates.collect()
}

/// Times whose intervals are given in microseconds.
fn times(intervals_us: &[u64]) -> Vec<u64> {
    let mut now_ns = 5 * MS;
    let later = intervals_us.iter().map(|interval_us| {
        now_ns += interval_us * 1_000;
        now_ns
    });
    [5 * MS].into_iter().chain(later).collect()
}

proptest! {
    /// From the second sample on, at any times. Values of up to 20 have a rounding error of 4e-15;
    /// the shortest interval is 0.1 ms, and differences of four points magnify by up to some
    /// thousands where intervals differ by a factor of 200: 1e-6 of a slope of 1 is far above that.
    #[test]
    fn every_difference_is_exact_on_ramps_at_any_times(
        intervals_us in prop::collection::vec(100_u64..20_000, 2..30), slope in -10.0..10.0_f64, start in -10.0..10.0_f64,
    ) {
        let methods = (2..=10).map(smooth).chain((1..=4).map(backward));
        for method in methods {
            let estimates = run(method, &times(&intervals_us), |time_s| start + slope * time_s);
            for estimate in &estimates[1..] {
                prop_assert!((estimate.rate - slope).abs() < 1e-6, "{method:?}: {} for {slope}", estimate.rate);
            }
        }
    }

    /// The rate of a smooth differentiator belongs to a time of its own, so its acceleration is
    /// exact on parabolas at any times. Rounding: 4e-15 of the values over two intervals of at
    /// least 1 ms.
    #[test]
    fn smooth_accelerations_are_exact_on_parabolas_at_any_times(
        intervals_us in prop::collection::vec(1_000_u64..20_000, 3..30), curvature in -10.0..10.0_f64, slope in -10.0..10.0_f64,
    ) {
        for length in 2..=10 {
            let parabola = |time_s: f64| slope * time_s + 0.5 * curvature * time_s * time_s;
            let estimates = run(smooth(length), &times(&intervals_us), parabola);
            for estimate in &estimates[2..] {
                prop_assert!((estimate.acceleration - curvature).abs() < 1e-4, "{length}: {} for {curvature}", estimate.acceleration);
            }
        }
    }

    /// Once every rate in the history comes from a full history of values.
    #[test]
    fn backward_differences_are_exact_on_their_polynomials_at_any_times(intervals_us in prop::collection::vec(5_000_u64..20_000, 12..30)) {
        for points in 2..=4 {
            let degree = points as i32;
            let power = |time_s: f64| (time_s - 0.1).powi(degree);
            let times_ns = times(&intervals_us);
            let estimates = run(backward(points), &times_ns, power);
            for (ns, estimate) in times_ns.iter().zip(&estimates).skip(2 * points) {
                let time_s = *ns as f64 * 1e-9 - 0.1;
                let rate = f64::from(degree) * time_s.powi(degree - 1);
                let acceleration = f64::from(degree * (degree - 1)) * time_s.powi(degree - 2);
                prop_assert!((estimate.rate - rate).abs() < 1e-8, "{points}: {} for {rate}", estimate.rate);
                prop_assert!((estimate.acceleration - acceleration).abs() < 1e-4, "{points}: {} for {acceleration}", estimate.acceleration);
            }
        }
    }

    /// Both filters' models contain the ramp: its error dies out with their memory, at any times.
    #[test]
    fn filters_end_on_the_ramp_at_any_times(intervals_us in prop::collection::vec(500_u64..5_000, 600), slope in -100.0..100.0_f64) {
        let fading = Method::FadingMemory { time_constant_s: 0.02 };
        let kalman = Method::Kalman { jerk_density: 1e4, noise: 0.05 };
        for method in [fading, kalman] {
            let estimates = run(method, &times(&intervals_us), |time_s| slope * time_s);
            let last = estimates.last().expect("600 samples");
            prop_assert!((last.rate - slope).abs() < 1e-6 && last.acceleration.abs() < 1e-3, "{method:?}: {last:?} for {slope}");
        }
    }
}

/// The test above is not one that everything passes: with the printed formula and the mean period,
/// a ramp at uneven times is wrong.
#[test]
fn the_formula_for_even_times_is_not_exact_at_uneven_ones() {
    let times_s: [f64; 5] = [0.0, 0.004, 0.011, 0.012, 0.020];
    let [f4, f3, _, f1, f0] = times_s;
    let period_s = 0.020 / 4.0;
    let printed = (f0 + 2.0 * f1 - 2.0 * f3 - f4) / (8.0 * period_s);
    assert!((printed - 1.0).abs() > 0.05, "found {printed}");
}

/// Amplitude and phase (rad) of the response to e^(iωt), from one whole period of the output after
/// the history is full.
fn response(method: Method, cycles: u32) -> (f64, f64) {
    const COUNT: u32 = 64;
    let angle = |sample: u32| TAU * f64::from(sample) * f64::from(cycles) / f64::from(COUNT);
    let mut differentiator = Differentiator::new(method, NEVER);
    let (mut real, mut imaginary) = (0.0, 0.0);
    for sample in 0..2 * COUNT {
        let estimate = differentiator.push(u64::from(sample) * MS, angle(sample).sin());
        if sample >= COUNT {
            // The output is A·sin(angle + phase): its two parts by correlation.
            real += estimate.rate * angle(sample).sin() * 2.0 / f64::from(COUNT);
            imaginary += estimate.rate * angle(sample).cos() * 2.0 / f64::from(COUNT);
        }
    }
    (real.hypot(imaginary), imaginary.atan2(real))
}

/// |H| = 2·sin(ωh/2)·cos(ωh/2)^(N−1)/h with a delay of N·h/2: from H(z) = (1 − z²)(1 + z)^(N−2)/(2^(N−1)·h) at z = e^(−iωh), where 1 − z = 2i·sin(ωh/2)·e^(−iωh/2)
/// and 1 + z = 2·cos(ωh/2)·e^(−iωh/2). Sums of 64 terms of 1/h = 1000 round to 1e-9.
#[test]
fn sinusoids_come_out_with_the_closed_form_of_the_response() {
    const PERIOD_S: f64 = 1e-3;
    for length in 2..=10_i32 {
        for cycles in 1..32 {
            let half = 0.5 * TAU * f64::from(cycles) / 64.0;
            let expected = 2.0 * half.sin() * half.cos().powi(length - 1) / PERIOD_S;
            let (amplitude, phase) = response(smooth(length as usize), cycles);
            assert!(
                (amplitude - expected).abs() < 1e-9 / PERIOD_S,
                "N = {length}, {cycles}/64: {amplitude} for {expected}"
            );
            // A derivative leads by a quarter turn; N/2 samples of delay are N·half.
            let lead = TAU / 4.0 - f64::from(length) * half;
            if expected > 1e-3 / PERIOD_S {
                let off = (phase - lead).rem_euclid(TAU);
                assert!(off.min(TAU - off) < 1e-6, "N = {length}, {cycles}/64: {phase} for {lead}");
            }
        }
    }
}

/// The finite differences of the textbooks, from which the response follows.
#[test]
fn backward_differences_have_the_response_of_their_weights() {
    let weights: [&[f64]; 4] = [
        &[1.0, -1.0],
        &[1.5, -2.0, 0.5],
        &[11.0 / 6.0, -3.0, 1.5, -1.0 / 3.0],
        &[25.0 / 12.0, -4.0, 3.0, -4.0 / 3.0, 0.25],
    ];
    for (points, weights) in (1..).zip(weights) {
        for cycles in 1..32 {
            let omega = TAU * f64::from(cycles) / 64.0;
            let terms = || weights.iter().zip(0..).map(|(weight, k)| (weight, omega * f64::from(k)));
            let real: f64 = terms().map(|(weight, angle)| weight * angle.cos()).sum();
            let imaginary: f64 = terms().map(|(weight, angle)| -weight * angle.sin()).sum();
            let (amplitude, phase) = response(backward(points), cycles);
            assert!((amplitude - 1000.0 * real.hypot(imaginary)).abs() < 1e-6, "{points}, {cycles}/64");
            let off = (phase - imaginary.atan2(real)).rem_euclid(TAU);
            assert!(off.min(TAU - off) < 1e-6, "{points}, {cycles}/64");
        }
    }
}

/// The gains of a fading memory are those of a parabola fitted to all of the past with weights
/// θ^age (Brookner 1998, §1.3): the fit is made here, by the normal equations. 600 samples of
/// weight 0.9^age forget the beginning to 1e-27.
#[test]
fn a_fading_memory_is_a_weighted_least_squares_fit() {
    let time_constant_s = -1e-3 / 0.9_f64.ln();
    let noisy = |sample: u64| ((sample * 7_919) % 101) as f64 / 101.0 + (sample as f64 * 0.03).sin();
    let mut filter = Differentiator::new(Method::FadingMemory { time_constant_s }, NEVER);
    let last = (0..600_u64).map(|sample| filter.push(sample * MS, noisy(sample))).last().expect("600 samples");
    let mut matrix = [[0.0; 4]; 3];
    for age in 0..600_u64 {
        let weight = 0.9_f64.powi(age as i32);
        let time = -(age as f64);
        let basis = [1.0, time, time * time];
        for row in 0..3 {
            for column in 0..3 {
                matrix[row][column] += weight * basis[row] * basis[column];
            }
            matrix[row][3] += weight * basis[row] * noisy(599 - age);
        }
    }
    let [_, rate, half_acceleration] = solved(matrix);
    assert!((last.rate - rate * 1e3).abs() < 1e-6 * rate.abs() * 1e3, "{} for {}", last.rate, rate * 1e3);
    let acceleration = 2e6 * half_acceleration;
    assert!(
        (last.acceleration - acceleration).abs() < 1e-6 * acceleration.abs(),
        "{} for {acceleration}",
        last.acceleration
    );
}

/// Gauss's elimination with the largest pivot.
fn solved(mut matrix: [[f64; 4]; 3]) -> [f64; 3] {
    for column in 0..3 {
        let pivot =
            (column..3).max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs())).expect("a row");
        matrix.swap(column, pivot);
        let pivot_row = matrix[column];
        for (_, row) in matrix.iter_mut().enumerate().filter(|(index, _)| *index != column) {
            let factor = row[column] / pivot_row[column];
            for (place, above) in row.iter_mut().zip(pivot_row) {
                *place -= factor * above;
            }
        }
    }
    [0, 1, 2].map(|row| matrix[row][3] / matrix[row][row])
}

/// For samples much faster than the filter, its steady gains are those of the Kalman–Bucy filter of
/// three integrators driven by white jerk, whose poles are Butterworth's: k = (2Ω, 2Ω², Ω³)·h with
/// Ω = (q²/(σ²·h))^(1/6). The discrete filter differs in the order of Ω·h = 0.0068.
#[test]
fn the_kalman_filter_has_the_gains_of_the_continuous_one() {
    let (jerk_density, noise, period_s): (f64, f64, f64) = (10.0, 1.0, 1e-3);
    let corner = (jerk_density * jerk_density / (noise * noise * period_s)).powf(1.0 / 6.0);
    let last = |kick: f64| {
        let mut filter = Differentiator::new(Method::Kalman { jerk_density, noise }, NEVER);
        (0..5_000_u64).for_each(|sample| {
            filter.push(sample * MS, 0.0);
        });
        filter.push(5_000 * MS, kick)
    };
    let estimate = last(1.0);
    let expected = [2.0 * corner.powi(2) * period_s, corner.powi(3) * period_s];
    assert!((estimate.rate / expected[0] - 1.0).abs() < 0.03, "{} for {}", estimate.rate, expected[0]);
    assert!((estimate.acceleration / expected[1] - 1.0).abs() < 0.03, "{} for {}", estimate.acceleration, expected[1]);
}

#[test]
fn a_gap_or_a_step_back_in_time_begins_anew() {
    let methods = [
        smooth(10),
        backward(4),
        Method::FadingMemory { time_constant_s: 0.01 },
        Method::Kalman { jerk_density: 1e4, noise: 0.05 },
    ];
    for method in methods {
        let mut used = Differentiator::new(method, 50 * MS);
        let mut fresh = Differentiator::new(method, 50 * MS);
        (0..20).for_each(|ms| {
            used.push(ms * MS, (ms * ms) as f64);
        });
        assert_eq!(used.push(19 * MS, 1e9), used.push(19 * MS, 0.0), "the same time again is left out");
        for from_ms in [70, 1] {
            fresh.reset();
            for ms in from_ms..from_ms + 15 {
                let value = (3 * ms) as f64;
                assert_eq!(used.push(ms * MS, value), fresh.push(ms * MS, value), "{method:?}");
            }
        }
    }
}
