//! What the sources of hardware keep count of: what arrived, and when last.

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
    #[inline]
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
}
