//! A function given by points, with straight lines between them.
//!
//! Outside its points it keeps the value of the nearest one, so that a speed beyond the measured range gives a torque that was measured.

/// Points with a rising first coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    points: Vec<[f64; 2]>,
    /// From each point to the next; none after the last.
    slopes: Vec<f64>,
    /// Equal bins from the first point to the last: for each, the last point that is not beyond its beginning. So a search begins near its end.
    bins: Vec<usize>,
    bins_by_x: f64,
}

/// Bins for each point of a table.
const BINS_BY_POINT: usize = 4;

/// Why a row of points is no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// There is nothing to interpolate.
    #[error("expected at least two points [x, y]; add points")]
    TooFew,
    /// The first coordinate stays or falls at this point (counted from 0).
    #[error(
        "not monotonic: expected a first number above that of the point before, found otherwise at point {}; sort the points and remove doubles",
        .0 + 1
    )]
    NotRising(usize),
    /// A number is infinite or not a number.
    #[error("expected finite numbers, found otherwise at point {}", .0 + 1)]
    NotFinite(usize),
}

impl Table {
    /// Checks the points.
    pub fn new(points: Vec<[f64; 2]>) -> Result<Self, TableError> {
        if points.len() < 2 {
            return Err(TableError::TooFew);
        }
        if let Some(at) = points
            .iter()
            .position(|point| !point.iter().all(|it| it.is_finite()))
        {
            return Err(TableError::NotFinite(at));
        }
        if let Some(at) = points.windows(2).position(|pair| pair[1][0] <= pair[0][0]) {
            return Err(TableError::NotRising(at + 1));
        }
        Ok(Self::from_rising(points))
    }

    fn from_rising(points: Vec<[f64; 2]>) -> Self {
        let slope = |pair: &[[f64; 2]]| (pair[1][1] - pair[0][1]) / (pair[1][0] - pair[0][0]);
        let slopes = points.windows(2).map(slope).chain([0.0]).collect();
        let count = BINS_BY_POINT * points.len();
        let (first, width) = (points[0][0], points[points.len() - 1][0] - points[0][0]);
        let begins = (0..count).map(|bin| first + width * bin as f64 / count as f64);
        let bins = begins
            .map(|x| points.partition_point(|it| it[0] <= x).max(1) - 1)
            .collect();
        Self {
            points,
            slopes,
            bins,
            bins_by_x: count as f64 / width,
        }
    }

    /// The same value everywhere.
    #[must_use]
    pub fn level(value: f64) -> Self {
        Self::from_rising(vec![[0.0, value], [1.0, value]])
    }

    /// The same points with another scale of the first coordinate.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self::from_rising(
            self.points
                .iter()
                .map(|point| [point[0] * factor, point[1]])
                .collect(),
        )
    }

    /// Value and slope.
    #[inline]
    #[must_use]
    pub fn at(&self, x: f64) -> (f64, f64) {
        let (Some(first), Some(last)) = (self.points.first(), self.points.last()) else {
            return (0.0, 0.0);
        };
        if x >= last[0] {
            return (last[1], 0.0);
        }
        if x.is_nan() || x < first[0] {
            return (first[1], 0.0);
        }
        let bin = ((x - first[0]) * self.bins_by_x) as usize;
        // Rounding may put a number into the bin after its own; the bin before begins surely below it.
        let mut at = self.bins.get(bin.saturating_sub(1)).copied().unwrap_or(0);
        while self.points.get(at + 1).is_some_and(|next| next[0] <= x) {
            at += 1;
        }
        match (self.points.get(at), self.slopes.get(at)) {
            (Some(point), Some(slope)) => (point[1] + slope * (x - point[0]), *slope),
            _ => (last[1], 0.0),
        }
    }

    /// The points.
    #[must_use]
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_straight_between_points_and_level_beyond_them() {
        let table = Table::new(vec![[0.0, 1.0], [2.0, 5.0], [3.0, 4.0]]).expect("rising");
        assert_eq!(table.at(1.0), (3.0, 2.0));
        assert_eq!(table.at(2.5), (4.5, -1.0));
        assert_eq!(table.at(-7.0), (1.0, 0.0));
        assert_eq!(table.at(9.0), (4.0, 0.0));
    }

    /// The bins are only a shortcut: a search through all points finds the same.
    #[test]
    fn bins_find_the_same_as_a_search() {
        let points: Vec<[f64; 2]> = (0..40)
            .map(|k| [f64::from(k * k) / 7.0 - 3.0, f64::from(k % 5)])
            .collect();
        let table = Table::new(points.clone()).expect("rising");
        for k in 0..5000 {
            let x = -5.0 + 230.0 * f64::from(k) / 4999.0;
            let after = points.partition_point(|point| point[0] <= x);
            let slow = match (after.checked_sub(1).map(|at| points[at]), points.get(after)) {
                (Some(a), Some(b)) => a[1] + (b[1] - a[1]) / (b[0] - a[0]) * (x - a[0]),
                (Some(end), None) => end[1],
                (None, _) => points[0][1],
            };
            assert_eq!(table.at(x).0, slow, "{x}");
        }
        for point in &points {
            assert_eq!(table.at(point[0]).0, point[1]);
        }
        assert_eq!(table.at(f64::NAN).0, points[0][1]);
    }

    #[test]
    fn points_that_do_not_rise_are_refused_by_number() {
        let error = Table::new(vec![[0.0, 1.0], [2.0, 5.0], [2.0, 4.0]]).expect_err("equal");
        assert_eq!(error, TableError::NotRising(2));
        assert!(error.to_string().contains("point 3"));
        assert_eq!(Table::new(vec![[0.0, 1.0]]), Err(TableError::TooFew));
    }
}
