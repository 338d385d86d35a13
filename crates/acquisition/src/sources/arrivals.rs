//! What the sources of hardware share: what arrived and when last, from the kernel's other clocks
//! to the monotonic one, and what their settings have to be.

use nix::time::{ClockId, clock_gettime};

use crate::{Counters, RAW_MAX, State, opportunity};

/// Counts, and the state that follows from the time since the last sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrivals {
    pub counters: Counters,
    last_ns: Option<u64>,
    stalled_after_ns: u64,
    pub gone: bool,
}

impl Arrivals {
    /// Nothing has arrived yet; counts go on from those given.
    pub fn new(counters: Counters, stalled_after_s: f64) -> Self {
        Self { counters, last_ns: None, stalled_after_ns: (stalled_after_s * 1e9) as u64, gone: false }
    }

    /// One opportunity is over, at which so many samples had arrived.
    pub fn taken(&mut self, samples: u64, now_ns: u64) -> State {
        opportunity(&mut self.counters, samples, samples == 0);
        if samples > 0 {
            self.last_ns = Some(now_ns);
        }
        match self.last_ns {
            _ if self.gone => State::Gone,
            None => State::Waiting,
            Some(last_ns) if now_ns.saturating_sub(last_ns) > self.stalled_after_ns => State::Stalled,
            Some(_) => State::Flowing,
        }
    }
}

/// How a source says that it has nothing for half a second, unless its file says otherwise (s).
pub(super) fn half_a_second() -> f64 {
    0.5
}

pub(super) fn check_duration(place: &str, field: &str, seconds: f64) -> Result<(), String> {
    let is_duration = seconds > 0.0 && seconds <= 3600.0;
    let problem = || format!("{place}: {field} = {seconds}: expected more than 0 and at most 3600 s");
    is_duration.then_some(()).ok_or_else(problem)
}

/// Refuses more channels than a sample has places, and none.
pub(super) fn check_count(place: &str, channels: usize) -> Result<(), String> {
    let problem = || format!("{place}: there are {channels} channels; 1 to {RAW_MAX} are possible");
    (1..=RAW_MAX).contains(&channels).then_some(()).ok_or_else(problem)
}

/// How far the clock of the calendar is ahead of the monotonic one, now (ns). The kernel stamps
/// packets with the first.
///
/// The calendar may be set or slewed at any time, so this is asked at every opportunity and used
/// only for stamps that are microseconds old.
pub(super) fn calendar_ahead_ns() -> i64 {
    // Read the monotonic clock on both sides: what passed in between is not part of the difference.
    let before = nanoseconds(ClockId::CLOCK_MONOTONIC);
    let calendar = nanoseconds(ClockId::CLOCK_REALTIME);
    let after = nanoseconds(ClockId::CLOCK_MONOTONIC);
    calendar - (before + (after - before) / 2)
}

/// A stamp of the calendar on the monotonic clock (ns), never later than now.
pub(super) fn from_calendar(stamp_ns: i64, calendar_ahead_ns: i64, now_ns: u64) -> u64 {
    u64::try_from(stamp_ns - calendar_ahead_ns).map_or(now_ns, |stamp| stamp.min(now_ns))
}

fn nanoseconds(clock: ClockId) -> i64 {
    // These two clocks are in every kernel; a failure would show as a stamp of zero.
    clock_gettime(clock).map_or(0, |time| time.tv_sec() * 1_000_000_000 + time.tv_nsec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_follows_the_last_arrival() {
        let mut arrivals = Arrivals::new(Counters::default(), 0.5);
        assert_eq!(arrivals.taken(0, 1_000_000_000), State::Waiting);
        assert_eq!(arrivals.taken(3, 2_000_000_000), State::Flowing);
        assert_eq!(arrivals.taken(0, 2_500_000_000), State::Flowing);
        assert_eq!(arrivals.taken(0, 2_500_000_001), State::Stalled);
        assert_eq!(arrivals.taken(1, 3_000_000_000), State::Flowing);
        arrivals.gone = true;
        assert_eq!(arrivals.taken(0, 3_000_000_001), State::Gone);
        let counters = arrivals.counters;
        assert_eq!((counters.blocks, counters.empty_reads, counters.bursts, counters.largest_burst), (4, 4, 1, 3));
    }

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
