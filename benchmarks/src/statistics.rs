//! What is said about many measurements of one thing: least, median, 99th percentile, most.
//!
//! Percentiles are those of nearest rank, p(q) = x₍⌈q·n⌉₎ of the sorted measurements: a value that
//! was measured, never one between two.

/// The four numbers by which a set of measurements is reported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    pub min: f64,
    pub p50: f64,
    /// The value that 99 in 100 do not exceed.
    pub p99: f64,
    pub max: f64,
    pub count: usize,
}

impl Summary {
    /// Summarises the measurements; `None` if there are none.
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        Some(Self {
            min: *values.first()?,
            p50: at(&values, 0.50),
            p99: at(&values, 0.99),
            max: *values.last()?,
            count: values.len(),
        })
    }

    pub fn scaled(self, factor: f64) -> Self {
        Self {
            min: self.min * factor,
            p50: self.p50 * factor,
            p99: self.p99 * factor,
            max: self.max * factor,
            count: self.count,
        }
    }
}

/// The value of nearest rank in sorted, non-empty measurements.
fn at(sorted: &[f64], share: f64) -> f64 {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted[rank.clamp(1, sorted.len()) - 1]
}

/// The value that this share does not exceed; `None` if there are no values.
pub fn percentile(mut values: Vec<f64>, share: f64) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    (!values.is_empty()).then(|| at(&values, share))
}

/// The median; `None` if there are no values.
pub fn median(values: Vec<f64>) -> Option<f64> {
    Summary::of(values).map(|summary| summary.p50)
}

/// A straight line through points, by least squares: y = intercept + slope · x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Rise of y for each x.
    pub slope: f64,
    pub intercept: f64,
    /// Share of the variance of y that the line explains.
    pub r_squared: f64,
}

impl Line {
    /// The line; `None` unless there are two different x.
    pub fn through(points: &[(f64, f64)]) -> Option<Self> {
        let count = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (x_mean, y_mean) = (mean(|it| it.0), mean(|it| it.1));
        let sum =
            |of: &dyn Fn(f64, f64) -> f64| -> f64 { points.iter().map(|(x, y)| of(x - x_mean, y - y_mean)).sum() };
        let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
        let slope = xy / xx;
        slope.is_finite().then(|| Self {
            slope,
            intercept: y_mean - slope * x_mean,
            r_squared: if yy == 0.0 { 1.0 } else { xy * xy / (xx * yy) },
        })
    }

    /// y at a place.
    pub fn at(&self, x: f64) -> f64 {
        self.intercept + self.slope * x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Anscombe's first set (1973): y = 3.00 + 0.500 x, R² = 0.67 in the paper.
    #[test]
    fn the_line_through_anscombe_s_first_set() {
        let points = [
            (10.0, 8.04),
            (8.0, 6.95),
            (13.0, 7.58),
            (9.0, 8.81),
            (11.0, 8.33),
            (14.0, 9.96),
            (6.0, 7.24),
            (4.0, 4.26),
            (12.0, 10.84),
            (7.0, 4.82),
            (5.0, 5.68),
        ];
        let line = Line::through(&points).unwrap();
        assert!((line.intercept - 3.0).abs() < 5e-3, "{line:?}");
        assert!((line.slope - 0.5).abs() < 5e-4, "{line:?}");
        assert!((line.r_squared - 0.67).abs() < 5e-3, "{line:?}");
        assert!((line.at(10.0) - 8.0).abs() < 1e-2);
    }

    #[test]
    fn one_place_has_no_line() {
        assert_eq!(Line::through(&[(1.0, 2.0), (1.0, 3.0)]), None);
        assert_eq!(Line::through(&[]), None);
    }

    #[test]
    fn nearest_rank_of_a_hundred() {
        let summary = Summary::of((1..=100).rev().map(f64::from).collect()).unwrap();
        assert_eq!((summary.min, summary.p50, summary.p99, summary.max), (1.0, 50.0, 99.0, 100.0));
        assert_eq!(summary.count, 100);
    }

    #[test]
    fn a_share_of_a_thousand() {
        let values: Vec<f64> = (1..=2_000).map(f64::from).collect();
        assert_eq!(percentile(values, 0.999), Some(1_998.0));
        assert_eq!(percentile(Vec::new(), 0.999), None);
    }

    #[test]
    fn one_measurement_is_all_four() {
        let summary = Summary::of(vec![7.0]).unwrap();
        assert_eq!((summary.min, summary.p50, summary.p99, summary.max), (7.0, 7.0, 7.0, 7.0));
    }

    #[test]
    fn nothing_has_no_summary() {
        assert_eq!(Summary::of(Vec::new()), None);
        assert_eq!(median(Vec::new()), None);
    }
}
