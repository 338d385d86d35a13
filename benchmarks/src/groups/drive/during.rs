//! What a process reported during the drive: the difference of two reports, since a health block
//! counts from the start of its process.

use anyhow::{Result, ensure};
use rt::histogram::{Histogram, bucket_upper_ns};
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
        let [latency, execution, exchange] =
            histograms.map(|(before, after)| service::histogram_of(after).since(&service::histogram_of(before)));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn of(times_ns: &[u64]) -> Histogram {
        let mut histogram = Histogram::new();
        times_ns.iter().for_each(|time_ns| histogram.record(*time_ns));
        histogram
    }

    #[test]
    fn late_times_are_counted() {
        let times = of(&[100, 20_000, 900_000, 1_200_000, 5_000_000]);
        assert_eq!(later_than(&times, 1_000_000), 2);
        assert_eq!(later_than(&times, 10_000_000), 0);
    }
}
