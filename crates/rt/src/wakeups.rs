//! How late the machine wakes a thread: an empty periodic loop, measured the way `cyclictest`
//! measures it.
//!
//! The latency is (clock read immediately after the sleep returns) - (time that was programmed).
//! `cyclictest` does the same, cuts the result to whole microseconds and counts it in a histogram
//! of 1 µs; latencies beyond its end are counted but not binned; after an overrun it goes on at the
//! next time of the original grid. This module follows all of that, so that the two tables can be
//! laid side by side.

use crate::periodic::{LoopStatistics, OverrunPolicy, Periodic};

/// Nanoseconds in one microsecond.
const NS_PER_US: u64 = 1_000;

/// Wakes `count` times, once per `period_ns`, on the calling thread with whatever priority and CPU
/// it has, and does nothing else; ends earlier when `stop` says so, which is asked before every
/// sleep.
///
/// `latency_us_counts[k]` is raised for each wake-up with a latency of k whole microseconds. Those
/// beyond its end are `wakeups - sum(latency_us_counts)`. Nothing is allocated.
///
/// # Panics
/// When the period is zero.
pub fn measure_wakeups(
    period_ns: u64,
    count: u64,
    stop: &dyn Fn() -> bool,
    latency_us_counts: &mut [u64],
) -> LoopStatistics {
    let mut periodic = Periodic::new(period_ns, OverrunPolicy::Skip);
    while periodic.statistics().wakeups < count && !stop() {
        let Some(wake) = periodic.wait() else { continue };
        if let Some(bin) = latency_us_counts.get_mut((wake.latency_ns / NS_PER_US) as usize) {
            *bin += 1;
        }
        periodic.finish_step();
    }
    periodic.statistics().clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn counts_every_wakeup_once() {
        let mut counts = vec![0_u64; 1_000_000];
        let statistics = measure_wakeups(200_000, 50, &|| false, &mut counts);
        assert_eq!(statistics.wakeups, 50);
        assert_eq!(statistics.latency.count(), 50);
        assert_eq!(statistics.execution.count(), 50);
        assert_eq!(counts.iter().sum::<u64>(), 50);
        let slowest_us = counts.iter().rposition(|bin| *bin > 0).unwrap();
        assert_eq!(slowest_us as u64, statistics.latency.max_ns() / NS_PER_US);
    }

    #[test]
    fn latencies_beyond_the_bins_are_left_out_of_them() {
        let mut no_bins = [];
        let statistics = measure_wakeups(50_000, 10, &|| false, &mut no_bins);
        assert_eq!(statistics.wakeups, 10);
    }

    #[test]
    fn stops_when_asked() {
        let asked = Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) >= 5;
        assert_eq!(measure_wakeups(50_000, 1000, &stop, &mut []).wakeups, 5);
    }
}
