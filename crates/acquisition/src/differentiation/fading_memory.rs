//! The α-β-γ filter with the gains of a fading memory.
//!
//! It predicts with constant acceleration and corrects by the residual r = f − x̂:
//!
//! ```text
//! x ← x̂ + α·r,   v ← v̂ + β·r/T,   a ← â + 2γ·r/T²                                               (1)
//! α = 1 − θ³,    β = 3/2·(1 − θ)²(1 + θ),    γ = 1/2·(1 − θ)³                                    (2)
//! ```
//!
//! Gains (2) fit a parabola to all of the past with weights that fall as θ per sample (E. Brookner,
//! *Tracking and Kalman Filtering Made Easy*, 1998, §1.3), and make all three poles θ: critically
//! damped. With θ = e^(−T/τ) for each interval T, the memory is a time and not a number of samples.

use super::Estimate;

#[derive(Clone, Copy, Debug)]
pub(super) struct FadingMemory {
    time_constant_s: f64,
    /// Value, rate, acceleration; none before the first sample.
    state: Option<[f64; 3]>,
}

impl FadingMemory {
    /// A filter that remembers about so far back (s).
    pub fn new(time_constant_s: f64) -> Self {
        Self { time_constant_s, state: None }
    }

    pub fn push(&mut self, passed_s: Option<f64>, value: f64) -> Estimate {
        let (Some([x, v, a]), Some(passed_s)) = (self.state, passed_s) else {
            self.state = Some([value, 0.0, 0.0]);
            return Estimate::default();
        };
        let theta = (-passed_s / self.time_constant_s).exp();
        let fresh = 1.0 - theta;
        let (alpha, beta, gamma) =
            (1.0 - theta * theta * theta, 1.5 * fresh * fresh * (1.0 + theta), 0.5 * fresh * fresh * fresh); // Eq. (2)
        let residual = value - (x + v * passed_s + 0.5 * a * passed_s * passed_s);
        let x = value - (1.0 - alpha) * residual;
        let v = v + a * passed_s + beta * residual / passed_s;
        let a = a + 2.0 * gamma * residual / (passed_s * passed_s); // Eq. (1)
        self.state = Some([x, v, a]);
        Estimate { rate: v, acceleration: a }
    }
}
