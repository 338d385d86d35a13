//! When a periodic loop is due, as pure arithmetic: no clock, no sleep, so that every case can be
//! tested.
//!
//! With period T, the planned time `d` of the next step and the time `now` at which the loop asks
//! for it:
//!
//! ```text
//! now <= d   on time:             step at d,                    next plan d + T        (1)
//! now >  d   overrun, Skip:       step at d' = d + k·T,         next plan d' + T       (2)
//!                                 k = ceil((now - d) / T)
//! now >  d   overrun, RunLate:    step at once (planned at d),  next plan now + T      (3)
//! ```
//!
//! Eq. (2) stays on the grid that the first step laid, whatever happens; Eq. (3) lays a new grid.
//! In both, steps are planned at least a period apart, and a loop that was late by any time,
//! through its own step or through the scheduler, starts at most one step more in any stretch of
//! time than the stretch has periods:
//!
//! ```text
//! start(j) - start(i) >= (j - i - 1)·T   for all i < j                                  (4)
//! ```

/// What the loop does when a step took so long that the next one is due already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverrunPolicy {
    /// Leave out the periods that were missed and go on at the next time of the original grid: the
    /// phase is kept, some steps are lost. For acquisition, and for whatever follows an outside
    /// clock.
    Skip,
    /// Start the late step at once and count the periods from there: no step is lost, the phase
    /// moves. For a simulation in which every step must happen.
    RunLate,
}

/// The next step of a [`Schedule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// Number of the period since the start, skipped ones included.
    pub index: u64,
    /// The time at which the step was to start (ns, monotonic); in the past for a step that runs
    /// late.
    pub scheduled_ns: u64,
    /// Periods that were left out immediately before this step.
    pub skipped: u64,
    /// The step before ran past the time at which the next one was planned.
    pub overrun: bool,
}

/// The planned times of a periodic loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    period_ns: u64,
    policy: OverrunPolicy,
    next_index: u64,
    next_ns: u64,
}

impl Schedule {
    /// A schedule whose step 0 is planned at `first_ns`.
    ///
    /// # Panics
    /// When the period is zero: a loop without a period is a mistake of the caller.
    #[must_use]
    pub const fn new(first_ns: u64, period_ns: u64, policy: OverrunPolicy) -> Self {
        assert!(period_ns > 0, "the period of a loop must be at least 1 ns");
        Self { period_ns, policy, next_index: 0, next_ns: first_ns }
    }

    /// The period T (ns).
    #[must_use]
    pub const fn period_ns(&self) -> u64 {
        self.period_ns
    }

    /// Changes the policy for the steps that were not planned yet.
    pub const fn set_policy(&mut self, policy: OverrunPolicy) {
        self.policy = policy;
    }

    /// Plans the next step, seen from `now_ns`, and moves on to the one after it.
    #[inline]
    pub fn advance(&mut self, now_ns: u64) -> Due {
        let overrun = now_ns > self.next_ns;
        let skipped = if overrun { self.skip_missed(now_ns) } else { 0 };
        let due = Due { index: self.next_index, scheduled_ns: self.next_ns, skipped, overrun };
        let base_ns = if overrun && self.policy == OverrunPolicy::RunLate { now_ns } else { due.scheduled_ns };
        self.next_index += 1;
        self.next_ns = base_ns.saturating_add(self.period_ns);
        due
    }

    /// Eq. (2): drops the periods that lie before `now_ns` and says how many; none under `RunLate`.
    fn skip_missed(&mut self, now_ns: u64) -> u64 {
        if self.policy == OverrunPolicy::RunLate {
            return 0;
        }
        let missed = (now_ns - self.next_ns).div_ceil(self.period_ns);
        self.next_index += missed;
        self.next_ns = self.next_ns.saturating_add(missed.saturating_mul(self.period_ns));
        missed
    }
}

#[cfg(test)]
mod tests;
