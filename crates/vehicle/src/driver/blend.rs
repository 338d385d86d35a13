//! From one course to the next without a jump.
//!
//! When the steering changes from one course to another, the difference between the two (value,
//! rate and acceleration) is kept and taken back within the blend time T by the polynomial of fifth
//! order that begins with this difference and ends at rest at zero. With τ = t/T:
//! ```text
//! d(τ) = d₀ (1 − 10τ³ + 15τ⁴ − 6τ⁵) + ḋ₀ T (τ − 6τ³ + 8τ⁴ − 3τ⁵) + ½ d̈₀ T² (τ² − 3τ³ + 3τ⁴ − τ⁵)   (1)
//! ```

use super::signal::{plus, times};
use crate::{Coordinate, stateful};

/// A difference that is being taken back.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Blend {
    difference: Coordinate,
    start_s: f64,
    length_s: f64,
}

impl Blend {
    /// Begins with a difference.
    #[must_use]
    pub fn new(difference: Coordinate, start_s: f64, length_s: f64) -> Self {
        Self { difference, start_s, length_s }
    }

    /// What is left at a time: Eq. (1).
    #[inline]
    #[must_use]
    pub fn at(&self, time_s: f64) -> Coordinate {
        let length = self.length_s;
        let t = (time_s - self.start_s) / length;
        if !(t < 1.0 && length > 0.0) {
            return Coordinate::default();
        }
        let t = t.max(0.0);
        let coefficients =
            [[1.0, 0.0, 0.0, -10.0, 15.0, -6.0], [0.0, 1.0, 0.0, -6.0, 8.0, -3.0], [0.0, 0.0, 0.5, -1.5, 1.5, -0.5]];
        let weights =
            [self.difference.value, self.difference.rate * length, self.difference.acceleration * length * length];
        let mut sum = Coordinate::default();
        for (polynomial, weight) in coefficients.iter().zip(weights) {
            sum = plus(sum, times(evaluated(polynomial, t), weight));
        }
        Coordinate { value: sum.value, rate: sum.rate / length, acceleration: sum.acceleration / (length * length) }
    }
}

/// A polynomial with its derivatives, by Horner's rule.
fn evaluated(coefficients: &[f64; 6], t: f64) -> Coordinate {
    let mut sample = Coordinate::default();
    for coefficient in coefficients.iter().rev() {
        sample.acceleration = sample.acceleration * t + 2.0 * sample.rate;
        sample.rate = sample.rate * t + sample.value;
        sample.value = sample.value * t + coefficient;
    }
    sample
}

stateful!(Blend, |it| it.difference, it.start_s, it.length_s);
