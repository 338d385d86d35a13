//! Wake-up latencies counted in bins of one microsecond, as `cyclictest` counts them and as our
//! loop does.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The latencies of some wake-ups.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latencies {
    /// Wake-ups for each whole number of microseconds.
    counts: BTreeMap<u64, u64>,
    /// Wake-ups that were later than the last bin.
    beyond: u64,
    /// What is known of their sum: each as late as the latest of its round.
    beyond_sum_us: u64,
    max_us: u64,
}

impl Latencies {
    /// The latencies of one round. Empty bins are left out.
    pub fn new(counts: impl IntoIterator<Item = (u64, u64)>, beyond: u64, max_us: u64) -> Self {
        Self {
            counts: counts.into_iter().filter(|(_, count)| *count > 0).collect(),
            beyond,
            beyond_sum_us: beyond.saturating_mul(max_us),
            max_us,
        }
    }

    /// What [`measure_wakeups`](crate::wakeups::measure_wakeups) counted.
    pub fn of_loop(counts: &[u64], statistics: &crate::LoopStatistics) -> Self {
        let beyond = statistics.wakeups - counts.iter().sum::<u64>();
        let bins = (0..).zip(counts).map(|(latency_us, count)| (latency_us, *count));
        Self::new(bins, beyond, statistics.latency.max_ns() / 1_000)
    }

    /// Adds those of another round.
    pub fn add(&mut self, other: &Self) {
        for (latency_us, count) in &other.counts {
            *self.counts.entry(*latency_us).or_default() += count;
        }
        self.beyond += other.beyond;
        self.beyond_sum_us = self.beyond_sum_us.saturating_add(other.beyond_sum_us);
        self.max_us = self.max_us.max(other.max_us);
    }

    /// All rounds as one.
    pub fn together<'a>(rounds: impl IntoIterator<Item = &'a Self>) -> Self {
        rounds.into_iter().fold(Self::default(), |mut all, round| {
            all.add(round);
            all
        })
    }

    /// Wake-ups for each whole number of microseconds that occurred, in rising order.
    pub fn bins(&self) -> impl Iterator<Item = (u64, u64)> {
        self.counts.iter().map(|(latency_us, count)| (*latency_us, *count))
    }

    /// Wake-ups of this whole number of microseconds.
    pub fn count_at(&self, latency_us: u64) -> u64 {
        self.counts.get(&latency_us).copied().unwrap_or(0)
    }

    /// Wake-ups that were later than the last bin.
    pub fn beyond(&self) -> u64 {
        self.beyond
    }

    /// Wake-ups in all.
    pub fn total(&self) -> u64 {
        self.beyond + self.counts.values().sum::<u64>()
    }

    /// The earliest wake-up, in whole microseconds.
    pub fn min_us(&self) -> u64 {
        self.counts.keys().next().copied().unwrap_or(self.max_us)
    }

    /// The latest wake-up, in whole microseconds.
    pub fn max_us(&self) -> u64 {
        self.max_us
    }

    /// The mean, each latency taken as the middle of its bin; those beyond the bins as the latest
    /// of their round.
    pub fn mean_us(&self) -> f64 {
        let binned = self.bins().map(|(latency_us, count)| (latency_us as f64 + 0.5) * count as f64).sum::<f64>();
        (binned + self.beyond_sum_us as f64) / self.total().max(1) as f64
    }

    /// A latency that this share of the wake-ups do not exceed.
    ///
    /// The bin [b, b + 1) that holds rank r = share · n, with c wake-ups before it and k in it, is
    /// taken as evenly filled: b + (r − c) / k. Otherwise two loops that differ by nanoseconds
    /// could seem to differ by a microsecond.
    pub fn percentile_us(&self, share: f64) -> f64 {
        let rank = share * self.total() as f64;
        let mut before = 0.0;
        for (latency_us, count) in self.bins() {
            let count = count as f64;
            if before + count >= rank {
                return latency_us as f64 + (rank - before) / count;
            }
            before += count;
        }
        self.max_us as f64
    }

    /// Wake-ups that were a whole period late or later, so that at least one period was lost.
    pub fn overruns(&self, period_us: u64) -> u64 {
        self.beyond + self.counts.range(period_us..).map(|(_, count)| count).sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_lie_within_their_bin() {
        let latencies = Latencies::new([(10, 50), (15, 0), (20, 50)], 0, 20);
        assert_eq!(latencies.percentile_us(0.25), 10.5);
        assert_eq!(latencies.percentile_us(0.75), 20.5);
        assert_eq!((latencies.min_us(), latencies.max_us()), (10, 20));
        assert_eq!(latencies.mean_us(), 15.5);
    }

    #[test]
    fn those_beyond_the_bins_count() {
        let late = Latencies::new([(10, 1)], 9, 30_000);
        assert_eq!(late.total(), 10);
        assert_eq!(late.percentile_us(0.5), 30_000.0);
        assert_eq!(late.mean_us(), (10.5 + 9.0 * 30_000.0) / 10.0);
        assert_eq!(Latencies::new([], 3, 40_000).min_us(), 40_000);
    }

    #[test]
    fn a_whole_period_late_is_an_overrun() {
        let latencies = Latencies::new([(999, 5), (1_000, 2), (1_500, 1)], 1, 50_000);
        assert_eq!(latencies.overruns(1_000), 4);
    }

    #[test]
    fn rounds_add_up() {
        let rounds = [Latencies::new([(10, 1), (12, 2)], 0, 12), Latencies::new([(9, 1), (10, 4)], 1, 40_000)];
        let all = Latencies::together(&rounds);
        assert_eq!(all.bins().collect::<Vec<_>>(), [(9, 1), (10, 5), (12, 2)]);
        assert_eq!((all.total(), all.beyond(), all.max_us()), (9, 1, 40_000));
        assert_eq!(all.count_at(10), 5);
    }

    #[test]
    fn nothing_measured_is_no_division_by_zero() {
        let none = Latencies::default();
        assert_eq!((none.total(), none.mean_us(), none.percentile_us(0.5)), (0, 0.0, 0.0));
    }
}
