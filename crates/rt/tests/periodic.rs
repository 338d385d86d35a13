//! The loop on the real clock. Nothing here depends on how fast the machine is: only on the order
//! of times, and on sums that must agree.

use rt::clock::{monotonic_ns, sleep_through_signals_until_ns};
use rt::periodic::{OverrunPolicy, Periodic, Wake};

const PERIOD_NS: u64 = 2_000_000;

fn run(periodic: &mut Periodic, steps: usize, mut step: impl FnMut(usize)) -> Vec<Wake> {
    let mut wakes = Vec::new();
    while wakes.len() < steps {
        let Some(wake) = periodic.wait() else { continue };
        step(wakes.len());
        periodic.finish_step();
        wakes.push(wake);
    }
    wakes
}

fn busy_for(periods: u64) {
    sleep_through_signals_until_ns(monotonic_ns() + periods * PERIOD_NS);
}

#[test]
fn skip_stays_on_the_grid_of_its_first_step() {
    let mut periodic = Periodic::new(PERIOD_NS, OverrunPolicy::Skip);
    let wakes = run(&mut periodic, 20, |count| {
        if count == 5 {
            busy_for(3);
        }
    });
    let grid_ns = wakes[0].scheduled_ns;
    for wake in &wakes {
        assert_eq!(wake.scheduled_ns, grid_ns + wake.index * PERIOD_NS);
        assert_eq!(wake.latency_ns, wake.woke_ns - wake.scheduled_ns);
    }
    assert!(wakes[6].skipped >= 3 - 1, "a step of three periods misses two starts at least");
    assert!(wakes.windows(2).all(|pair| pair[1].index == pair[0].index + 1 + pair[1].skipped));
    let statistics = periodic.statistics();
    assert!(statistics.overruns >= 1);
    assert_eq!(statistics.skipped, wakes.iter().map(|wake| wake.skipped).sum::<u64>());
}

#[test]
fn run_late_starts_at_once_and_counts_on_from_there() {
    let mut periodic = Periodic::new(PERIOD_NS, OverrunPolicy::RunLate);
    let mut long_step_end_ns = 0;
    let wakes = run(&mut periodic, 20, |count| {
        if count == 5 {
            busy_for(3);
            long_step_end_ns = monotonic_ns();
        }
    });
    assert!(wakes.iter().enumerate().all(|(count, wake)| wake.index == count as u64 && wake.skipped == 0));
    assert!(wakes[6].scheduled_ns < long_step_end_ns, "the late step keeps the time for which it was planned");
    assert!(wakes[7].scheduled_ns >= long_step_end_ns + PERIOD_NS, "no burst follows");
    assert!(periodic.statistics().overruns >= 1);
    assert_eq!(periodic.statistics().skipped, 0);
}

#[test]
fn no_step_starts_early_and_all_are_counted() {
    let mut periodic = Periodic::new(PERIOD_NS / 10, OverrunPolicy::Skip);
    let before_ns = monotonic_ns();
    let wakes = run(&mut periodic, 100, |_| {});
    assert!(wakes[0].scheduled_ns >= before_ns + PERIOD_NS / 10, "the first step is one period away");
    assert!(wakes.iter().all(|wake| wake.woke_ns >= wake.scheduled_ns));
    let statistics = periodic.statistics();
    assert_eq!(statistics.wakeups, 100);
    assert_eq!(statistics.execution.count(), 100);
    assert_eq!(statistics.latency.sum_ns(), wakes.iter().map(|wake| wake.latency_ns).sum::<u64>());
    assert_eq!(statistics.latency.max_ns(), wakes.iter().map(|wake| wake.latency_ns).max().unwrap());
}

#[test]
fn work_before_the_first_wait_is_no_overrun() {
    let mut periodic = Periodic::new(PERIOD_NS, OverrunPolicy::Skip);
    busy_for(5);
    let wakes = run(&mut periodic, 1, |_| {});
    assert_eq!((wakes[0].index, wakes[0].skipped), (0, 0));
    assert_eq!(periodic.statistics().overruns, 0);
}

#[test]
fn the_execution_time_covers_the_step() {
    let mut periodic = Periodic::new(PERIOD_NS, OverrunPolicy::RunLate);
    let wake = loop {
        if let Some(wake) = periodic.wait() {
            break wake;
        }
    };
    busy_for(1);
    let execution_ns = periodic.finish_step();
    assert!(execution_ns >= PERIOD_NS);
    assert!(wake.woke_ns + execution_ns <= monotonic_ns());
    assert_eq!(periodic.statistics().execution.max_ns(), execution_ns);
}

#[test]
#[should_panic(expected = "at least 1 ns")]
fn a_zero_period_is_refused() {
    let _ = Periodic::new(0, OverrunPolicy::Skip);
}
