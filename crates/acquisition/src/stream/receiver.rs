//! From a pipe to samples: a strategy, the layout of its blocks, and the judgement whether they can
//! be right.

use super::layout::Layout;
use super::pipe::Pipe;
use super::sense::Sense;
use super::strategy::{Strategy, Transfer};
use super::timing::{Times, Timing};
use crate::{Counters, Sample, State};

/// Takes samples out of a pipe.
pub struct Receiver<P> {
    pipe: P,
    strategy: Box<dyn Strategy>,
    layout: Layout,
    sense: Option<Sense>,
    swapped: bool,
    times: Times,
    counters: Counters,
    stalled_after_ns: u64,
    opened_ns: Option<u64>,
    heard_ns: Option<u64>,
}

impl<P: Pipe> Receiver<P> {
    /// A receiver that has not looked yet.
    pub fn new(
        pipe: P,
        strategy: Box<dyn Strategy>,
        layout: Layout,
        timing: Timing,
        counters: Counters,
    ) -> Self {
        Self {
            pipe,
            strategy,
            layout,
            sense: None,
            swapped: false,
            times: Times::new(timing),
            counters,
            stalled_after_ns: u64::MAX,
            opened_ns: None,
            heard_ns: None,
        }
    }

    /// With the check of byte order.
    #[must_use]
    pub fn with_sense(mut self) -> Self {
        self.sense = Some(Sense::new(&self.layout));
        self
    }

    /// With a time after which silence is a stall.
    #[must_use]
    pub fn with_stall_after_ns(mut self, stalled_after_ns: u64) -> Self {
        self.stalled_after_ns = stalled_after_ns;
        self
    }

    /// The layout of its blocks.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What it has seen.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The pipe.
    pub fn pipe(&self) -> &P {
        &self.pipe
    }

    /// Uses one opportunity. Real-time safe, unless the strategy waits.
    #[inline]
    pub fn take(&mut self, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State {
        let Self { pipe, strategy, layout, sense, swapped, times, counters, .. } = self;
        let mut refused = 0;
        let transfer = strategy.take(pipe, counters, &mut |block| {
            let hardware_ns = block.stamp.map(|stamp| stamp.hardware_ns);
            let mut sample = Sample::empty(times.of(now_ns, block.behind, hardware_ns));
            layout.decode(block.payload, &mut sample);
            if let Some(sense) = sense {
                *swapped = sense.is_swapped(block.payload);
            }
            if *swapped {
                refused += 1;
            } else {
                each(&sample);
            }
        });
        self.refuse(refused);
        self.state(now_ns, transfer)
    }

    /// What makes no sense does not count as a sample.
    #[inline]
    fn refuse(&mut self, refused: u64) {
        self.counters.blocks -= refused;
        self.counters.corrupted += refused;
    }

    #[inline]
    fn state(&mut self, now_ns: u64, transfer: Transfer) -> State {
        let opened_ns = *self.opened_ns.get_or_insert(now_ns);
        if transfer.blocks > 0 {
            self.heard_ns = Some(now_ns);
        }
        let silent_ns = now_ns.saturating_sub(self.heard_ns.unwrap_or(opened_ns));
        match self.heard_ns {
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
