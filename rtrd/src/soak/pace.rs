//! Steps against time: each period of the dynamics is a step, or is counted by its loop as left out.
//!
//! Between two reports of one life, from t₁ to t₂ with a period T, (t₂ − t₁)/T periods pass. The time in which the dynamics was gone or held
//! back on purpose is left out, and counted by itself.
//!
//! A machine that stalls leaves periods out, whoever waits for them. How many it takes from everybody is seen at cyclictest, which was woken n times
//! in rounds of t seconds altogether: 1 − n T/t. (The moment in which it starts is in that share, to our advantage.)

use super::peer::Comparison;
use super::recovery::{Incident, is_excused};
use super::watch::Look;
use crate::view::PROCESSES;

/// Share of the periods that must be accounted for, as steps or as left out. What is missing is between the last report and a death.
const ACCOUNTED: f64 = 0.995;
/// Share of the periods that a dynamics with real-time priority may leave out beyond those that the machine takes from cyclictest too.
const LEFT_OUT: f64 = 0.01;

/// What became of the periods.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Periods that passed while the dynamics was not held back.
    pub periods: f64,
    /// Steps in them.
    pub steps: u64,
    /// Periods that its loop left out.
    pub left_out: u64,
    /// Time in which it was gone or held back (s).
    pub away_s: f64,
    /// Whether it had real-time priority.
    pub real_time: bool,
    /// Share of the periods that cyclictest left out in its rounds; `None` where it did not run.
    pub stalled: Option<f64>,
}

impl Pace {
    pub fn of(looks: &[Look], incidents: &[Incident], peer: Option<&Comparison>) -> Self {
        let dynamics = PROCESSES.len() - 1;
        let mut pace = Self::default();
        let mut period_s = 0.0;
        for pair in looks.windows(2) {
            let (before, now) = (pair[0].processes[dynamics], pair[1].processes[dynamics]);
            let same = before.pid == now.pid && now.period_ns > 0;
            if !same || is_excused(dynamics, incidents, pair[0].at_s, pair[1].at_s) {
                pace.away_s += pair[1].at_s - pair[0].at_s;
                continue;
            }
            // A dynamics that says nothing makes no steps: then the watch's own time counts.
            let said_s = now.published_ns.saturating_sub(before.published_ns) as f64 * 1e-9;
            let passed_s = if said_s > 0.0 {
                said_s
            } else {
                pair[1].at_s - pair[0].at_s
            };
            period_s = now.period_ns as f64 * 1e-9;
            pace.periods += passed_s / period_s;
            pace.steps += now.step.saturating_sub(before.step);
            pace.left_out += now.skipped.saturating_sub(before.skipped);
            pace.real_time = now.fifo_priority > 0;
        }
        pace.stalled = peer.and_then(|both| both.stalled(period_s));
        pace
    }

    pub fn holds(&self) -> bool {
        let accounted = (self.steps + self.left_out) as f64 >= ACCOUNTED * self.periods;
        let kept_up = !self.real_time
            || self.left_out as f64 <= (LEFT_OUT + self.stalled.unwrap_or(0.0)) * self.periods;
        self.steps > 0 && accounted && kept_up
    }

    pub fn words(&self) -> String {
        let judged = if self.real_time {
            ""
        } else {
            " (not limited: the dynamics has no real-time priority here)"
        };
        let peer = match self.stalled {
            Some(share) => format!(" (cyclictest: {:.2} %)", 100.0 * share),
            None => String::new(),
        };
        format!(
            "{} steps and {} left out{judged} of {:.0} periods, {:.2} %{peer}; besides, {:.0} s in which the dynamics was gone or held back",
            self.steps,
            self.left_out,
            self.periods,
            100.0 * self.left_out as f64 / self.periods.max(1.0),
            self.away_s
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::jitter::latencies::Latencies;
    use crate::soak::judge::tests::{incident, look};
    use crate::soak::plan::{Fault, Victim};

    /// Ten seconds at 1 kHz.
    fn run() -> Vec<Look> {
        (0..=10_u32)
            .map(|second| {
                let mut look = look(f64::from(second), 1_000 * u64::from(second), 5, 100);
                look.processes[2].published_ns = 1_000_000_000 * u64::from(second);
                look.processes[2].period_ns = 1_000_000;
                look.processes[2].fifo_priority = 80;
                look
            })
            .collect()
    }

    #[test]
    fn a_thousand_steps_a_second_are_the_pace() {
        let pace = Pace::of(&run(), &[], None);
        assert_eq!((pace.periods, pace.steps, pace.left_out), (10_000.0, 10_000, 0));
        assert!(pace.holds());
    }

    #[test]
    fn steps_that_are_missing_must_have_been_counted_and_be_few() {
        let mut slow = run();
        for look in &mut slow[6..] {
            look.processes[2].step -= 80;
        }
        assert!(!Pace::of(&slow, &[], None).holds());
        for look in &mut slow[6..] {
            look.processes[2].skipped = 80;
        }
        assert!(Pace::of(&slow, &[], None).holds());
        for look in &mut slow[8..] {
            look.processes[2].step -= 100;
            look.processes[2].skipped += 100;
        }
        assert!(!Pace::of(&slow, &[], None).holds());
        for look in &mut slow {
            look.processes[2].fifo_priority = 0;
        }
        assert!(Pace::of(&slow, &[], None).holds());
    }

    #[test]
    fn what_the_machine_takes_from_cyclictest_too_may_be_left_out() {
        let mut slow = run();
        for look in &mut slow[6..] {
            look.processes[2].step -= 180;
            look.processes[2].skipped = 180;
        }
        // Of 10,000 periods cyclictest was woken in so many: with 9,900 of them 1 % more may be missing, 2 % in all.
        let beside = |wake_ups: u64| Comparison {
            peer: Latencies::new([(10, wake_ups)], 0, 10),
            seconds: 10.0,
            ..Comparison::default()
        };
        assert!(!Pace::of(&slow, &[], None).holds());
        assert!(!Pace::of(&slow, &[], Some(&beside(10_000))).holds());
        assert!(Pace::of(&slow, &[], Some(&beside(9_900))).holds());
        // More than all says nothing, and neither does a comparison without seconds.
        assert_eq!(Pace::of(&slow, &[], Some(&beside(10_100))).stalled, Some(0.0));
        let silent = Pace::of(&slow, &[], Some(&Comparison::default()));
        assert_eq!(silent.stalled, None);
        assert!(!silent.words().contains("cyclictest"));
    }

    #[test]
    fn a_dynamics_that_falls_silent_does_not_keep_up() {
        let mut looks = run();
        let last = looks[5].processes[2];
        for look in &mut looks[6..] {
            look.processes[2] = last;
        }
        assert!(!Pace::of(&looks, &[], None).holds());
    }

    #[test]
    fn the_time_of_a_fault_is_left_out() {
        let victim = Victim::Dynamics;
        let mut looks = run();
        for look in &mut looks[2..] {
            look.processes[2].pid = 6;
            look.processes[2].step -= 900;
        }
        let pace = Pace::of(&looks, &[incident(1.5, Fault::Kill { victim })], None);
        assert_eq!((pace.away_s, pace.periods), (6.0, 4_000.0));
        assert!(pace.holds());
    }
}
