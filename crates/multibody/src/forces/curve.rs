//! Curves of one variable: straight pieces or a natural cubic spline; beyond the ends they go on
//! straight.

use ::files::{CurveError, Ends};

/// A function given by points.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    x: Vec<f64>,
    y: Vec<f64>,
    /// Second derivatives at the points; all zero for straight pieces.
    bend: Vec<f64>,
}

impl Curve {
    /// Straight pieces between points.
    pub fn linear(points: &[[f64; 2]]) -> Result<Self, CurveError> {
        let points = ::files::Curve::new(points.to_vec(), Ends::Straight)?;
        let points = points.points();
        Ok(Self {
            x: points.iter().map(|point| point[0]).collect(),
            y: points.iter().map(|point| point[1]).collect(),
            bend: vec![0.0; points.len()],
        })
    }

    /// A cubic spline through the points whose curvature is zero at both ends.
    pub fn spline(points: &[[f64; 2]]) -> Result<Self, CurveError> {
        let mut curve = Self::linear(points)?;
        let (x, y, count) = (&curve.x, &curve.y, points.len());
        let slope = |k: usize| (y[k + 1] - y[k]) / (x[k + 1] - x[k]);
        // Thomas' algorithm on h_{k−1} m_{k−1} + 2 (h_{k−1} + h_k) m_k + h_k m_{k+1} = 6 (slope_k −
        // slope_{k−1}).
        let (mut upper, mut right) = (vec![0.0; count], vec![0.0; count]);
        for k in 1..count - 1 {
            let (before, after) = (x[k] - x[k - 1], x[k + 1] - x[k]);
            let pivot = 2.0 * (before + after) - before * upper[k - 1];
            upper[k] = after / pivot;
            right[k] = (6.0 * (slope(k) - slope(k - 1)) - before * right[k - 1]) / pivot;
        }
        for k in (1..count - 1).rev() {
            curve.bend[k] = right[k] - upper[k] * curve.bend[k + 1];
        }
        Ok(curve)
    }

    /// The value at a place.
    #[inline]
    pub fn value(&self, at: f64) -> f64 {
        let last = self.x.len() - 1;
        let k = self.x[1..last].iter().take_while(|x| **x <= at).count();
        let width = self.x[k + 1] - self.x[k];
        let slope = (self.y[k + 1] - self.y[k]) / width;
        if at < self.x[0] {
            let end = slope - width * (2.0 * self.bend[0] + self.bend[1]) / 6.0;
            return self.y[0] + (at - self.x[0]) * end;
        }
        if at > self.x[last] {
            let end = slope + width * (2.0 * self.bend[last] + self.bend[last - 1]) / 6.0;
            return self.y[last] + (at - self.x[last]) * end;
        }
        let (b, straight) = ((at - self.x[k]) / width, self.y[k] + (at - self.x[k]) * slope);
        let a = 1.0 - b;
        straight + ((a * a * a - a) * self.bend[k] + (b * b * b - b) * self.bend[k + 1]) * (width * width / 6.0)
    }

    /// The integral from zero to a place, by Simpson's rule in 200 pieces.
    pub fn integral(&self, to: f64) -> f64 {
        let width = to / 200.0;
        let piece = |k: usize| {
            let start = width * k as f64;
            self.value(start) + 4.0 * self.value(start + 0.5 * width) + self.value(start + width)
        };
        (0..200).map(piece).sum::<f64>() * width / 6.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_pieces_and_straight_ends() {
        let curve = Curve::linear(&[[0.0, 0.0], [1.0, 2.0], [3.0, 3.0]]).expect("rising");
        for (at, value) in [(0.5, 1.0), (2.0, 2.5), (-1.0, -2.0), (5.0, 4.0), (1.0, 2.0)] {
            assert!((curve.value(at) - value).abs() < 1e-15, "{at}");
        }
        assert_eq!(Curve::linear(&[[0.0, 0.0]]), Err(CurveError::TooFew));
        assert_eq!(Curve::linear(&[[0.0, 0.0], [0.0, 1.0]]), Err(CurveError::NotRising(1)));
    }

    #[test]
    fn spline_meets_its_points_and_a_smooth_function_between() {
        let points: Vec<[f64; 2]> = (0..=20).map(|k| f64::from(k) * 0.157_079_632_679).map(|x| [x, x.sin()]).collect();
        let curve = Curve::spline(&points).expect("rising");
        for [x, y] in &points {
            assert!((curve.value(*x) - y).abs() < 1e-15);
        }
        for k in 0..60 {
            let x = 0.05 * f64::from(k);
            assert!((curve.value(x) - x.sin()).abs() < 5e-5, "{x}");
        }
        let slope = (curve.value(-1.0) - curve.value(-0.5)) / -0.5;
        assert!((slope - 1.0).abs() < 1e-2, "goes on with the slope at the end");
    }
}
