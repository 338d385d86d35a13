//! What is said about many measurements of one thing: least, median, 99th percentile, most.
//!
//! Percentiles are those of nearest rank, p(q) = x₍⌈q·n⌉₎ of the sorted measurements: a value that was measured, never
//! one between two.

/// The four numbers by which a set of measurements is reported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The least.
    pub min: f64,
    /// The median.
    pub p50: f64,
    /// The value that 99 in 100 do not exceed.
    pub p99: f64,
    /// The most.
    pub max: f64,
    /// How many there are.
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

    /// The same in another unit.
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

/// The median; `None` if there are no values.
pub fn median(values: Vec<f64>) -> Option<f64> {
    Summary::of(values).map(|summary| summary.p50)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_rank_of_a_hundred() {
        let summary = Summary::of((1..=100).rev().map(f64::from).collect()).unwrap();
        assert_eq!(
            (summary.min, summary.p50, summary.p99, summary.max),
            (1.0, 50.0, 99.0, 100.0)
        );
        assert_eq!(summary.count, 100);
    }

    #[test]
    fn one_measurement_is_all_four() {
        let summary = Summary::of(vec![7.0]).unwrap();
        assert_eq!(
            (summary.min, summary.p50, summary.p99, summary.max),
            (7.0, 7.0, 7.0, 7.0)
        );
    }

    #[test]
    fn nothing_has_no_summary() {
        assert_eq!(Summary::of(Vec::new()), None);
        assert_eq!(median(Vec::new()), None);
    }
}
