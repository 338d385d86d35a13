//! Backward differences: the slope, at the newest sample, of the polynomial through the newest
//! samples.
//!
//! With Lagrange's polynomials through the times t₀ (newest) to t_p, the slope at t₀ is
//!
//! ```text
//! f' = Σₖ wₖ·fₖ
//! wₖ = 1/(tₖ − t₀)·Π_{j ≠ 0,k} (t₀ − tⱼ)/(tₖ − tⱼ),   k > 0                                      (1)
//! w₀ = −Σ_{k>0} wₖ                                                                              (2)
//! ```
//!
//! which for uniform samples are the finite differences of the textbooks: 1, −1 for one point; 3/2,
//! −2, 1/2 for two; 11/6, −3, 3/2, −1/3 for three; 25/12, −4, 3, −4/3, 1/4 for four. Exact on
//! polynomials of degree p wherever the samples lie, and without a delay at low frequency; the
//! price is that noise is made larger.

use super::cascade::Slant;

/// Most past samples.
pub(crate) const BACKWARD_POINTS_MAX: usize = 4;

pub(super) fn slope(ages_s: &[f64], values: &[f64]) -> Slant {
    let parts = (1..ages_s.len()).map(|k| {
        let others = (1..ages_s.len()).filter(|j| *j != k);
        let product: f64 = others.map(|j| ages_s[j] / (ages_s[j] - ages_s[k])).product();
        product / ages_s[k] * (values[0] - values[k]) // Eq. (1), (2)
    });
    Slant { slope: parts.sum(), lag_s: 0.0 }
}
