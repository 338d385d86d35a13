//! From a pipe to samples: a strategy, the layout of its blocks, and the judgement whether they can
//! be right.

use super::byte_order::ByteOrderCheck;
use super::layout::Layout;
use super::pipe::Pipe;
use super::splitter::{Strategy, Transfer};
use super::timing::{Times, Timing};
use crate::{Counters, Sample, State, opportunity};

pub struct Receiver<P> {
    pipe: P,
    strategy: Box<dyn Strategy>,
    layout: Layout,
    check: Option<ByteOrderCheck>,
    swapped: bool,
    times: Times,
    counters: Counters,
    stalled_after_ns: u64,
    opened_ns: Option<u64>,
    received_ns: Option<u64>,
}

impl<P: Pipe> Receiver<P> {
    pub fn new(pipe: P, strategy: Box<dyn Strategy>, layout: Layout, timing: Timing, counters: Counters) -> Self {
        Self {
            pipe,
            strategy,
            layout,
            check: None,
            swapped: false,
            times: Times::new(timing),
            counters,
            stalled_after_ns: u64::MAX,
            opened_ns: None,
            received_ns: None,
        }
    }

    pub fn with_byte_order_check(mut self) -> Self {
        self.check = Some(ByteOrderCheck::new(&self.layout));
        self
    }

    /// With a time after which silence is a stall.
    pub fn with_stall_after_ns(mut self, stalled_after_ns: u64) -> Self {
        self.stalled_after_ns = stalled_after_ns;
        self
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    pub fn pipe(&self) -> &P {
        &self.pipe
    }

    /// Uses one opportunity. Real-time safe, unless the strategy waits.
    pub fn take(&mut self, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State {
        let Self { pipe, strategy, layout, check, swapped, times, counters, .. } = self;
        let mut refused = 0;
        let transfer = strategy.take(pipe, counters, &mut |block| {
            let hardware_ns = block.stamp.map(|stamp| stamp.hardware_ns);
            let mut sample = Sample::empty(times.of(now_ns, block.behind, hardware_ns));
            layout.decode(block.payload, &mut sample);
            if let Some(check) = check {
                *swapped = check.is_swapped(block.payload);
            }
            if *swapped {
                refused += 1;
            } else {
                each(&sample);
            }
        });
        opportunity(counters, transfer.blocks as u64, transfer.bytes == 0);
        counters.bytes += transfer.bytes as u64;
        counters.remainders += u64::from(transfer.bytes > 0 && transfer.remainder > 0);
        // What makes no sense does not count as a sample.
        counters.blocks -= refused;
        counters.corrupted += refused;
        self.state(now_ns, transfer)
    }

    fn state(&mut self, now_ns: u64, transfer: Transfer) -> State {
        let opened_ns = *self.opened_ns.get_or_insert(now_ns);
        if transfer.blocks > 0 {
            self.received_ns = Some(now_ns);
        }
        let silent_ns = now_ns.saturating_sub(self.received_ns.unwrap_or(opened_ns));
        match self.received_ns {
            _ if transfer.ended => State::Gone,
            _ if self.swapped => State::Swapped,
            _ if silent_ns > self.stalled_after_ns => State::Stalled,
            Some(_) => State::Flowing,
            None => State::Waiting,
        }
    }
}

#[cfg(test)]
mod tests;
