//! When blocks are due. Block *k* comes at
//!
//! ```text
//! t_k = t_0 + (k + 1)·h + delay        h the block's period, delay from 0 to the jitter     (1)
//! ```
//!
//! on the monotonic clock, in order, and a late one never makes the next one late.

use nix::sys::time::TimeSpec;
use nix::time::{ClockId, ClockNanosleepFlags, clock_gettime, clock_nanosleep};

/// When the next block is due: Eq. (1).
pub(super) struct Due {
    start_ns: u64,
    /// 0 for no pace.
    pub(super) period_ns: u64,
    /// Blocks that were due so far.
    count: u64,
    pub(super) next_ns: u64,
}

impl Due {
    pub(super) fn new(start_ns: u64, period_ns: u64) -> Self {
        Self { start_ns, period_ns, count: 0, next_ns: start_ns + period_ns }
    }

    pub(super) fn elapsed_s(&self) -> f64 {
        (self.count * self.period_ns) as f64 * 1e-9
    }

    pub(super) fn advance(&mut self, delay_ns: u64) {
        self.count += 1;
        let due_ns = self.start_ns + (self.count + 1) * self.period_ns + delay_ns;
        self.next_ns = due_ns.max(self.next_ns);
    }
}

/// The monotonic clock now (ns).
pub(super) fn monotonic_ns() -> u64 {
    let now = clock_gettime(ClockId::CLOCK_MONOTONIC).unwrap_or(TimeSpec::new(0, 0));
    now.tv_sec() as u64 * 1_000_000_000 + now.tv_nsec() as u64
}

/// Sleeps until the monotonic clock shows this, or a signal comes.
pub(super) fn sleep_until_ns(deadline_ns: u64) {
    let deadline = TimeSpec::new((deadline_ns / 1_000_000_000) as i64, (deadline_ns % 1_000_000_000) as i64);
    // A sleep that a signal ends is a short sleep: the loop looks at its clock again.
    let _ = clock_nanosleep(ClockId::CLOCK_MONOTONIC, ClockNanosleepFlags::TIMER_ABSTIME, &deadline);
}
