//! Steps against time: each period of the dynamics is a step, or is counted by its loop as left
//! out.
//!
//! Between two reports of one life, from t₁ to t₂ with a period T, (t₂ − t₁)/T periods pass. The
//! time in which the dynamics was gone or held back on purpose is left out, and counted by itself.
//!
//! A machine that stalls leaves periods out, for every process. So the dynamics keeps up if
//! the share of periods in which it was woken is at most 1 % behind cyclictest's, both in the
//! seconds in which cyclictest ran ([`Comparison::shares`]).

use crate::peer::Comparison;
use crate::recovery::{Incident, is_excused};
use crate::watch::Look;
use rtrd::PROCESSES;

/// Share of the periods that must be accounted for, as steps or as left out. What is missing is
/// between the last report and a death.
const ACCOUNTED: f64 = 0.995;
/// How far the share of wake-ups of a dynamics with real-time priority may be behind cyclictest's;
/// without cyclictest, behind all.
const BEHIND_MAX: f64 = 0.01;

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
    /// Share of the periods in which the dynamics and cyclictest were woken, in the seconds in
    /// which both ran; `None` where cyclictest did not run.
    pub shares: Option<[f64; 2]>,
}

impl Pace {
    pub fn of(looks: &[Look], incidents: &[Incident], peer: Option<&Comparison>) -> Self {
        let dynamics = PROCESSES.len() - 1;
        let mut pace = Self::default();
        for pair in looks.windows(2) {
            let (before, now) = (pair[0].processes[dynamics], pair[1].processes[dynamics]);
            let same = before.pid == now.pid && now.period_ns > 0;
            if !same || is_excused(dynamics, incidents, pair[0].at_s, pair[1].at_s) {
                pace.away_s += pair[1].at_s - pair[0].at_s;
                continue;
            }
            // A dynamics that says nothing makes no steps: then the watch's own time counts.
            let said_s = now.published_ns.saturating_sub(before.published_ns) as f64 * 1e-9;
            let passed_s = if said_s > 0.0 { said_s } else { pair[1].at_s - pair[0].at_s };
            pace.periods += passed_s / (now.period_ns as f64 * 1e-9);
            pace.steps += now.step.saturating_sub(before.step);
            pace.left_out += now.skipped.saturating_sub(before.skipped);
            pace.real_time = now.fifo_priority > 0;
        }
        pace.shares = peer.and_then(Comparison::shares);
        pace
    }

    pub fn holds(&self) -> bool {
        let accounted = (self.steps + self.left_out) as f64 >= ACCOUNTED * self.periods;
        self.steps > 0 && accounted && (!self.real_time || self.behind() <= BEHIND_MAX)
    }

    /// Share of the periods by which the dynamics is behind cyclictest.
    fn behind(&self) -> f64 {
        match self.shares {
            Some([ours, peer]) => peer - ours,
            None => self.left_out as f64 / self.periods.max(1.0),
        }
    }

    pub fn words(&self) -> String {
        let woken = match self.shares {
            Some([ours, peer]) => format!(
                "woken in {:.2} % of the periods, cyclictest in {:.2} % in the same seconds (at most {:.0} % behind)",
                100.0 * ours,
                100.0 * peer,
                100.0 * BEHIND_MAX
            ),
            None => "cyclictest did not run beside it".to_owned(),
        };
        let limited = if self.real_time { "" } else { "; not limited: the dynamics has no real-time priority here" };
        format!(
            "{woken}{limited}; in the whole run {} steps and {} left out of {:.0} periods, {:.2} %; \
             besides, {:.0} s in which the dynamics was gone or held back",
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
    use crate::judge::tests::{incident, look};
    use crate::plan::{Fault, Victim};
    use rt::cyclictest::Latencies;

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
    fn at_most_one_percent_behind_cyclictest_in_the_same_seconds() {
        // Of 10,000 periods in which both ran, the dynamics and cyclictest were woken in so many.
        let beside = |ours: u64, peer: u64| {
            let mut both = Comparison {
                peer: Latencies::new([(10, peer)], 0, 10),
                our_periods: 10_000.0,
                peer_periods: 10_000.0,
                ..Comparison::default()
            };
            (0..ours).for_each(|_| both.ours.record(10_000));
            both
        };
        let holds = |ours, peer| Pace::of(&run(), &[], Some(&beside(ours, peer))).holds();
        assert!(holds(10_000, 10_000) && holds(9_901, 10_000) && !holds(9_899, 10_000));
        // What the machine takes from both is no fault of the loop, and what it takes outside of
        // these seconds is not compared.
        assert!(holds(9_001, 9_100) && !holds(8_999, 9_100) && holds(9_000, 8_000));
        let mut slow = run();
        for look in &mut slow[6..] {
            look.processes[2].step -= 500;
            look.processes[2].skipped = 500;
        }
        assert!(!Pace::of(&slow, &[], None).holds());
        assert!(Pace::of(&slow, &[], Some(&beside(9_950, 10_000))).holds());
        // Without real-time priority there is no limit, and without seconds nothing to compare.
        for look in &mut slow {
            look.processes[2].fifo_priority = 0;
        }
        let unlimited = Pace::of(&slow, &[], Some(&beside(5_000, 10_000)));
        assert!(unlimited.holds() && unlimited.words().contains("not limited"));
        assert_eq!(Pace::of(&slow, &[], Some(&Comparison::default())).shares, None);
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
