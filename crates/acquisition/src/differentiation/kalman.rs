//! A Kalman filter of value, rate and acceleration, the acceleration driven by white jerk.
//!
//! ```text
//! x ← F·x,   P ← F·P·Fᵀ + Q          F = [1 T T²/2; 0 1 T; 0 0 1]                                (1)
//! Q = q²·[T⁵/20 T⁴/8 T³/6; T⁴/8 T³/3 T²/2; T³/6 T²/2 T]                                         (2)
//! s = P₀₀ + σ²,   k = P·e₀/s,   x ← x + k·(f − x₀),   P ← P − k·kᵀ·s                             (3)
//! ```
//!
//! (Y. Bar-Shalom, X.-R. Li, T. Kirubarajan, *Estimation with Applications to Tracking and
//! Navigation*, 2001, §6.2.3.) q is how fast the acceleration may change, σ how far a sample may be
//! off: a step of the encoder has σ = step/√12. Only q/σ matters for the estimate. The true
//! interval T goes into every step.

use super::Estimate;

/// How much less is known of rate and acceleration than of the value when the filter begins: in
/// variances, at the filter's own time scale.
const INITIAL_VARIANCE_FACTOR: f64 = 1e8;

#[derive(Clone, Copy, Debug)]
pub(super) struct Kalman {
    jerk_variance: f64,
    noise_variance: f64,
    state: Option<[f64; 3]>,
    covariance: [[f64; 3]; 3],
}

impl Kalman {
    /// For a density of white jerk (unit/s^2.5) and a standard deviation of the samples (unit).
    pub fn new(jerk_density: f64, noise: f64) -> Self {
        Self {
            jerk_variance: jerk_density * jerk_density,
            noise_variance: noise * noise,
            state: None,
            covariance: [[0.0; 3]; 3],
        }
    }

    pub fn push(&mut self, passed_s: Option<f64>, value: f64) -> Estimate {
        let (Some(before), Some(passed_s)) = (self.state, passed_s) else {
            self.begin(value);
            return Estimate::default();
        };
        let predicted = self.predict(before, passed_s);
        let spread = self.covariance[0][0] + self.noise_variance;
        let gain = [0, 1, 2].map(|row| self.covariance[row][0] / spread);
        let residual = value - predicted[0];
        for (row, gain_of_row) in gain.iter().enumerate() {
            for (column, gain_of_column) in gain.iter().enumerate() {
                self.covariance[row][column] -= gain_of_row * gain_of_column * spread; // Eq. (3)
            }
        }
        let state = [0, 1, 2].map(|row| predicted[row] + gain[row] * residual);
        self.state = Some(state);
        Estimate { rate: state[1], acceleration: state[2] }
    }

    /// Knows the value as well as a sample does, and next to nothing of its derivatives. The time
    /// scale of the filter is (σ/q)^(2/5).
    fn begin(&mut self, value: f64) {
        self.state = Some([value, 0.0, 0.0]);
        let time_scale_s = (self.noise_variance / self.jerk_variance).powf(0.2);
        let rate_variance = INITIAL_VARIANCE_FACTOR * self.noise_variance / (time_scale_s * time_scale_s);
        let acceleration_variance = rate_variance / (time_scale_s * time_scale_s);
        self.covariance =
            [[self.noise_variance, 0.0, 0.0], [0.0, rate_variance, 0.0], [0.0, 0.0, acceleration_variance]];
    }

    /// Eq. (1) and (2).
    fn predict(&mut self, [x, v, a]: [f64; 3], t: f64) -> [f64; 3] {
        let transition = [[1.0, t, 0.5 * t * t], [0.0, 1.0, t], [0.0, 0.0, 1.0]];
        let (t2, t3) = (t * t, t * t * t);
        let noise =
            [[t2 * t3 / 20.0, t2 * t2 / 8.0, t3 / 6.0], [t2 * t2 / 8.0, t3 / 3.0, t2 / 2.0], [t3 / 6.0, t2 / 2.0, t]];
        let moved = product(&transition, &self.covariance);
        for row in 0..3 {
            for column in 0..3 {
                let back: f64 = (0..3).map(|k| moved[row][k] * transition[column][k]).sum();
                self.covariance[row][column] = back + self.jerk_variance * noise[row][column];
            }
        }
        [x + v * t + 0.5 * a * t2, v + a * t, a]
    }
}

fn product(left: &[[f64; 3]; 3], right: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let mut result = [[0.0; 3]; 3];
    for (row, of_row) in result.iter_mut().enumerate() {
        for (column, place) in of_row.iter_mut().enumerate() {
            *place = (0..3).map(|k| left[row][k] * right[k][column]).sum();
        }
    }
    result
}
