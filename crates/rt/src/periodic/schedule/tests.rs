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
            assert_eq!(due, Due { index, scheduled_ns, skipped: 0, overrun: false });
        }
    }
}

#[test]
fn skip_takes_the_first_time_of_the_grid_that_is_not_past() {
    for late_ns in 1..=50 {
        let mut schedule = Schedule::new(FIRST_NS, PERIOD_NS, Skip);
        let due = schedule.advance(FIRST_NS + late_ns);
        let expected_ns = (FIRST_NS..).step_by(PERIOD_NS as usize).find(|t| *t >= FIRST_NS + late_ns);
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
        assert_eq!(late, Due { index: 0, scheduled_ns: FIRST_NS, skipped: 0, overrun: true });
        let next = schedule.advance(now_ns);
        assert_eq!(next, Due { index: 1, scheduled_ns: now_ns + PERIOD_NS, skipped: 0, overrun: false });
    }
}

#[test]
fn the_end_of_time_does_not_overflow() {
    for policy in [Skip, RunLate] {
        let mut schedule = Schedule::new(0, u64::MAX - 1, policy);
        let _ = schedule.advance(u64::MAX);
        for _ in 0..3 {
            assert_eq!(schedule.advance(u64::MAX).scheduled_ns, u64::MAX);
        }
    }
}

#[test]
#[should_panic(expected = "at least 1 ns")]
fn a_zero_period_is_refused() {
    let _ = Schedule::new(0, 0, Skip);
}

/// Runs a loop whose wake-up `k` is late by `steps[k].0` and whose step then lasts `steps[k].1`
/// (ns); gives the plan and the start of each.
fn simulate(policy: OverrunPolicy, period_ns: u64, steps: &[(u64, u64)]) -> Vec<(Due, u64)> {
    let mut schedule = Schedule::new(FIRST_NS, period_ns, policy);
    let mut now_ns = 0;
    let mut run = |&(late_ns, busy_ns): &(u64, u64)| {
        let due = schedule.advance(now_ns);
        let start_ns = now_ns.max(due.scheduled_ns) + late_ns;
        now_ns = start_ns + busy_ns;
        (due, start_ns)
    };
    steps.iter().map(&mut run).collect()
}

fn steps(late_ns_max: u64) -> impl Strategy<Value = Vec<(u64, u64)>> {
    prop::collection::vec((0..=late_ns_max, 0_u64..5000), 1..200)
}

/// Whether Eq. (4) is broken anywhere.
fn has_burst(starts_ns: &[u64], period_ns: u64) -> bool {
    let burst_after = |i: usize| {
        let later = starts_ns[i + 1..].iter().zip(0_u64..);
        later.into_iter().any(|(later_ns, between)| later_ns - starts_ns[i] < between * period_ns)
    };
    (0..starts_ns.len()).any(burst_after)
}

#[test]
fn a_loop_that_catches_up_is_found_to_burst() {
    // The wrong schedule: always plan one period after the last plan, however late it is.
    let mut now_ns = 0;
    let starts_ns: Vec<u64> = (0..10)
        .map(|index| {
            let start_ns = (index * PERIOD_NS).max(now_ns);
            now_ns = start_ns + if index == 2 { 4 * PERIOD_NS } else { 0 };
            start_ns
        })
        .collect();
    assert!(has_burst(&starts_ns, PERIOD_NS), "{starts_ns:?}");
}

proptest! {
    #[test]
    fn skip_never_leaves_its_grid_and_never_bursts(
        period_ns in 1_u64..1000,
        steps in steps(0),
    ) {
        let steps = simulate(Skip, period_ns, &steps);
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
        steps in steps(0),
    ) {
        let runs = simulate(RunLate, period_ns, &steps);
        for (count, (due, start_ns)) in runs.iter().enumerate() {
            prop_assert_eq!(due.index, count as u64);
            prop_assert_eq!(due.skipped, 0);
            prop_assert_eq!(due.overrun, *start_ns > due.scheduled_ns);
        }
        for (pair, (_, busy_ns)) in runs.windows(2).zip(&steps) {
            prop_assert_eq!(pair[1].1 - pair[0].1, period_ns.max(*busy_ns));
        }
    }

    #[test]
    fn late_wakeups_cause_no_burst(period_ns in 1_u64..1000, steps in steps(10_000)) {
        for policy in [Skip, RunLate] {
            let starts_ns: Vec<u64> = simulate(policy, period_ns, &steps).iter().map(|run| run.1).collect();
            prop_assert!(!has_burst(&starts_ns, period_ns), "{policy:?}: {starts_ns:?}");
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
