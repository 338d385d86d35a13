//! When blocks are due, and how a block is cut. Block *k* comes at
//!
//! ```text
//! t_k = t_0 + (k + 1)·h + delay        h the block's period, delay from 0 to the jitter     (1)
//! ```
//!
//! on the monotonic clock, in order, and a late one never makes the next one late.
//!
//! With `buffering=off` the processor sends value by value, as each is there: a reader finds parts
//! of blocks in the pipe (DAS §4.3.3). Block *k* is complete at t_k; its value that is sent after
//! channel *c* of *n* goes at
//!
//! ```text
//! t_k − (n − 1 − c)·h/n                                                                     (2)
//! ```
//!
//! in a write of its own, unless the board has fallen behind. Blocks that are gathered, held back
//! or framed go as a whole at t_k.

use super::emulator::Delivery;
use super::script::{Field, Program};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Where its bytes end; the last one has what is left: a fault may have made the block longer.
    pub(super) end: usize,
    /// How long before the block is complete it goes (ns).
    pub(super) lead_ns: u64,
}

/// Whether the values of a block go one by one.
pub(super) fn sends_values(program: &Program, delivery: &Delivery) -> bool {
    let is_held = program.gathered > 1 || delivery.settings.burst > 1;
    delivery.period_ns > 0 && !is_held && !delivery.settings.framed
}

/// Each value of a block for itself if the board sends them so, else the block as a whole.
pub(super) fn parts(program: &Program, delivery: &Delivery) -> Vec<Part> {
    let whole = Part { end: usize::MAX, lead_ns: 0 };
    if !sends_values(program, delivery) {
        return vec![whole];
    }
    let channels = program.channels.len() as u64;
    let mut end = 0;
    let part = |(field, after): (&Field, usize)| {
        end += field.width.bytes();
        // Eq. (2)
        let lead_ns = (channels - 1 - after as u64) * delivery.period_ns / channels;
        Part { end, lead_ns }
    };
    let mut parts: Vec<Part> = program.block.iter().zip(program.sent_after()).map(part).collect();
    parts.pop();
    parts.push(whole);
    parts
}

/// When the next block is due: Eq. (1).
pub(super) struct Due {
    start_ns: u64,
    /// 0 for no pace.
    pub period_ns: u64,
    /// Blocks that were due so far.
    count: u64,
    pub next_ns: u64,
}

impl Due {
    pub fn new(start_ns: u64, period_ns: u64) -> Self {
        Self { start_ns, period_ns, count: 0, next_ns: start_ns + period_ns }
    }

    pub fn elapsed_s(&self) -> f64 {
        (self.count * self.period_ns) as f64 * 1e-9
    }

    pub fn advance(&mut self, delay_ns: u64) {
        self.count += 1;
        let due_ns = self.start_ns + (self.count + 1) * self.period_ns + delay_ns;
        self.next_ns = due_ns.max(self.next_ns);
    }
}
