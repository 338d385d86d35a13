//! Derivatives that look to both sides: a cubic fitted to the samples around each time.
//!
//! The samples within ±W get the weights (1 − |u|³)³ of u = (tⱼ − t)/W (W. S. Cleveland's tricube,
//! 1979), the cubic a + b·u + c·u² + d·u³ the least sum of weighted squares; rate b/W and
//! acceleration 2c/W². It is late by nothing, and noise is averaged over the window.

use acquisition::differentiation::Estimate;

/// Unknowns of the cubic.
const TERMS: usize = 4;

/// Rate and acceleration at each sample, from the samples up to `window_s` to both sides.
pub fn two_sided(times_s: &[f64], values: &[f64], window_s: f64) -> Vec<Estimate> {
    let (mut from, mut to) = (0, 0);
    let centres = times_s.iter().zip(values);
    centres
        .map(|(centre_s, centre)| {
            while times_s[from] < centre_s - window_s {
                from += 1;
            }
            while to < times_s.len() && times_s[to] <= centre_s + window_s {
                to += 1;
            }
            let around = times_s[from..to].iter().zip(&values[from..to]);
            let points = around.map(|(time_s, value)| ((time_s - centre_s) / window_s, value - centre));
            fitted(points, window_s)
        })
        .collect()
}

fn fitted(points: impl Iterator<Item = (f64, f64)>, window_s: f64) -> Estimate {
    // Normal equations, with the right-hand side as the last column.
    let mut equations = [[0.0; TERMS + 1]; TERMS];
    for (u, value) in points {
        let weight = (1.0 - u.abs().powi(3)).powi(3);
        let powers = [1.0, u, u * u, u * u * u];
        for (row, power) in equations.iter_mut().zip(powers) {
            for (place, other) in row.iter_mut().zip(powers.into_iter().chain([value])) {
                *place += weight * power * other;
            }
        }
    }
    let [_, slope, curvature, _] = solved(equations);
    Estimate { rate: slope / window_s, acceleration: 2.0 * curvature / (window_s * window_s) }
}

/// Elimination without exchange of rows: the matrix is positive definite. Not a number where there
/// are too few points.
fn solved(mut equations: [[f64; TERMS + 1]; TERMS]) -> [f64; TERMS] {
    for pivot in 0..TERMS {
        let pivot_row = equations[pivot];
        for (index, row) in equations.iter_mut().enumerate() {
            let factor = row[pivot] / pivot_row[pivot];
            for (place, above) in row.iter_mut().zip(pivot_row) {
                *place = if index == pivot { *place / pivot_row[pivot] } else { *place - factor * above };
            }
        }
    }
    equations.map(|row| row[TERMS])
}
