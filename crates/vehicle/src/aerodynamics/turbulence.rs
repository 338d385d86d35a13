//! Turbulence with Dryden's spectra, frozen in air that drifts with the mean wind, from a seed.
//!
//! A sum of waves instead of filtered noise: the wind is then a function of time and place, without
//! a state, and the same for every step length. With σ the deviation, L the length scale, Ω the
//! wave number and x = L Ω:
//! ```text
//! S_u = σ² (2L/π) 1/(1 + x²),              ∫S_u dΩ = σ² (2/π) atan x                           (1)
//! S_v = σ² (L/π) (1 + 3x²)/(1 + x²)²,      ∫S_v dΩ = σ² (1/π) (2 atan x − x/(1 + x²))          (2)
//! w = Σ_k √(2 ∫_k S dΩ) cos(Ω_k ξ + φ_k),  ξ = path through the air along the wind       (3)
//! ```
//! (MIL-F-8785C; S one-sided.) The bands k split x from 0.02 to 50 in equal ratios, the first one
//! begins at zero and the last one has no end: so the variance is σ² exactly. Ω_k lies at a random
//! place of its band (a regular grid would repeat itself); φ_k is random. Both come from the seed.

use crate::Vector3;
use crate::numbers::Random;
use std::f64::consts::{PI, TAU};

/// Waves of each component.
const WAVES: usize = 24;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Wave {
    amplitude: f64,
    number: f64,
    phase: f64,
}

/// Turbulence along and across the mean wind, both level.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Turbulence {
    along: [Wave; WAVES],
    across: [Wave; WAVES],
}

impl Turbulence {
    /// From σ (m/s), L (m) and a seed.
    pub(super) fn new(deviation: f64, length: f64, seed: u64) -> Self {
        let mut random = Random(seed);
        Self {
            along: waves(deviation, length, &mut random, |x| 2.0 / PI * x.atan()),
            across: waves(deviation, length, &mut random, across_share),
        }
    }

    /// Eq. (3) for both components: along and across (to the left).
    pub(super) fn at(&self, distance: f64) -> (f64, f64) {
        let sum = |waves: &[Wave]| {
            waves.iter().map(|wave| wave.amplitude * (wave.number * distance + wave.phase).cos()).sum()
        };
        (sum(&self.along), sum(&self.across))
    }

    /// The wind in E for a unit vector along the mean wind.
    pub(super) fn wind(&self, direction: Vector3, distance: f64) -> Vector3 {
        let (along, across) = self.at(distance);
        direction * along + Vector3::new(-direction.y, direction.x, 0.0) * across
    }
}

/// Share of the variance below x: eq. (2) over σ².
fn across_share(x: f64) -> f64 {
    (2.0 * x.atan() - x / (1.0 + x * x)) / PI
}

/// Waves whose amplitudes carry the share of each band; the share goes from 0 to 1.
fn waves(deviation: f64, length: f64, random: &mut Random, share: impl Fn(f64) -> f64) -> [Wave; WAVES] {
    let (first, last): (f64, f64) = (0.02, 50.0);
    let edge = |index: usize| first * (last / first).powf(index as f64 / WAVES as f64);
    std::array::from_fn(|index| {
        let (low, high) = (edge(index), edge(index + 1));
        let below = if index == 0 { 0.0 } else { share(low) };
        let above = if index + 1 == WAVES { 1.0 } else { share(high) };
        Wave {
            amplitude: deviation * (2.0 * (above - below)).sqrt(),
            number: low * (high / low).powf(random.unit()) / length,
            phase: TAU * random.unit(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half the squares of the amplitudes add up to the variance: the bands leave nothing out.
    #[test]
    fn the_variance_is_that_of_the_spectrum() {
        let air = Turbulence::new(2.0, 100.0, 7);
        for waves in [&air.along, &air.across] {
            let variance: f64 = waves.iter().map(|wave| 0.5 * wave.amplitude * wave.amplitude).sum();
            assert!((variance - 4.0).abs() < 1e-12, "{variance}");
        }
        // Both integrals end at the whole variance.
        assert!((across_share(1e9) - 1.0).abs() < 1e-8);
        assert!((2.0 / PI * 1e9_f64.atan() - 1.0).abs() < 1e-8);
    }
}
