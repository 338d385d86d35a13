//! A cubic spline through points, over the length of the chords between them.
//!
//! With h the chord lengths, y the points and M the second derivatives at them, continuity of slope
//! demands
//! ```text
//! h₋ M₋ + 2 (h₋ + h₊) M + h₊ M₊ = 6 ((y₊ − y)/h₊ − (y − y₋)/h₋)                   (1)
//! ```
//! with M = 0 at the ends of an open line, and around the corner for a closed one.

use super::Curve;

/// A spline through points in the plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Spline {
    /// Parameter at each point.
    knots: Vec<f64>,
    points: Vec<[f64; 2]>,
    second: Vec<[f64; 2]>,
}

impl Spline {
    /// Through at least two different points (three for a closed line), none equal to its
    /// neighbour.
    #[must_use]
    pub fn new(points: &[[f64; 2]], closed: bool) -> Self {
        let mut points = points.to_vec();
        if closed {
            points.extend(points.first().copied());
        }
        let mut knots = vec![0.0];
        for pair in points.windows(2) {
            let chord = (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]);
            knots.push(knots.last().copied().unwrap_or(0.0) + chord.max(1e-9));
        }
        let columns = [0, 1].map(|axis| {
            let values: Vec<f64> = points.iter().map(|point| point[axis]).collect();
            second_derivatives(&knots, &values, closed)
        });
        let second = columns[0].iter().zip(&columns[1]).map(|(x, y)| [*x, *y]).collect();
        Self { knots, points, second }
    }
}

impl Curve for Spline {
    fn end(&self) -> f64 {
        self.knots.last().copied().unwrap_or(0.0)
    }

    fn at(&self, parameter: f64) -> [[f64; 2]; 3] {
        let last = self.knots.len().saturating_sub(2);
        let index = self.knots.partition_point(|knot| *knot <= parameter).saturating_sub(1).min(last);
        let width = self.knots[index + 1] - self.knots[index];
        let after = (parameter - self.knots[index]) / width;
        let before = 1.0 - after;
        // Value, first and second derivative of each coordinate.
        let [x, y] = [0, 1].map(|axis| {
            let [y0, y1] = [self.points[index][axis], self.points[index + 1][axis]];
            let [m0, m1] = [self.second[index][axis], self.second[index + 1][axis]];
            let bend = before * (before * before - 1.0) * m0 + after * (after * after - 1.0) * m1;
            let slope = (3.0 * after * after - 1.0) * m1 - (3.0 * before * before - 1.0) * m0;
            [
                before * y0 + after * y1 + bend * width * width / 6.0,
                (y1 - y0) / width + slope * width / 6.0,
                before * m0 + after * m1,
            ]
        });
        [[x[0], y[0]], [x[1], y[1]], [x[2], y[2]]]
    }
}

/// Eq. (1), open or closed; for a closed line the last value is the first again.
fn second_derivatives(knots: &[f64], values: &[f64], closed: bool) -> Vec<f64> {
    let widths: Vec<f64> = knots.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let slopes: Vec<f64> = values.windows(2).zip(&widths).map(|(pair, width)| (pair[1] - pair[0]) / width).collect();
    let spans = widths.len();
    if !closed {
        let inner = spans.saturating_sub(1);
        let diagonal = (0..inner).map(|row| 2.0 * (widths[row] + widths[row + 1])).collect();
        let right = (0..inner).map(|row| 6.0 * (slopes[row + 1] - slopes[row])).collect();
        let side: Vec<f64> = widths.iter().skip(1).take(inner.saturating_sub(1)).copied().collect();
        let solved = tridiagonal(diagonal, &side, right);
        return [0.0].into_iter().chain(solved).chain([0.0]).collect();
    }
    let before = |row: usize| (row + spans - 1) % spans;
    let diagonal: Vec<f64> = (0..spans).map(|row| 2.0 * (widths[before(row)] + widths[row])).collect();
    let right: Vec<f64> = (0..spans).map(|row| 6.0 * (slopes[row] - slopes[before(row)])).collect();
    let mut solved = cyclic(diagonal, &widths, right);
    solved.extend(solved.first().copied());
    solved
}

/// Symmetric tridiagonal system by Thomas's elimination; `side[i]` couples rows i and i + 1.
fn tridiagonal(mut diagonal: Vec<f64>, side: &[f64], mut right: Vec<f64>) -> Vec<f64> {
    for row in 1..diagonal.len() {
        let factor = side[row - 1] / diagonal[row - 1];
        diagonal[row] -= factor * side[row - 1];
        right[row] -= factor * right[row - 1];
    }
    for row in (0..diagonal.len()).rev() {
        let after = if row + 1 < diagonal.len() { side[row] * right[row + 1] } else { 0.0 };
        right[row] = (right[row] - after) / diagonal[row];
    }
    right
}

/// The same with `side[n − 1]` coupling the last row to the first: by the formula of Sherman and
/// Morrison.
fn cyclic(mut diagonal: Vec<f64>, side: &[f64], right: Vec<f64>) -> Vec<f64> {
    let count = diagonal.len();
    let (corner, pivot) = (side[count - 1], -diagonal[0]);
    diagonal[0] -= pivot;
    diagonal[count - 1] -= corner * corner / pivot;
    let mut update = vec![0.0; count];
    update[0] = pivot;
    update[count - 1] += corner;
    let plain = tridiagonal(diagonal.clone(), &side[..count - 1], right);
    let extra = tridiagonal(diagonal, &side[..count - 1], update);
    let ratio = corner / pivot;
    let factor = (plain[0] + ratio * plain[count - 1]) / (1.0 + extra[0] + ratio * extra[count - 1]);
    plain.iter().zip(&extra).map(|(one, other)| one - factor * other).collect()
}
