//! `/daq_health/`, `/dynamics_health/` and so on: how each process is doing, in its own words.

use bytemuck::{Pod, Zeroable};

use crate::{Layout, Stamp};

/// Room for the buckets of one histogram.
pub const HISTOGRAM_BUCKETS_MAX: usize = 512;

/// The process is setting itself up.
pub const STATE_STARTING: u64 = 1;
/// The process is in its loop.
pub const STATE_RUNNING: u64 = 2;
/// The process has ended as it was asked to.
pub const STATE_STOPPED: u64 = 3;
/// The process is in its loop but its model has failed; it holds its last values.
pub const STATE_FAULT: u64 = 4;

/// A distribution of times.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[repr(C)]
pub struct Distribution {
    /// [-] [@range 0..18446744073709551615] [@invalid 0] How many times were recorded.
    pub count: u64,
    /// [ns] [@range 0..18446744073709551615] [@invalid 0] Their sum.
    pub sum_ns: u64,
    /// [ns] [@range 0..18446744073709551615] [@invalid 18446744073709551615] The smallest.
    pub min_ns: u64,
    /// [ns] [@range 0..18446744073709551615] [@invalid 0] The largest.
    pub max_ns: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] How many fell into each bucket; the edges
    /// are those of the `rt` crate's histogram.
    pub buckets: [u64; HISTOGRAM_BUCKETS_MAX],
}

/// How a process is doing.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[repr(C)]
pub struct Health {
    /// When and at which step.
    pub stamp: Stamp,
    /// [-] [@range 1..4194304] [@invalid 0] Process number.
    pub pid: u64,
    /// [-] [@range 1..4] [@invalid 0] 1 starting, 2 running, 3 stopped, 4 fault.
    pub state: u64,
    /// [ns] [@range 0..18446744073709551615] [@invalid 0] Monotonic time of the start.
    pub started_ns: u64,
    /// [ns] [@range 0..18446744073709551615] [@invalid 0] Period of the loop.
    pub period_ns: u64,
    /// [-] [@range 0..8191] [@invalid -1] CPU that the process is pinned to; -1 if to none.
    pub cpu: i64,
    /// [-] [@range 0..99] [@invalid 0] FIFO priority; 0 if it was not granted.
    pub fifo_priority: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Which real-time rights were granted, as
    /// bits of the `rt` crate.
    pub granted_bits: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Times that the loop has woken up.
    pub wakeups: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Steps that ended after the next one should
    /// have begun.
    pub overruns: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Periods that were left out because of
    /// that.
    pub skipped: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Lock-step answers that did not come in
    /// time, so that the last was held.
    pub exchange_misses: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Inputs or states that the model had to
    /// refuse or limit.
    pub model_warnings: u64,
    /// [-] [@range 0..31] [@invalid 0] What is wrong with measured inputs now: bits 1 out of range,
    /// 2 stuck, 4 jump, 8 stale, 16 not a number.
    pub input_faults: u64,
    /// [-] [@range 0..3] [@invalid 0] The sharpest thing done about it: 0 nothing, 1 held, 2 ramped
    /// to its safe value, 3 stop asked for.
    pub input_reaction: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Minor page faults in the loop.
    pub minor_faults: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Major page faults in the loop.
    pub major_faults: u64,
    /// Lateness of the wake-up.
    pub latency: Distribution,
    /// Time from the wake-up to the end of the step.
    pub execution: Distribution,
    /// Time from asking to the answer in lock-step.
    pub exchange: Distribution,
}
