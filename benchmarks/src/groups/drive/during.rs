//! What a process reported during the drive: the difference of two reports, since a health block counts from the start of its process.

use anyhow::{Result, ensure};
use rt::histogram::{Histogram, bucket_lower_ns, bucket_upper_ns};
use shm_layout::blocks::Health;

/// The numbers of a process between two of its reports.
pub struct During {
    /// CPU that the process is pinned to.
    pub cpu: Option<usize>,
    pub wakeups: u64,
    pub overruns: u64,
    pub exchange_misses: u64,
    pub latency: Histogram,
    pub execution: Histogram,
    pub exchange: Histogram,
}

impl During {
    /// Fails if another process wrote the second report.
    pub fn between(before: &Health, after: &Health, name: &str) -> Result<Self> {
        ensure!(after.pid == before.pid, "{name} was restarted during the drive");
        let histograms = [
            (&before.latency, &after.latency),
            (&before.execution, &after.execution),
            (&before.exchange, &after.exchange),
        ];
        let [latency, execution, exchange] = histograms
            .map(|(before, after)| difference(&service::histogram_of(before), &service::histogram_of(after)));
        Ok(Self {
            cpu: usize::try_from(after.cpu).ok(),
            wakeups: after.wakeups - before.wakeups,
            overruns: after.overruns - before.overruns,
            exchange_misses: after.exchange_misses - before.exchange_misses,
            latency,
            execution,
            exchange,
        })
    }
}

/// How many of the recorded times are later than this (ns); a bucket on both sides of it counts.
pub fn later_than(histogram: &Histogram, limit_ns: u64) -> u64 {
    let buckets = histogram.buckets().iter().enumerate();
    let later = buckets.filter(|(index, _)| bucket_upper_ns(*index) > limit_ns);
    later.map(|(_, count)| count).sum()
}

/// What was recorded after `before`. A maximum that was there already is not of these minutes; then the upper edge of the last bucket that
/// got something stands for it, which is no more than a sixteenth too much.
fn difference(before: &Histogram, after: &Histogram) -> Histogram {
    let buckets = std::array::from_fn(|index| after.buckets()[index] - before.buckets()[index]);
    let used = |index: &usize| buckets[*index] > 0;
    let first = (0..buckets.len()).find(used).map_or(u64::MAX, bucket_lower_ns);
    let last = (0..buckets.len()).rfind(used).map_or(0, bucket_upper_ns);
    let max_ns = if after.max_ns() > before.max_ns() {
        after.max_ns()
    } else {
        last.min(after.max_ns())
    };
    Histogram::from_parts(&buckets, after.sum_ns() - before.sum_ns(), first, max_ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(times_ns: &[u64]) -> Histogram {
        let mut histogram = Histogram::new();
        times_ns.iter().for_each(|time_ns| histogram.record(*time_ns));
        histogram
    }

    #[test]
    fn the_start_is_left_out() {
        let start = of(&[9_000_000, 5_000_000, 100]);
        let drive = difference(&start, &of(&[9_000_000, 5_000_000, 100, 20_000, 30_000, 40_000]));
        assert_eq!((drive.count(), drive.mean_ns()), (3, 30_000.0));
        let max_ns = drive.max_ns();
        assert!((40_000..=42_500).contains(&max_ns), "{max_ns}");
    }

    #[test]
    fn a_new_maximum_is_exact() {
        let drive = difference(&of(&[100]), &of(&[100, 12_345]));
        assert_eq!((drive.count(), drive.max_ns()), (1, 12_345));
    }

    #[test]
    fn late_times_are_counted() {
        let times = of(&[100, 20_000, 900_000, 1_200_000, 5_000_000]);
        assert_eq!(later_than(&times, 1_000_000), 2);
        assert_eq!(later_than(&times, 10_000_000), 0);
    }

    #[test]
    fn nothing_new_is_nothing() {
        let same = of(&[100, 200]);
        assert_eq!(difference(&same, &same).count(), 0);
    }
}
