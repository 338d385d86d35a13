//! The formula itself.
//!
//! ```text
//! (1)  y = D sin(C arctan(B x − E (B x − arctan(B x))))       forces
//! (2)  y = D cos(C arctan(B x − E (B x − arctan(B x))))       trail, weights of combined slip
//! ```

use crate::tyre::functions::{self, arctangents, sines};
use std::f64::consts::FRAC_PI_2;

/// Keeps divisors away from zero; far below every load that matters.
pub(super) const TINY: f64 = 1.0e-6;

/// One evaluation of the formula, without D: sin(C arctan(B x − E (B x − arctan(B x))) + offset).
#[derive(Clone, Copy, Debug)]
pub(super) struct Wave {
    c: f64,
    e: f64,
    bx: f64,
    offset: f64,
}

impl Wave {
    /// Eq. (1).
    #[inline(always)]
    pub fn sine(c: f64, e: f64, bx: f64) -> Self {
        Self { c, e, bx, offset: 0.0 }
    }

    /// Eq. (2).
    #[inline(always)]
    pub fn cosine(c: f64, e: f64, bx: f64) -> Self {
        Self { c, e, bx, offset: FRAC_PI_2 }
    }
}

/// Several evaluations side by side. Not inlined: alone, the compiler computes two lanes at a time.
#[inline(never)]
pub(super) fn evaluate<const N: usize>(waves: &[Wave; N]) -> [f64; N] {
    let bx = waves.map(|wave| wave.bx);
    let inner = arctangents(&bx);
    let mut bent = [0.0; N];
    for index in 0..N {
        bent[index] = bx[index] - waves[index].e * (bx[index] - inner[index]);
    }
    let outer = arctangents(&bent);
    let mut phase = [0.0; N];
    for index in 0..N {
        phase[index] = waves[index].c * outer[index] + waves[index].offset;
    }
    sines(&phase)
}

/// The angles arctan √(tan² α_i + s²) of combined slip, with the sign of α_i, for two angles and
/// one s; and arctan of `other`.
#[inline(never)]
pub(super) fn equivalent(alpha: [f64; 2], stretch: f64, other: f64) -> ([f64; 2], f64) {
    let [first, second] = alpha.map(|alpha| alpha.clamp(-1.57, 1.57));
    let [sine_1, cosine_1, sine_2, cosine_2] = sines(&[first, first + FRAC_PI_2, second, second + FRAC_PI_2]);
    let (tangent_1, tangent_2) = (sine_1 / cosine_1, sine_2 / cosine_2);
    let square = stretch * stretch;
    let [size_1, size_2, other, _] =
        arctangents(&[(tangent_1 * tangent_1 + square).sqrt(), (tangent_2 * tangent_2 + square).sqrt(), other, 0.0]);
    ([size_1 * sign(first), size_2 * sign(second)], other)
}

/// cos(arctan(x)) in closed form.
#[inline]
pub(super) fn cosine_of_arctangent(x: f64) -> f64 {
    1.0 / (1.0 + x * x).sqrt()
}

/// sin(n arctan(x)); n is 2 in almost every file, and then there is a closed form.
#[inline]
pub(super) fn sine_of_arctangent(n: f64, x: f64) -> f64 {
    if n == 2.0 { 2.0 * x / (1.0 + x * x) } else { functions::sine(n * functions::arctangent(x)) }
}

/// The two waves of a weight of combined slip: Eq. (2) at x + S and at S.
#[inline(always)]
pub(super) fn weight_waves(b: f64, c: f64, e: f64, x: f64, shift: f64) -> [Wave; 2] {
    [Wave::cosine(c, e, b * (x + shift)), Wave::cosine(c, e, b * shift)]
}

/// A weight of combined slip from its two waves; never negative (Pacejka 2012, 4.E51 and 4.E59: G >
/// 0).
#[inline(always)]
pub(super) fn weight([shifted, at_zero]: [f64; 2]) -> f64 {
    (shifted / at_zero.max(0.1)).max(0.0)
}

/// e^x with an exponent that cannot overflow.
#[inline]
pub(super) fn exponential(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { functions::exponential(x.clamp(-50.0, 50.0)) }
}

/// A divisor that is not zero, with its sign.
#[inline]
pub(super) fn away_from_zero(x: f64) -> f64 {
    x + TINY.copysign(x)
}

/// The sign of a number, +1 for zero.
#[inline]
pub(super) fn sign(x: f64) -> f64 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms_agree_with_the_functions() {
        for x in [-30.0_f64, -1.0, -0.2, 0.0, 0.7, 5.0] {
            assert!((cosine_of_arctangent(x) - x.atan().cos()).abs() < 1e-15);
            assert!((sine_of_arctangent(2.0, x) - (2.0 * x.atan()).sin()).abs() < 1e-15);
        }
    }

    /// Peak, slope and asymptote of the sine version (Pacejka 2012, section 4.3): D at C arctan(…)
    /// = π/2, B C D at zero, D sin(C π/2) far out.
    #[test]
    fn slope_and_asymptote_are_those_of_the_formula() {
        let (c, e) = (1.4, -0.3);
        let sine = |c, e, bx| evaluate(&[Wave::sine(c, e, bx)])[0];
        assert!((sine(c, e, 1e-7) / 1e-7 - c).abs() < 1e-6);
        assert!((sine(c, e, 1e9) - (c * std::f64::consts::FRAC_PI_2).sin()).abs() < 1e-6);
        let highest = (0..10_000).map(|step| sine(c, e, step as f64 * 1e-2)).fold(0.0, f64::max);
        assert!((highest - 1.0).abs() < 1e-4, "the step is a hundredth: {highest}");
    }
}
