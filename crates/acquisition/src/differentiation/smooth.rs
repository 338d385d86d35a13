//! One-sided smooth differentiators (P. Holoborodko, *Smooth noise-robust differentiators*, 2008;
//! Gallo 2012, Table 4.3).
//!
//! With *h* the sampling period and *z* one sample of delay, the differentiator of length N is
//!
//! ```text
//! H(z) = (1 − z²)(1 + z)^(N−2) / (2^(N−1)·h)                                                    (1)
//!      = (1 − z)/h · ((1 + z)/2)^(N−1)                                                          (2)
//! ```
//!
//! Form (2) says what it is: the mean of the N newest first differences with binomial weights. On
//! the unit circle, z = e^(−iωh),
//!
//! ```text
//! |H| = 2·sin(ωh/2)·cos(ωh/2)^(N−1) / h,   delay N·h/2 at every frequency                       (3)
//! ```
//!
//! **At true times.** Let cₖ be the coefficients of (1−z²)(1+z)^(N−2). On uniform samples Σ
//! cₖ·t₍ᵢ₋ₖ₎ is just 2^(N−1)·h, so
//!
//! ```text
//! f' = Σ cₖ·f₍ᵢ₋ₖ₎ / Σ cₖ·t₍ᵢ₋ₖ₎                                                                (4)
//! ```
//!
//! is (1) there, and exact on ramps wherever the samples lie. It is the mean of the slopes with the
//! weights wₖ·Δtₖ, so that a short interval, whose slope is the noisiest, counts least. On a
//! parabola it is the slope at
//!
//! ```text
//! τ = Σ cₖ·t²₍ᵢ₋ₖ₎ / (2·Σ cₖ·t₍ᵢ₋ₖ₎)                                                             (5)
//! ```
//!
//! and the acceleration is (4) again, on the rates at their times τ: exact on parabolas wherever
//! the samples lie.
//!
//! Until the history is full, the differentiator is as long as the history.

use super::cascade::{HISTORY_MAX, Slant};

pub(crate) const SMOOTH_LENGTH_MIN: usize = 2;
pub(crate) const SMOOTH_LENGTH_MAX: usize = 10;

/// Coefficients cₖ of (1 − z²)(1 + z)^(N−2), newest sample first; N + 1 of them are in use. N = 1
/// is the first difference.
pub const fn smooth_coefficients(length: usize) -> [f64; HISTORY_MAX] {
    // (1 − z)·(1 + z)^(N−1), one factor after the other.
    let mut coefficients = [0.0; HISTORY_MAX];
    coefficients[0] = 1.0;
    coefficients[1] = -1.0;
    let mut factor = 1;
    while factor < length {
        let mut power = factor + 1;
        while power > 0 {
            coefficients[power] += coefficients[power - 1];
            power -= 1;
        }
        factor += 1;
    }
    coefficients
}

/// Coefficients of every length, so that a history that is not full finds its own.
const COEFFICIENTS: [[f64; HISTORY_MAX]; HISTORY_MAX] = {
    let mut all = [[0.0; HISTORY_MAX]; HISTORY_MAX];
    let mut length = 1;
    while length < HISTORY_MAX {
        all[length] = smooth_coefficients(length);
        length += 1;
    }
    all
};

pub(super) fn slope(ages_s: &[f64], values: &[f64]) -> Slant {
    let coefficients = &COEFFICIENTS[ages_s.len() - 1];
    let (mut rise, mut run_s, mut squares_s2) = (0.0, 0.0, 0.0);
    for ((coefficient, age_s), sample) in coefficients.iter().zip(ages_s).zip(values) {
        rise += coefficient * (sample - values[0]);
        run_s -= coefficient * age_s;
        squares_s2 -= coefficient * age_s * age_s;
    }
    if run_s > 0.0 {
        Slant {
            slope: rise / run_s,             // Eq. (4)
            lag_s: 0.5 * squares_s2 / run_s, // Eq. (5)
        }
    } else {
        Slant::default()
    }
}
