//! A histogram of a process as columns for a small picture.

use rt::histogram::{Histogram, bucket_of};

use crate::view::format::microseconds;

/// Heights are whole numbers; so many of them make one power of e.
const STEPS_PER_E: f64 = 1_000.0;

/// Heights of `columns` bars from the shortest to the longest time. Both axes are logarithmic, the
/// one of the times because the buckets are, that of the counts so that the single worst one is
/// seen beside a million good ones.
pub fn heights(histogram: &Histogram, columns: usize) -> Vec<u64> {
    if histogram.count() == 0 || columns == 0 {
        return vec![0; columns];
    }
    let first = bucket_of(histogram.min_ns());
    let buckets = &histogram.buckets()[first..=bucket_of(histogram.max_ns())];
    let edge = |column: usize| column * buckets.len() / columns;
    let count = |column: usize| -> u64 {
        let (from, to) = (edge(column), edge(column + 1).max(edge(column) + 1));
        buckets[from..to].iter().sum()
    };
    (0..columns).map(|column| ((count(column) as f64).ln_1p() * STEPS_PER_E) as u64).collect()
}

/// The ends of the axis, `columns` wide.
pub fn axis(histogram: &Histogram, columns: usize) -> String {
    if histogram.count() == 0 {
        return "nothing measured".chars().take(columns).collect();
    }
    let (left, right) = (microseconds(histogram.min_ns()), format!("{} µs", microseconds(histogram.max_ns())));
    let blanks = columns.saturating_sub(left.chars().count() + right.chars().count());
    format!("{left}{}{right}", " ".repeat(blanks.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(values_ns: &[u64]) -> Histogram {
        let mut histogram = Histogram::new();
        values_ns.iter().for_each(|value_ns| histogram.record(*value_ns));
        histogram
    }

    #[test]
    fn the_ends_are_always_seen() {
        let seen = histogram(&[15_000, 15_100, 30_000, 2_000_000]);
        for columns in [1, 3, 20, 500] {
            let heights = heights(&seen, columns);
            assert_eq!(heights.len(), columns);
            assert!(heights[0] > 0 && heights[columns - 1] > 0, "{heights:?}");
        }
    }

    #[test]
    fn every_bucket_is_in_some_column() {
        let values_ns: Vec<u64> = (1..400).map(|step| step * 9_000).collect();
        let seen = histogram(&values_ns);
        let heights = heights(&seen, 7);
        assert!(heights.iter().all(|height| *height > 0), "{heights:?}");
    }

    #[test]
    fn a_thousand_times_as_many_is_not_a_thousand_times_as_high() {
        let mut seen = histogram(&[10_000_000]);
        for _ in 0..1_000 {
            seen.record(10_000);
        }
        let heights = heights(&seen, 2);
        assert!(heights[0] > heights[1] && heights[0] < 20 * heights[1], "{heights:?}");
    }

    #[test]
    fn nothing_is_flat() {
        assert_eq!(heights(&Histogram::new(), 3), [0, 0, 0]);
        assert_eq!(axis(&Histogram::new(), 40), "nothing measured");
        assert_eq!(axis(&histogram(&[1_500, 90_000]), 12), "1.50 90.0 µs");
    }
}
