//! When a periodic loop is due, as pure arithmetic: no clock, no sleep, so that every case can be tested.
//!
//! With period T, the planned time `d` of the next step and the time `now` at which the loop asks for it:
//!
//! ```text
//! now <= d   on time:             step at d,                    next plan d + T        (1)
//! now >  d   overrun, Skip:       step at d' = d + k·T,         next plan d' + T       (2)
//!                                 k = ceil((now - d) / T)
//! now >  d   overrun, RunLate:    step at once (planned at d),  next plan now + T      (3)
//! ```
//!
//! Eq. (2) stays on the grid that the first step laid, whatever happens; Eq. (3) lays a new grid. In both, two
//! steps are never planned less than a period apart once the loop has caught up with the present, so there is
//! no burst.

/// What the loop does when a step took so long that the next one is due already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverrunPolicy {
    /// Leave out the periods that were missed and go on at the next time of the original grid: the phase is
    /// kept, some steps are lost. For acquisition, and for whatever follows an outside clock.
    Skip,
    /// Start the late step at once and count the periods from there: no step is lost, the phase moves. For a
    /// simulation in which every step must happen.
    RunLate,
}

/// The next step of a [`Schedule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// Number of the period since the start, skipped ones included.
    pub index: u64,
    /// The time at which the step was to start [ns, monotonic]; in the past for a step that runs late.
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
        Self {
            period_ns,
            policy,
            next_index: 0,
            next_ns: first_ns,
        }
    }

    /// The period T [ns].
    #[must_use]
    pub const fn period_ns(&self) -> u64 {
        self.period_ns
    }

    /// Plans the next step, seen from `now_ns`, and moves on to the one after it.
    #[inline]
    pub fn advance(&mut self, now_ns: u64) -> Due {
        let overrun = now_ns > self.next_ns;
        let skipped = if overrun { self.skip_missed(now_ns) } else { 0 };
        let due = Due {
            index: self.next_index,
            scheduled_ns: self.next_ns,
            skipped,
            overrun,
        };
        let base_ns = if overrun && self.policy == OverrunPolicy::RunLate {
            now_ns
        } else {
            due.scheduled_ns
        };
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
mod tests {
    use super::OverrunPolicy::{RunLate, Skip};
    use super::*;
    use proptest::prelude::*;

    const PERIOD_NS: u64 = 5;
    const FIRST_NS: u64 = 100;

    #[test]
    fn on_time_steps_follow_the_grid() {
        for policy in [Skip, RunLate] {
            let mut schedule = Schedule::new(FIRST_NS, PERIOD_NS, policy);
            for index in 0..100 {
                let scheduled_ns = FIRST_NS + index * PERIOD_NS;
                let due = schedule.advance(scheduled_ns);
                assert_eq!(
                    due,
                    Due {
                        index,
                        scheduled_ns,
                        skipped: 0,
                        overrun: false
                    }
                );
            }
        }
    }

    #[test]
    fn skip_takes_the_first_time_of_the_grid_that_is_not_past() {
        for late_ns in 1..=50 {
            let mut schedule = Schedule::new(FIRST_NS, PERIOD_NS, Skip);
            let due = schedule.advance(FIRST_NS + late_ns);
            let expected_ns = (FIRST_NS..)
                .step_by(PERIOD_NS as usize)
                .find(|t| *t >= FIRST_NS + late_ns);
            assert_eq!(Some(due.scheduled_ns), expected_ns);
            assert_eq!(due.scheduled_ns, FIRST_NS + due.skipped * PERIOD_NS);
            assert_eq!(due.index, due.skipped);
            assert!(due.overrun);
        }
    }

    #[test]
    fn run_late_starts_once_and_lays_a_new_grid() {
        for late_ns in 1..=50 {
            let now_ns = FIRST_NS + late_ns;
            let mut schedule = Schedule::new(FIRST_NS, PERIOD_NS, RunLate);
            let late = schedule.advance(now_ns);
            assert_eq!(
                late,
                Due {
                    index: 0,
                    scheduled_ns: FIRST_NS,
                    skipped: 0,
                    overrun: true
                }
            );
            let next = schedule.advance(now_ns);
            assert_eq!(
                next,
                Due {
                    index: 1,
                    scheduled_ns: now_ns + PERIOD_NS,
                    skipped: 0,
                    overrun: false
                }
            );
        }
    }

    #[test]
    fn the_end_of_time_does_not_overflow() {
        for policy in [Skip, RunLate] {
            let mut schedule = Schedule::new(0, u64::MAX - 1, policy);
            for _ in 0..4 {
                assert!(schedule.advance(u64::MAX).scheduled_ns <= u64::MAX);
            }
        }
    }

    #[test]
    #[should_panic(expected = "at least 1 ns")]
    fn a_zero_period_is_refused() {
        let _ = Schedule::new(0, 0, Skip);
    }

    /// Runs a loop whose step `k` keeps the thread busy for `busy_ns[k]`; gives (plan, start) of each step.
    fn simulate(policy: OverrunPolicy, period_ns: u64, busy_ns: &[u64]) -> Vec<(Due, u64)> {
        let mut schedule = Schedule::new(FIRST_NS, period_ns, policy);
        let mut now_ns = 0;
        let mut steps = Vec::new();
        for busy in busy_ns {
            let due = schedule.advance(now_ns);
            let start_ns = now_ns.max(due.scheduled_ns);
            steps.push((due, start_ns));
            now_ns = start_ns + busy;
        }
        steps
    }

    proptest! {
        #[test]
        fn skip_never_leaves_its_grid_and_never_bursts(
            period_ns in 1_u64..1000,
            busy_ns in prop::collection::vec(0_u64..5000, 1..200),
        ) {
            let steps = simulate(Skip, period_ns, &busy_ns);
            let mut skipped = 0;
            for (count, (due, start_ns)) in steps.iter().enumerate() {
                skipped += due.skipped;
                prop_assert_eq!(due.index, count as u64 + skipped);
                prop_assert_eq!(due.scheduled_ns, FIRST_NS + due.index * period_ns);
                prop_assert_eq!(*start_ns, due.scheduled_ns);
                prop_assert_eq!(due.overrun, due.skipped > 0);
            }
            for pair in steps.windows(2) {
                prop_assert!(pair[1].1 - pair[0].1 >= period_ns);
            }
        }

        #[test]
        fn run_late_loses_no_step_and_never_bursts(
            period_ns in 1_u64..1000,
            busy_ns in prop::collection::vec(0_u64..5000, 1..200),
        ) {
            let steps = simulate(RunLate, period_ns, &busy_ns);
            for (count, (due, start_ns)) in steps.iter().enumerate() {
                prop_assert_eq!(due.index, count as u64);
                prop_assert_eq!(due.skipped, 0);
                prop_assert_eq!(due.overrun, *start_ns > due.scheduled_ns);
            }
            for (pair, busy) in steps.windows(2).zip(&busy_ns) {
                prop_assert_eq!(pair[1].1 - pair[0].1, period_ns.max(*busy));
            }
        }

        #[test]
        fn on_time_steps_never_drift(
            period_ns in 1_u64..1_000_000,
            early_ns in prop::collection::vec(0_u64..1_000_000, 1..200),
        ) {
            for policy in [Skip, RunLate] {
                let mut schedule = Schedule::new(1_000_000, period_ns, policy);
                for (index, early) in early_ns.iter().enumerate() {
                    let planned_ns = 1_000_000 + index as u64 * period_ns;
                    let due = schedule.advance(planned_ns - (*early).min(planned_ns));
                    prop_assert_eq!(due.scheduled_ns, planned_ns);
                }
            }
        }
    }
}
