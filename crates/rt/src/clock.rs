//! The one clock of the set, `CLOCK_MONOTONIC`, as nanoseconds in a `u64`.
//!
//! Times that cross a process border (stamps in shared memory, deadlines of a loop) must come from
//! the same clock, must not jump when somebody sets the date, and must be cheap to compare. The
//! monotonic clock is common to all processes of a machine, is read without entering the kernel,
//! and its nanoseconds since boot fit a `u64` for 584 years.
//!
//! Sleeping is to an *absolute* time: a relative sleep starts from whenever the thread got round to
//! asking for it, and a loop built on it drifts by that much in every period.

use nix::errno::Errno;
use nix::sys::time::TimeSpec;
use nix::time::{ClockId, ClockNanosleepFlags, clock_gettime, clock_nanosleep};

/// Nanoseconds in one second.
pub const NS_PER_S: u64 = 1_000_000_000;

/// How a sleep came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "an interrupted sleep ended before its deadline"]
pub enum SleepEnd {
    /// The deadline has passed.
    Reached,
    /// A signal handler ran first: the deadline may still lie ahead.
    Interrupted,
}

/// The monotonic clock now (ns since boot, suspended time excluded).
#[inline]
#[must_use]
pub fn monotonic_ns() -> u64 {
    match clock_gettime(ClockId::CLOCK_MONOTONIC) {
        Ok(time) => time.tv_sec() as u64 * NS_PER_S + time.tv_nsec() as u64,
        // Linux refuses an unknown clock or a bad address only, and neither can occur here.
        Err(_) => 0,
    }
}

/// Sleeps until the monotonic clock shows `deadline_ns`; returns at once when that has passed
/// already.
///
/// A signal that a handler catches ends the sleep early, so that a loop sees its stop flag within
/// microseconds and not at the end of its period. To sleep on to the same deadline, call it again
/// with the same deadline, or uses [`sleep_through_signals_until_ns`].
#[inline]
pub fn sleep_until_ns(deadline_ns: u64) -> SleepEnd {
    let deadline = TimeSpec::new((deadline_ns / NS_PER_S) as i64, (deadline_ns % NS_PER_S) as i64);
    match clock_nanosleep(ClockId::CLOCK_MONOTONIC, ClockNanosleepFlags::TIMER_ABSTIME, &deadline) {
        Ok(_) => SleepEnd::Reached,
        Err(Errno::EINTR) => SleepEnd::Interrupted,
        // Only an invalid clock or an invalid time are left, and neither can be built from a `u64`
        // here.
        Err(_) => SleepEnd::Reached,
    }
}

/// Sleeps until the monotonic clock shows `deadline_ns`, however many signals arrive in the
/// meantime.
pub fn sleep_through_signals_until_ns(deadline_ns: u64) {
    while sleep_until_ns(deadline_ns) == SleepEnd::Interrupted {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_runs_backwards() {
        let mut before_ns = monotonic_ns();
        assert!(before_ns > 0);
        for _ in 0..1000 {
            let now_ns = monotonic_ns();
            assert!(now_ns >= before_ns);
            before_ns = now_ns;
        }
    }

    #[test]
    fn a_sleep_never_ends_before_its_deadline() {
        for ahead_ns in [0, 1, 999, 50_000, 2_000_000] {
            let deadline_ns = monotonic_ns() + ahead_ns;
            sleep_through_signals_until_ns(deadline_ns);
            assert!(monotonic_ns() >= deadline_ns);
        }
    }

    #[test]
    fn a_deadline_in_the_past_is_reached() {
        assert_eq!(sleep_until_ns(0), SleepEnd::Reached);
        assert_eq!(sleep_until_ns(1), SleepEnd::Reached);
    }
}
