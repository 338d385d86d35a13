//! Random roughness after ISO 8608: its displacement spectrum falls with the square of the spatial
//! frequency n (cycles/m).
//!
//! ```text
//!   (1)  G_d(n) = G_d(n₀) (n/n₀)⁻²,  n₀ = 0.1 1/m,  G_d(n₀) = 16 · 4^c · 10⁻⁶ m³ for class A (c = 0) to H (c = 7)
//!   (2)  h(u, v) = Σ √(2 G_d(n_k)/L) cos(2π(n_k u + q_k v) + φ_k),  n_k = k/L
//! ```
//!
//! Every long section has exactly the spectrum of its class, and the road repeats itself after its
//! length L, so that circuits close. The waves run at all angles: a surface that is alike in all
//! directions and has the spectrum (1) along a line has the density (n² + q²)^(−3/2) over both
//! frequencies, so q given n is distributed with
//!
//! ```text
//!   (3)  P(q) = ½ (1 + q/√(n² + q²))   →   q = n s/√(1 − s²),  s uniform from −1 to 1
//! ```
//!
//! Left and right track are alike over long waves and different over short ones, as on real roads.
//! (Classes and their means: ISO 8608.)

use crate::numbers::Random;
use std::f64::consts::TAU;

/// Spatial frequencies that ISO 8608 reports (1/m).
const FREQUENCY_MIN: f64 = 0.011;
const FREQUENCY_MAX: f64 = 2.83;
/// The reference frequency n₀ (1/m).
const REFERENCE_FREQUENCY: f64 = 0.1;

/// A class of roughness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Very good.
    A,
    /// Good.
    B,
    /// Average.
    C,
    /// Poor.
    D,
    /// Very poor.
    E,
    /// Off the road.
    F,
    /// Off the road.
    G,
    /// Off the road.
    H,
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 8] = [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G, Self::H];

    /// G_d(n₀), the geometric mean of the class (m³); its limits are half and twice that.
    #[must_use]
    pub fn density_m3(self) -> f64 {
        16e-6 * f64::from(4_u32.pow(self as u32))
    }
}

impl std::str::FromStr for Class {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|class| format!("{class:?}").eq_ignore_ascii_case(text));
        found.ok_or_else(|| format!("expected a class from A to H, found `{text}`"))
    }
}

/// One wave of eq. (2).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Wave {
    amplitude_m: f64,
    along: f64,
    across: f64,
    phase: f64,
}

/// A rough surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Roughness {
    waves: Vec<Wave>,
}

impl Roughness {
    /// A surface of a class that repeats itself after a length; waves that a grid with these
    /// distances cannot show are left out.
    #[must_use]
    pub fn new(class: Class, length_m: f64, increment_m: f64, section_m: f64, seed: u64) -> Self {
        let most = FREQUENCY_MAX.min(0.5 / increment_m);
        let first = (FREQUENCY_MIN * length_m).ceil().max(1.0) as u64;
        let last = (most * length_m).floor() as u64;
        let mut random = Random(seed);
        let wave = |k: u64| {
            let along = k as f64 / length_m;
            let ratio = along / REFERENCE_FREQUENCY;
            let density = class.density_m3() / (ratio * ratio); // Eq. (1)
            let s = 2.0 * random.unit() - 1.0;
            let across = along * s / (1.0 - s * s).max(1e-12).sqrt(); // Eq. (3)
            let limit = 0.5 / section_m;
            Wave {
                amplitude_m: (2.0 * density / length_m).sqrt(),
                along,
                across: across.clamp(-limit, limit),
                phase: TAU * random.unit(),
            }
        };
        Self { waves: (first..=last).map(wave).collect() }
    }

    /// Eq. (2) on a grid, record by record.
    #[must_use]
    pub fn heights_m(&self, records: usize, increment_m: f64, v_m: &[f64]) -> Vec<f64> {
        let mut heights = vec![0.0; records * v_m.len()];
        for wave in &self.waves {
            // Along a record cos(a + b) is made from the products of two tables: sin and cos are
            // asked once per row and column.
            let across: Vec<(f64, f64)> = v_m.iter().map(|v| (TAU * wave.across * v).sin_cos()).collect();
            for (record, row) in heights.chunks_exact_mut(v_m.len()).enumerate() {
                let angle = TAU * (wave.along * increment_m * record as f64).fract() + wave.phase;
                let (sine, cosine) = angle.sin_cos();
                let (sine, cosine) = (wave.amplitude_m * sine, wave.amplitude_m * cosine);
                for (height, (sine_v, cosine_v)) in row.iter_mut().zip(&across) {
                    *height += cosine * cosine_v - sine * sine_v;
                }
            }
        }
        heights
    }
}
