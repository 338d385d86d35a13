//! A function given by points, with straight lines between them.
//!
//! ```text
//! y(x)  = y_j + m_j (x − x_j),   m_j = (y_{j+1} − y_j)/(x_{j+1} − x_j),   x_j ≤ x < x_{j+1}      (1)
//! ∫y dx = Y_j + y_j (x − x_j) + m_j (x − x_j)²/2                                                 (2)
//! ```
//! Beyond its ends it is level, or goes on straight along its end pieces ([`Ends`]). A place is
//! found through equal bins over x, so that an evaluation takes the same short time for any number
//! of points that are spread about evenly, and O(log n) for any others.

use crate::ranges::{self, NumberList};
use crate::{FileError, Source};

/// What holds beyond the first and the last point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// The value of the end: what was measured.
    Level,
    /// The line of the end piece.
    Straight,
}

/// Why points make no curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CurveError {
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

impl CurveError {
    /// The point that is wrong, counted from 0.
    pub fn point(self) -> Option<usize> {
        match self {
            Self::TooFew => None,
            Self::NotRising(at) | Self::NotFinite(at) => Some(at),
        }
    }
}

/// Value and slope at a place, and the integral from x = 0 to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Eq. (1).
    pub value: f64,
    /// Its derivative; zero beyond a level end.
    pub slope: f64,
    /// Eq. (2).
    pub integral: f64,
}

/// Bins for each point of a curve.
const BINS_BY_POINT: usize = 4;
/// So many points are searched one after the other.
const FEW: usize = 8;

/// Points with a rising first coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    points: Vec<[f64; 2]>,
    /// From each point to the next; after the last, that of the end.
    slopes: Vec<f64>,
    /// Before the first point.
    slope_before: f64,
    /// From x = 0 to each point.
    integrals: Vec<f64>,
    /// For each bin, the last point that is not beyond its beginning.
    bins: Vec<u32>,
    bins_by_x: f64,
}

impl Curve {
    /// Two points or more.
    pub fn new(points: Vec<[f64; 2]>, ends: Ends) -> Result<Self, CurveError> {
        if points.len() < 2 {
            return Err(CurveError::TooFew);
        }
        Self::over_time(points, ends)
    }

    /// One point or more: a course over time may be a constant.
    pub fn over_time(points: Vec<[f64; 2]>, ends: Ends) -> Result<Self, CurveError> {
        if points.is_empty() {
            return Err(CurveError::TooFew);
        }
        if let Some(at) = points.iter().position(|point| !point.iter().all(|it| it.is_finite())) {
            return Err(CurveError::NotFinite(at));
        }
        if let Some(at) = points.windows(2).position(|pair| pair[1][0] <= pair[0][0]) {
            return Err(CurveError::NotRising(at + 1));
        }
        Ok(Self::through(points, ends))
    }

    fn through(points: Vec<[f64; 2]>, ends: Ends) -> Self {
        let slope = |pair: &[[f64; 2]]| (pair[1][1] - pair[0][1]) / (pair[1][0] - pair[0][0]);
        let mut slopes: Vec<f64> = points.windows(2).map(slope).collect();
        let of_end = |slope: Option<&f64>| slope.filter(|_| ends == Ends::Straight).copied().unwrap_or(0.0);
        let (slope_before, slope_after) = (of_end(slopes.first()), of_end(slopes.last()));
        slopes.push(slope_after);
        let count = BINS_BY_POINT * points.len();
        let (first, width) = (points[0][0], points[points.len() - 1][0] - points[0][0]);
        let begins = (0..count).map(|bin| first + width * bin as f64 / count as f64);
        let bins = begins.map(|x| points.partition_point(|it| it[0] <= x).max(1) as u32 - 1).collect();
        let integrals = integrals(&points);
        let bins_by_x = count as f64 / width;
        let mut curve = Self { points, slopes, slope_before, integrals, bins, bins_by_x };
        let origin = curve.sample(0.0).integral;
        curve.integrals.iter_mut().for_each(|it| *it -= origin);
        curve
    }

    /// The same value everywhere.
    pub fn level(value: f64) -> Self {
        Self::through(vec![[0.0, value]], Ends::Level)
    }

    /// A straight line from the origin to a point (`x` > 0), level beyond both.
    pub fn ramp(x: f64, y: f64) -> Self {
        Self::through(vec![[0.0, 0.0], [x, y]], Ends::Level)
    }

    /// From two lists of a file, of the same length and at least two, the first one rising.
    pub fn read(source: &Source<'_>, x: &NumberList, y: &NumberList) -> Result<Self, FileError> {
        let (count, needed) = (y.get_ref().len(), x.get_ref().len());
        if needed < 2 {
            return source.fail(x.span(), format!("expected at least 2 points, found {needed}"));
        }
        if count != needed {
            let problem = format!("expected {needed} values, one for each point, found {count}");
            return source.fail(y.span(), problem);
        }
        let places = ranges::all(source, x, ranges::finite)?;
        rising(source, x, |before, after| before < after, "larger than")?;
        let values = ranges::all(source, y, ranges::finite)?;
        Ok(Self::through(places.into_iter().zip(values).map(|(x, y)| [x, y]).collect(), Ends::Level))
    }

    /// Like [`Curve::read`], for values that may not fall.
    pub fn read_rising(source: &Source<'_>, x: &NumberList, y: &NumberList) -> Result<Self, FileError> {
        let curve = Self::read(source, x, y)?;
        rising(source, y, |before, after| before <= after, "at least")?;
        Ok(curve)
    }

    /// The last point that is not beyond a place, and the slope from it; of the first point before
    /// it.
    #[inline]
    fn piece(&self, x: f64) -> (usize, f64) {
        let last = self.points.len() - 1;
        if x >= self.points[last][0] {
            return (last, self.slopes[last]);
        }
        if x.is_nan() || x < self.points[0][0] {
            return (0, self.slope_before);
        }
        let index = self.index_inside(x);
        (index, self.slopes[index])
    }

    /// Rounding may put a number into a bin beside its own, so one bin more is searched on both
    /// sides.
    #[inline]
    fn index_inside(&self, x: f64) -> usize {
        let bin = ((x - self.points[0][0]) * self.bins_by_x) as usize;
        let from = self.bins.get(bin.saturating_sub(1)).map_or(0, |at| *at as usize);
        let to = self.bins.get(bin + 2).map_or(self.points.len() - 1, |at| *at as usize);
        let between = self.points.get(from + 1..=to).unwrap_or_default();
        from + if between.len() <= FEW {
            between.iter().take_while(|point| point[0] <= x).count()
        } else {
            between.partition_point(|point| point[0] <= x)
        }
    }

    /// Eq. (1).
    #[inline]
    pub fn value(&self, x: f64) -> f64 {
        self.at(x).0
    }

    /// Value and slope. What is not a number gives the first value.
    #[inline]
    pub fn at(&self, x: f64) -> (f64, f64) {
        let (index, slope) = self.piece(x);
        let [from, value] = self.points[index];
        if slope == 0.0 { (value, 0.0) } else { (value + slope * (x - from), slope) }
    }

    /// Eq. (1) and (2).
    #[inline]
    pub fn sample(&self, x: f64) -> Sample {
        let (index, slope) = self.piece(x);
        let [from, value] = self.points[index];
        let along = x - from;
        let integral = self.integrals[index] + (value + 0.5 * slope * along) * along;
        Sample { value: value + slope * along, slope, integral }
    }

    /// The two points around a place; the same one twice before the first and from the last on.
    #[inline]
    pub fn around(&self, x: f64) -> ([f64; 2], [f64; 2]) {
        let (index, last) = (self.piece(x).0, self.points.len() - 1);
        let next = if x >= self.points[0][0] { (index + 1).min(last) } else { index };
        (self.points[index], self.points[next])
    }

    /// The points.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// The last point.
    pub fn last(&self) -> [f64; 2] {
        self.points[self.points.len() - 1]
    }

    /// The curve through the same points, each changed; their first coordinates still rise. Its
    /// ends are level.
    pub fn mapped(&self, change: impl Fn([f64; 2]) -> [f64; 2]) -> Self {
        Self::through(self.points.iter().map(|point| change(*point)).collect(), Ends::Level)
    }
}

fn integrals(points: &[[f64; 2]]) -> Vec<f64> {
    let mut sum = 0.0;
    let pieces = points.windows(2).map(|pair| 0.5 * (pair[1][1] + pair[0][1]) * (pair[1][0] - pair[0][0]));
    let sums = pieces.map(|piece| {
        sum += piece;
        sum
    });
    [0.0].into_iter().chain(sums).collect()
}

/// Tells the first value that is not as it should be after the one before it.
fn rising(
    source: &Source<'_>,
    list: &NumberList,
    holds: impl Fn(f64, f64) -> bool,
    words: &str,
) -> Result<(), FileError> {
    let wrong = list.get_ref().windows(2).find(|pair| !holds(*pair[0].get_ref(), *pair[1].get_ref()));
    wrong.map_or(Ok(()), |pair| {
        let (before, found) = (pair[0].get_ref(), pair[1].get_ref());
        let problem = format!("expected a number {words} the one before it ({before}), found {found}");
        source.fail(pair[1].span(), problem)
    })
}

/// Linear between samples of a signal, constant outside; not a number for a signal without samples.
pub fn between(x: &[f64], y: &[f64], at: f64) -> f64 {
    let place = x.partition_point(|value| *value < at);
    match (place.checked_sub(1).map(|before| (x[before], y[before])), x.get(place)) {
        (Some((before, from)), Some(after)) if *after > before => {
            from + (y[place] - from) * (at - before) / (after - before)
        }
        (Some((_, from)), _) => from,
        (None, _) => y.first().copied().unwrap_or(f64::NAN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn it_is_straight_between_points_and_level_or_straight_beyond_them() {
        let points = vec![[0.0, 1.0], [2.0, 5.0], [3.0, 4.0]];
        let curve = Curve::new(points.clone(), Ends::Level).expect("rising");
        for (x, found) in [(1.0, (3.0, 2.0)), (2.5, (4.5, -1.0)), (-7.0, (1.0, 0.0)), (9.0, (4.0, 0.0))] {
            assert_eq!(curve.at(x), found);
        }
        assert_eq!(curve.at(f64::NAN).0, 1.0);
        let curve = Curve::new(points, Ends::Straight).expect("rising");
        assert_eq!((curve.at(-1.0), curve.at(5.0)), ((-1.0, 2.0), (2.0, -1.0)));
        assert_eq!(curve.around(2.5), ([2.0, 5.0], [3.0, 4.0]));
        assert_eq!((curve.around(-1.0).1, curve.around(3.0).0), ([0.0, 1.0], [3.0, 4.0]));
    }

    /// By hand: 2 from x = −1, up to 4 at x = 1, level beyond; the integral from 0 to 1 is (3 +
    /// 4)/2.
    #[test]
    fn value_slope_and_integral_by_hand() {
        let curve = Curve::new(vec![[-1.0, 2.0], [1.0, 4.0]], Ends::Level).expect("rising");
        let at = |x| {
            let sample = curve.sample(x);
            (sample.value, sample.slope, sample.integral)
        };
        assert_eq!([at(0.0), at(1.0)], [(3.0, 1.0, 0.0), (4.0, 0.0, 3.5)]);
        assert_eq!([at(3.0), at(-2.0)], [(4.0, 0.0, 11.5), (2.0, 0.0, -4.5)]);
        let at = Curve::level(0.5).sample(-4.0);
        assert_eq!((at.value, at.slope, at.integral), (0.5, 0.0, -2.0));
        assert_eq!(Curve::ramp(2.0, 4.0).value(1.5), 3.0);
    }

    /// Closed form: a curve through points of x² lies above it by at most h²/4 (chord of a
    /// parabola), and its integral from 0 is x³/3 + n h³/6 after n pieces.
    #[test]
    fn points_of_a_parabola() {
        let width = 1.0 / 64.0;
        let points = (0..=128).map(|k| f64::from(k) * width).map(|x| [x, x * x]).collect();
        let curve = Curve::new(points, Ends::Level).expect("rising");
        for k in 0..1000 {
            let x = 2.0 * f64::from(k) / 1000.0;
            let above = curve.value(x) - x * x;
            assert!((-1e-15..=width * width / 4.0 + 1e-15).contains(&above), "{x}: {above}");
        }
        let exact = 8.0 / 3.0 + 128.0 * width.powi(3) / 6.0;
        assert!((curve.sample(2.0).integral - exact).abs() < 1e-12);
    }

    proptest! {
        /// The bins are only a shortcut: a search through all points finds the same.
        #[test]
        fn bins_find_the_same_as_a_search(
            steps in proptest::collection::vec((1e-6..1e3_f64, -5.0..5.0_f64), 2..60),
            share in -0.1..1.1_f64,
        ) {
            let mut x = -3.0;
            let point = |(step, y): &(f64, f64)| { x += step.powi(3); [x, *y] };
            let points: Vec<[f64; 2]> = steps.iter().map(point).collect();
            let Ok(curve) = Curve::new(points.clone(), Ends::Level) else { return Ok(()) };
            let (first, last) = (points[0][0], points[points.len() - 1][0]);
            let places = points.iter().map(|it| it[0]).chain([first + share * (last - first)]);
            for x in places {
                let after = points.partition_point(|point| point[0] <= x);
                let slow = match (after.checked_sub(1).map(|at| points[at]), points.get(after)) {
                    (Some(a), Some(b)) => a[1] + (b[1] - a[1]) / (b[0] - a[0]) * (x - a[0]),
                    (Some(end), None) => end[1],
                    (None, _) => points[0][1],
                };
                prop_assert_eq!(curve.value(x), slow, "{}", x);
            }
        }
    }

    #[test]
    fn points_that_do_not_rise_are_refused_by_number() {
        let error = Curve::new(vec![[0.0, 1.0], [2.0, 5.0], [2.0, 4.0]], Ends::Level).expect_err("equal");
        assert_eq!((error, error.point()), (CurveError::NotRising(2), Some(2)));
        assert!(error.to_string().contains("point 3"));
        assert_eq!(Curve::new(vec![[0.0, 1.0]], Ends::Level), Err(CurveError::TooFew));
        let error = Curve::new(vec![[0.0, f64::NAN], [1.0, 0.0]], Ends::Level);
        assert_eq!(error, Err(CurveError::NotFinite(0)));
    }

    #[test]
    fn samples_of_a_signal() {
        let (x, y) = ([0.0, 1.0, 3.0], [0.0, 2.0, -2.0]);
        assert_eq!([-1.0, 0.5, 2.0, 9.0].map(|at| between(&x, &y, at)), [0.0, 1.0, 0.0, -2.0]);
        assert!(between(&[], &[], 0.0).is_nan());
    }
}
