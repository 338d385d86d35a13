//! The periodic loop: wake, step, account, sleep to an absolute time.
//!
//! ```no_run
//! use rt::periodic::{OverrunPolicy, Periodic};
//! # fn stop_requested() -> bool { true }
//! # fn step(_index: u64) {}
//! let mut periodic = Periodic::new(1_000_000, OverrunPolicy::Skip);
//! while !stop_requested() {
//!     let Some(wake) = periodic.wait() else { continue }; // a signal: look at the flags
//!     step(wake.index);
//!     periodic.finish_step();
//! }
//! ```
//!
//! The loop sleeps to planned times and not for durations, so it does not drift. A step that
//! overruns never causes a burst of steps that catch up: [`OverrunPolicy`] says what happens
//! instead, and [`Schedule`] holds that arithmetic apart from the clock. Every wake-up and every
//! step is counted in histograms inside the loop itself: a machine that passes a stand-alone
//! latency test says little about the program that runs on it.
//!
//! [`Periodic::wait`] and [`Periodic::finish_step`] are real-time safe: no heap, no lock, no print,
//! no panic.

mod schedule;

pub use schedule::{Due, OverrunPolicy, Schedule};

use crate::clock::{self, SleepEnd};
use crate::histogram::Histogram;

/// One start of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wake {
    /// Number of the period since the first, skipped ones included.
    pub index: u64,
    /// The time for which the step was planned (ns, monotonic).
    pub scheduled_ns: u64,
    /// The time at which it started, read as the first thing after the sleep (ns, monotonic).
    pub woke_ns: u64,
    /// `woke_ns - scheduled_ns` (ns).
    pub latency_ns: u64,
    /// Periods that were left out immediately before this step.
    pub skipped: u64,
}

/// What a loop has counted since it was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopStatistics {
    /// Steps that were started.
    pub wakeups: u64,
    /// Steps that ran past the planned start of the next one.
    pub overruns: u64,
    /// Periods that were left out ([`OverrunPolicy::Skip`] only).
    pub skipped: u64,
    /// From the planned to the true start of each step; a period that was left out has none, see
    /// `skipped`.
    pub latency: Histogram,
    /// From the true start of each step to [`Periodic::finish_step`].
    pub execution: Histogram,
}

/// A loop that wakes once per period. The first wake-up is one period after the first
/// [`Self::wait`].
#[derive(Clone, Debug)]
pub struct Periodic {
    period_ns: u64,
    policy: OverrunPolicy,
    /// Laid at the first `wait`, so that set-up work between making and running the loop is no
    /// overrun.
    schedule: Option<Schedule>,
    /// The step whose sleep a signal interrupted.
    interrupted: Option<Due>,
    woke_ns: u64,
    statistics: LoopStatistics,
}

impl Periodic {
    /// A loop with the given period.
    ///
    /// # Panics
    /// When the period is zero: configurations are checked before they get here.
    #[must_use]
    pub fn new(period_ns: u64, policy: OverrunPolicy) -> Self {
        assert!(period_ns > 0, "the period of a loop must be at least 1 ns");
        let statistics = LoopStatistics::default();
        Self { period_ns, policy, schedule: None, interrupted: None, woke_ns: 0, statistics }
    }

    /// Sleeps until the next step is due. `None` means that a signal ended the sleep before that:
    /// look at the flags, then either leave the loop or call `wait` again, which goes on to sleep
    /// to the same time.
    #[inline]
    #[must_use = "a step must not run when the sleep was interrupted"]
    pub fn wait(&mut self) -> Option<Wake> {
        let due = self.next_due();
        let end = clock::sleep_until_ns(due.scheduled_ns);
        let woke_ns = clock::monotonic_ns();
        if end == SleepEnd::Interrupted {
            self.interrupted = Some(due);
            return None;
        }
        Some(self.account_wake(due, woke_ns))
    }

    /// Counts the execution time of the step that the last [`Self::wait`] started, and returns it
    /// (ns).
    #[inline]
    pub fn finish_step(&mut self) -> u64 {
        let execution_ns = clock::monotonic_ns().saturating_sub(self.woke_ns);
        self.statistics.execution.record(execution_ns);
        execution_ns
    }

    /// The period (ns).
    #[must_use]
    pub const fn period_ns(&self) -> u64 {
        self.period_ns
    }

    /// All that was counted so far.
    #[must_use]
    pub const fn statistics(&self) -> &LoopStatistics {
        &self.statistics
    }

    /// Changes what happens after a step that overruns, from the next one on. Real-time safe.
    pub const fn set_policy(&mut self, policy: OverrunPolicy) {
        self.policy = policy;
        if let Some(schedule) = &mut self.schedule {
            schedule.set_policy(policy);
        }
    }

    /// Starts counting anew.
    pub fn reset_statistics(&mut self) {
        self.statistics = LoopStatistics::default();
    }

    #[inline]
    fn next_due(&mut self) -> Due {
        if let Some(due) = self.interrupted.take() {
            return due;
        }
        let now_ns = clock::monotonic_ns();
        let first_ns = now_ns.saturating_add(self.period_ns);
        let (period_ns, policy) = (self.period_ns, self.policy);
        let schedule = self.schedule.get_or_insert_with(|| Schedule::new(first_ns, period_ns, policy));
        let due = schedule.advance(now_ns);
        self.statistics.overruns += u64::from(due.overrun);
        self.statistics.skipped += due.skipped;
        due
    }

    #[inline]
    fn account_wake(&mut self, due: Due, woke_ns: u64) -> Wake {
        let Due { index, scheduled_ns, skipped, .. } = due;
        let latency_ns = woke_ns.saturating_sub(scheduled_ns);
        self.woke_ns = woke_ns;
        self.statistics.wakeups += 1;
        self.statistics.latency.record(latency_ns);
        Wake { index, scheduled_ns, woke_ns, latency_ns, skipped }
    }
}
