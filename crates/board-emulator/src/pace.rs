//! When blocks are due. Block *k* comes at
//!
//! ```text
//! t_k = t_0 + (k + 1)·h + delay        h the block's period, delay from 0 to the jitter     (1)
//! ```
//!
//! on the monotonic clock, in order, and a late one never makes the next one late.

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
