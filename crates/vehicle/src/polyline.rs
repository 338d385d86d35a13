//! A curve through points: straight between them, level beyond its ends.
//!
//! ```text
//! y(x)  = y_j + m_j (x − x_j),   m_j = (y_{j+1} − y_j)/(x_{j+1} − x_j),   x_j ≤ x < x_{j+1}      (1)
//! ∫y dx = Y_j + y_j (x − x_j) + m_j (x − x_j)²/2                                              (2)
//! ```

use crate::files::{FileError, Source};
use crate::numbers::{self, NumberList};

/// The curve.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Polyline {
    x: Vec<f64>,
    y: Vec<f64>,
    /// Integral from x = 0 to each point.
    integral: Vec<f64>,
}

/// Value and slope at a place, and the integral from x = 0 to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    pub value: f64,
    pub slope: f64,
    pub integral: f64,
}

impl Polyline {
    /// A curve of one value everywhere.
    pub(crate) fn level(value: f64) -> Self {
        Self {
            x: vec![0.0],
            y: vec![value],
            integral: vec![0.0],
        }
    }

    /// A straight line from the origin to a point, level beyond both.
    pub(crate) fn ramp(x: f64, y: f64) -> Self {
        Self::through(vec![0.0, x], vec![0.0, y])
    }

    /// Through points that are checked already.
    fn through(x: Vec<f64>, y: Vec<f64>) -> Self {
        let mut integral = vec![0.0; x.len()];
        for index in 1..x.len() {
            integral[index] =
                integral[index - 1] + 0.5 * (y[index] + y[index - 1]) * (x[index] - x[index - 1]);
        }
        let mut curve = Self { x, y, integral };
        let origin = curve.integral_at(0.0);
        curve.integral.iter_mut().for_each(|it| *it -= origin);
        curve
    }

    /// From two lists of a file, of the same length and at least two, the first one rising.
    pub(crate) fn read(source: &Source<'_>, x: &NumberList, y: &NumberList) -> Result<Self, FileError> {
        let (count, needed) = (y.get_ref().len(), x.get_ref().len());
        if needed < 2 {
            let problem = format!("expected at least 2 points, found {needed}");
            return Err(source.fault_at(x.span(), problem));
        }
        if count != needed {
            let problem = format!("expected {needed} values, one for each point, found {count}");
            return Err(source.fault_at(y.span(), problem));
        }
        let places = numbers::all(source, x, numbers::finite)?;
        rising(source, x, &places, |before, after| before < after, "larger than")?;
        Ok(Self::through(places, numbers::all(source, y, numbers::finite)?))
    }

    /// Like [`Polyline::read`], for values that may not fall.
    pub(crate) fn read_rising(
        source: &Source<'_>,
        x: &NumberList,
        y: &NumberList,
    ) -> Result<Self, FileError> {
        let curve = Self::read(source, x, y)?;
        rising(source, y, &curve.y, |before, after| before <= after, "at least")?;
        Ok(curve)
    }

    /// Eq. (1).
    #[inline]
    pub(crate) fn value(&self, x: f64) -> f64 {
        let (index, slope) = self.segment(x);
        self.y[index] + slope * (x - self.x[index])
    }

    /// Eq. (1) and (2).
    #[inline]
    pub(crate) fn sample(&self, x: f64) -> Sample {
        let (index, slope) = self.segment(x);
        let along = x - self.x[index];
        Sample {
            value: self.y[index] + slope * along,
            slope,
            integral: self.integral[index] + (self.y[index] + 0.5 * slope * along) * along,
        }
    }

    /// The points.
    pub(crate) fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.x.iter().copied().zip(self.y.iter().copied())
    }

    /// The last point.
    pub(crate) fn last(&self) -> (f64, f64) {
        let end = self.x.len() - 1;
        (self.x[end], self.y[end])
    }

    /// The point that begins the segment of a place, and the segment's slope.
    #[inline]
    fn segment(&self, x: f64) -> (usize, f64) {
        let after = self.x.partition_point(|place| *place <= x);
        if after == 0 || after == self.x.len() {
            return (after.saturating_sub(1), 0.0);
        }
        let index = after - 1;
        (
            index,
            (self.y[after] - self.y[index]) / (self.x[after] - self.x[index]),
        )
    }

    fn integral_at(&self, x: f64) -> f64 {
        let (index, slope) = self.segment(x);
        let along = x - self.x[index];
        self.integral[index] + (self.y[index] + 0.5 * slope * along) * along
    }
}

/// Tells the first value that is not as it should be after the one before it.
fn rising(
    source: &Source<'_>,
    list: &NumberList,
    values: &[f64],
    holds: impl Fn(f64, f64) -> bool,
    words: &str,
) -> Result<(), FileError> {
    let fault = values.windows(2).position(|pair| !holds(pair[0], pair[1]));
    fault.map_or(Ok(()), |index| {
        let (before, found) = (values[index], values[index + 1]);
        let place = list.get_ref()[index + 1].span();
        let problem = format!("expected a number {words} the one before it ({before}), found {found}");
        Err(source.fault_at(place, problem))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 2 from x = −1, up to 4 at x = 1, level beyond; the integral from 0 to 1 is (3 + 4)/2.
    #[test]
    fn value_slope_and_integral_by_hand() {
        let curve = Polyline::through(vec![-1.0, 1.0], vec![2.0, 4.0]);
        let at = |x| curve.sample(x);
        assert_eq!((at(0.0).value, at(0.0).slope, at(0.0).integral), (3.0, 1.0, 0.0));
        assert_eq!((at(1.0).value, at(1.0).slope, at(1.0).integral), (4.0, 0.0, 3.5));
        assert_eq!((at(3.0).value, at(3.0).integral), (4.0, 11.5));
        assert_eq!((at(-2.0).value, at(-2.0).integral), (2.0, -4.5));
    }

    #[test]
    fn a_level_curve_integrates_to_a_line() {
        let at = Polyline::level(0.5).sample(-4.0);
        assert_eq!((at.value, at.slope, at.integral), (0.5, 0.0, -2.0));
    }
}
