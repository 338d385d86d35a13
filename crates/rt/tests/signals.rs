//! Signals set flags and interrupt a sleep; a second SIGINT ends a process that ignores its flags.

use crate::child;
use std::io::{BufRead, BufReader};
use std::process::{ChildStdout, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rt::clock::{self, SleepEnd};
use rt::periodic::{OverrunPolicy, Periodic};
use rt::signals::{Flags, SECOND_INTERRUPT_STATUS};
use signal_hook::low_level::raise;

const HOUR_NS: u64 = 3_600_000_000_000;
/// Bounds every wait of a child: a signal that does not arrive is a failure and does not block.
const TIMEOUT_NS: u64 = 20_000_000_000;

#[test]
fn each_signal_sets_its_own_flag() {
    child::run(|| {
        let flags = Flags::register().unwrap();
        assert!(!flags.stop_requested() && !flags.take_reload());
        raise(Signal::SIGHUP as i32).unwrap();
        assert!(flags.take_reload());
        assert!(!flags.take_reload(), "a reload is taken once");
        assert!(!flags.stop_requested());
        raise(Signal::SIGTERM as i32).unwrap();
        assert!(flags.stop_requested());
        assert!(flags.clone().stop_requested(), "clones share the flags, and the stop stays");
        // Neither a second SIGTERM nor the first SIGINT ends the process.
        raise(Signal::SIGTERM as i32).unwrap();
        raise(Signal::SIGINT as i32).unwrap();
        assert!(flags.stop_requested());
    });
}

/// Sends SIGTERM to this thread over and over until asked to stop: one single signal could arrive
/// before the sleep has begun, and would then not interrupt it.
fn signal_this_thread<R>(work: impl FnOnce() -> R) -> R {
    use std::sync::atomic::{AtomicBool, Ordering};
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let target = nix::sys::pthread::pthread_self();
        scope.spawn({
            let done = &done;
            move || {
                while !done.load(Ordering::Acquire) {
                    nix::sys::pthread::pthread_kill(target, Signal::SIGTERM).unwrap();
                    clock::sleep_through_signals_until_ns(clock::monotonic_ns() + 1_000_000);
                }
            }
        });
        let result = work();
        done.store(true, Ordering::Release);
        result
    })
}

#[test]
fn a_signal_interrupts_a_sleep() {
    child::run(|| {
        let flags = Flags::register().unwrap();
        let deadline_ns = clock::monotonic_ns() + HOUR_NS;
        let end = signal_this_thread(|| clock::sleep_until_ns(deadline_ns));
        assert_eq!(end, SleepEnd::Interrupted);
        assert!(clock::monotonic_ns() < deadline_ns);
        assert!(flags.stop_requested());
    });
}

#[test]
fn a_sleep_through_signals_reaches_its_deadline() {
    child::run(|| {
        let flags = Flags::register().unwrap();
        let deadline_ns = clock::monotonic_ns() + 50_000_000;
        signal_this_thread(|| clock::sleep_through_signals_until_ns(deadline_ns));
        assert!(clock::monotonic_ns() >= deadline_ns);
        assert!(flags.stop_requested());
    });
}

#[test]
fn an_interrupted_loop_goes_on_to_the_same_step() {
    child::run(|| {
        let _flags = Flags::register().unwrap();
        let mut periodic = Periodic::new(20_000_000, OverrunPolicy::Skip);
        let (mut interruptions, mut wakes) = (0, Vec::new());
        let give_up_ns = clock::monotonic_ns() + TIMEOUT_NS;
        signal_this_thread(|| {
            while (wakes.len() < 3 || interruptions == 0) && clock::monotonic_ns() < give_up_ns {
                match periodic.wait() {
                    Some(wake) => wakes.push(wake),
                    None => interruptions += 1,
                }
            }
        });
        assert!(interruptions > 0);
        let grid_ns = wakes[0].scheduled_ns - wakes[0].index * 20_000_000;
        for wake in &wakes {
            assert_eq!(wake.scheduled_ns, grid_ns + wake.index * 20_000_000);
            assert!(wake.woke_ns >= wake.scheduled_ns, "no step may start early: {wake:?}");
        }
        assert_eq!(periodic.statistics().wakeups, wakes.len() as u64);
        assert_eq!(wakes[0].index, 0, "an interruption is no overrun");
    });
}

/// Reads the child's output until the line that it prints when its handlers stand, or after its
/// first signal.
fn wait_for_line(output: &mut BufReader<ChildStdout>, expected: &str) {
    let mut line = String::new();
    while output.read_line(&mut line).unwrap() > 0 {
        // The test harness writes the name of the test without a line break before it.
        if line.trim_end().ends_with(expected) {
            return;
        }
        line.clear();
    }
    panic!("the child ended before it said {expected:?}");
}

/// Says that it is ready, says that it has seen the flag, and then goes on sleeping.
fn ignore_the_first_interrupt() {
    let flags = Flags::register().unwrap();
    println!("handlers stand");
    let give_up_ns = clock::monotonic_ns() + TIMEOUT_NS;
    while !flags.stop_requested() && clock::monotonic_ns() < give_up_ns {
        // Short: a signal that arrives between the look at the flag and the sleep does not
        // interrupt it.
        let _ = clock::sleep_until_ns(clock::monotonic_ns() + 1_000_000);
    }
    println!("stop seen");
    clock::sleep_through_signals_until_ns(give_up_ns);
}

#[test]
fn a_second_interrupt_ends_a_process_that_is_stuck() {
    if child::is_child() {
        return ignore_the_first_interrupt();
    }
    let mut child = child::command(&|| {}).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let pid = Pid::from_raw(child.id() as i32);
    wait_for_line(&mut output, "handlers stand");
    kill(pid, Signal::SIGINT).unwrap();
    wait_for_line(&mut output, "stop seen");
    kill(pid, Signal::SIGINT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(SECOND_INTERRUPT_STATUS));
}
