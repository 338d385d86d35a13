//! One turn of the loop, between waking and accounting: take what has arrived, publish, count.
//!
//! The process makes these calls on the machine's clock and waits between them; a simulator makes
//! them on a clock of its own.

use lockstep::Clock;
use rt::clock::sleep_until_ns;
use rt::periodic::LoopStatistics;
use service::LoopAccount;

use crate::scripted::{Script, Scripted};

/// What the loop acquires from. Everything here is real-time safe.
pub trait Acquire {
    /// Returns when there may be data, or at the deadline, or when a signal comes.
    fn wait(&mut self, deadline_ns: u64) {
        // A signal ends it early; the flags are looked at next.
        let _ = sleep_until_ns(deadline_ns);
    }

    /// Takes everything that has arrived; returns whether that was anything.
    fn take(&mut self, _now_ns: u64) -> bool {
        false
    }

    /// Publishes the newest values.
    fn publish(&mut self, now_ns: u64);

    /// A period is over.
    fn end_period(&mut self, _now_ns: u64) {}

    /// What was counted.
    fn account<'a>(&self, statistics: &'a LoopStatistics) -> LoopAccount<'a>;
}

impl<S: Script> Acquire for Scripted<S> {
    fn publish(&mut self, now_ns: u64) {
        self.sample(now_ns);
    }

    fn account<'a>(&self, statistics: &'a LoopStatistics) -> LoopAccount<'a> {
        LoopAccount::new(self.samples(), statistics)
    }
}

/// A source with all that a turn needs. Everything but making one is real-time safe.
pub struct Turn<A> {
    source: A,
    clock: Clock,
    period_ns: u64,
    due_ns: u64,
    statistics: LoopStatistics,
}

impl<A: Acquire> Turn<A> {
    /// Publishes for the first time.
    pub fn new(mut source: A, period_ns: u64, clock: Clock) -> Self {
        source.publish(clock.now_ns());
        Self { source, clock, period_ns, due_ns: 0, statistics: LoopStatistics::default() }
    }

    /// The first period begins: what came before it is no overrun.
    pub fn begin(&mut self) {
        self.due_ns = self.clock.now_ns() + self.period_ns;
    }

    /// Returns when there may be data, or when the period is over, or when a signal comes.
    #[inline]
    pub fn wait(&mut self) {
        self.source.wait(self.due_ns);
    }

    /// Takes and publishes what there is; returns whether a period is over.
    #[inline]
    pub fn take(&mut self) -> bool {
        let woke_ns = self.clock.now_ns();
        let has_news = self.source.take(woke_ns);
        let is_due = woke_ns >= self.due_ns;
        if has_news || is_due {
            self.source.publish(woke_ns);
            let execution_ns = self.clock.now_ns() - woke_ns;
            self.statistics.wakeups += 1;
            self.statistics.execution.record(execution_ns);
            if is_due {
                self.end_period(woke_ns, execution_ns);
            }
        }
        is_due
    }

    #[inline]
    fn end_period(&mut self, woke_ns: u64, execution_ns: u64) {
        let late_ns = woke_ns - self.due_ns;
        self.due_ns = woke_ns - late_ns % self.period_ns + self.period_ns;
        self.statistics.latency.record(late_ns);
        self.statistics.skipped += late_ns / self.period_ns;
        self.statistics.overruns += u64::from(woke_ns + execution_ns > self.due_ns);
        self.source.end_period(woke_ns);
    }

    /// Starts counting anew.
    pub fn reset_statistics(&mut self) {
        self.statistics = LoopStatistics::default();
    }

    /// What was counted.
    pub fn account(&self) -> LoopAccount<'_> {
        self.source.account(&self.statistics)
    }
}
