//! From the kernel's other clocks to the monotonic one.

use nix::time::{ClockId, clock_gettime};

/// How far the clock of the calendar is ahead of the monotonic one, now (ns). The kernel stamps
/// packets with the first.
///
/// The calendar may be set or slewed at any time, so this is asked at every opportunity and used
/// only for stamps that are microseconds old.
#[inline]
pub(super) fn calendar_ahead_ns() -> i64 {
    // Read the monotonic clock on both sides: what passed in between is not part of the difference.
    let before = nanoseconds(ClockId::CLOCK_MONOTONIC);
    let calendar = nanoseconds(ClockId::CLOCK_REALTIME);
    let after = nanoseconds(ClockId::CLOCK_MONOTONIC);
    calendar - (before + (after - before) / 2)
}

/// A stamp of the calendar on the monotonic clock (ns), never later than now.
#[inline]
pub(super) fn from_calendar(stamp_ns: i64, calendar_ahead_ns: i64, now_ns: u64) -> u64 {
    u64::try_from(stamp_ns - calendar_ahead_ns).map_or(now_ns, |stamp| stamp.min(now_ns))
}

#[inline]
fn nanoseconds(clock: ClockId) -> i64 {
    // These two clocks are in every kernel; a failure would show as a stamp of zero.
    clock_gettime(clock).map_or(0, |time| time.tv_sec() * 1_000_000_000 + time.tv_nsec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_of_the_calendar_lands_between_two_looks_at_the_monotonic_clock() {
        let before = nanoseconds(ClockId::CLOCK_MONOTONIC);
        let stamp = nanoseconds(ClockId::CLOCK_REALTIME);
        let after = nanoseconds(ClockId::CLOCK_MONOTONIC);
        // A calendar that is being slewed moves at most 500 ppm: nothing over these microseconds.
        // The two looks of `calendar_ahead_ns` may be interrupted; the least of several differences
        // is the true one to within their distance.
        let converted: Vec<i64> =
            (0..100).map(|_| from_calendar(stamp, calendar_ahead_ns(), u64::MAX) as i64).collect();
        let inside = |stamp: &&i64| (before - 1_000..=after + 1_000).contains(*stamp);
        assert!(converted.iter().any(|stamp| inside(&stamp)), "{before}..{after}: {converted:?}");
    }

    #[test]
    fn no_stamp_lies_in_the_future() {
        assert_eq!(from_calendar(2_000, 500, 1_000), 1_000);
        assert_eq!(from_calendar(1_200, 500, 1_000), 700);
        assert_eq!(from_calendar(100, 500, 1_000), 1_000, "a stamp from before the machine's start is not used");
    }
}
