//! Lock-step: waiting for a block to say what is wanted, with a deadline.
//!
//! A waiter that has a CPU to itself spins, because nothing is faster. A waiter that shares its CPU
//! sleeps on a futex: two FIFO processes that spin on one CPU would wait for each other for ever.

use std::hint::spin_loop;

use crate::clock::monotonic_ns;
use crate::futex;
use crate::reader::Reader;
use signals::Payload;

/// How often a spinner looks at the word between two looks at the clock.
const LOOKS_PER_CLOCK: u32 = 64;

/// How to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Burn a CPU of one's own. The writer need not wake anyone.
    Spin,
    /// Sleep; the writer must use [`crate::Writer::publish_and_wake`].
    Sleep,
}

/// How the waiting ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// [`Reader::last`] is what was wanted.
    Answered,
    /// The deadline passed, or a signal came; [`Reader::last`] is the newest there is.
    Late,
}

impl<T: Payload> Reader<T> {
    /// Waits until the block carries this step number.
    #[inline]
    pub fn wait_for_step(&mut self, step: u64, deadline_ns: u64, how: Wait) -> Waited {
        self.wait_until(deadline_ns, how, |payload| payload.stamp().step == step)
    }

    /// Waits until the block has been published again since this reader last read it.
    #[inline]
    pub fn wait_for_news(&mut self, deadline_ns: u64, how: Wait) -> Waited {
        let known = self.last_sequence();
        self.wait(deadline_ns, how, |reader, seen| {
            seen != known && reader.latest().is_some_and(|snapshot| snapshot.sequence != known)
        })
    }

    /// Waits until a snapshot is wanted, or the deadline (monotonic) passes. A deadline of 0 looks
    /// once.
    #[inline]
    pub fn wait_until(&mut self, deadline_ns: u64, how: Wait, wanted: impl Fn(&T) -> bool) -> Waited {
        self.wait(deadline_ns, how, |reader, _| reader.latest().is_some_and(|snapshot| wanted(snapshot.value)))
    }

    /// Looks, and looks again whenever the block was published, until something is found or the
    /// deadline passes.
    #[inline(always)]
    fn wait(&mut self, deadline_ns: u64, how: Wait, mut found: impl FnMut(&mut Self, u64) -> bool) -> Waited {
        let mut has_looked = false;
        loop {
            let seen = self.published().load();
            if found(self, seen) {
                return Waited::Answered;
            }
            // A writer that publishes what nobody wants, and faster than we look, must not keep us
            // past the deadline.
            if has_looked && monotonic_ns() >= deadline_ns {
                return Waited::Late;
            }
            has_looked = true;
            if !self.wait_while(seen, deadline_ns, how) {
                return Waited::Late;
            }
        }
    }

    /// Waits while the block's last write is this one; `false` if it still is when the waiting
    /// ends.
    #[inline(always)]
    fn wait_while(&self, seen: u64, deadline_ns: u64, how: Wait) -> bool {
        match how {
            Wait::Spin => self.spin_while(seen, deadline_ns),
            Wait::Sleep => self.sleep_while(seen, deadline_ns),
        }
    }

    #[inline(always)]
    fn spin_while(&self, seen: u64, deadline_ns: u64) -> bool {
        loop {
            for _ in 0..LOOKS_PER_CLOCK {
                if self.published().load() != seen {
                    return true;
                }
                spin_loop();
            }
            if monotonic_ns() >= deadline_ns {
                return false;
            }
        }
    }

    fn sleep_while(&self, seen: u64, deadline_ns: u64) -> bool {
        let mut may_sleep = true;
        while may_sleep && monotonic_ns() < deadline_ns && self.published().load() == seen {
            // The wake-up of a write that we have already read may come late; then the word is as
            // we saw it.
            may_sleep = futex::wait(self.published().as_ptr(), seen as u32, deadline_ns);
        }
        self.published().load() != seen
    }
}
