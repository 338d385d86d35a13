//! Recorded files, replayed in real time, at another speed, or as fast as possible.

use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::recording::Recording;
use crate::plan::Settings;
use crate::{Clock, Counters, OpenError, Opening, Sample, Source, State};

/// Most rows of one opportunity when it is to be as fast as possible.
const ROWS_AT_ONCE: usize = 1024;

/// The settings of a replay, as they stand in the acquisition file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplaySettings {
    /// The recording.
    pub path: PathBuf,
    /// Speed: 1 is real time, 0 as fast as possible.
    #[serde(default = "real_time")]
    pub speed: f64,
    /// Whether to begin again at the end.
    #[serde(default)]
    pub repeat: bool,
}

fn real_time() -> f64 {
    1.0
}

impl Settings for ReplaySettings {
    fn opening(mut self, folder: Option<&Path>) -> Result<Box<dyn Opening>, String> {
        if !(0.0..=1e6).contains(&self.speed) {
            return Err(format!("speed: {} is impossible; expected 0 to 1e6", self.speed));
        }
        if let Some(folder) = folder {
            self.path = folder.join(&self.path);
        }
        Ok(Box::new(self))
    }
}

impl Opening for ReplaySettings {
    fn open(&self, counters: Counters) -> Result<Box<dyn Source>, OpenError> {
        let recording = Recording::read(&self.path)?;
        Ok(Box::new(Replay::new(recording, self.speed, self.repeat, counters)))
    }
}

/// A recording being replayed. It begins with the first opportunity.
pub struct Replay {
    recording: Recording,
    speed: f64,
    repeat: bool,
    next: usize,
    begun_ns: Option<u64>,
    counters: Counters,
}

impl Replay {
    fn new(recording: Recording, speed: f64, repeat: bool, counters: Counters) -> Self {
        Self { recording, speed, repeat, next: 0, begun_ns: None, counters }
    }

    /// When the next row is due; the rows keep their distances even when they come faster.
    fn due_ns(&self, begun_ns: u64) -> Option<u64> {
        let since_ns = *self.recording.times_ns.get(self.next)?;
        let speed = if self.speed > 0.0 { self.speed } else { 1.0 };
        Some(begun_ns + (since_ns as f64 / speed) as u64)
    }

    /// The next round begins one period after the last row.
    fn begin_again(&mut self, begun_ns: u64) -> u64 {
        let last_ns = self.due_ns_of_last(begun_ns);
        self.next = 0;
        let begun_ns = last_ns.max(begun_ns + 1);
        self.begun_ns = Some(begun_ns);
        begun_ns
    }

    fn due_ns_of_last(&mut self, begun_ns: u64) -> u64 {
        let rows = self.recording.times_ns.len();
        let whole_ns = self.recording.times_ns[rows - 1];
        let period_ns = whole_ns / (rows.saturating_sub(1).max(1)) as u64;
        let speed = if self.speed > 0.0 { self.speed } else { 1.0 };
        begun_ns + ((whole_ns + period_ns.max(1)) as f64 / speed) as u64
    }
}

impl Source for Replay {
    fn channels(&self) -> &[String] {
        &self.recording.names
    }

    fn clock(&self) -> Clock {
        Clock::Recorded
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    fn take(&mut self, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State {
        let mut begun_ns = *self.begun_ns.get_or_insert(now_ns);
        let mut rows = 0;
        while rows < ROWS_AT_ONCE {
            let Some(due_ns) = self.due_ns(begun_ns) else {
                if !self.repeat {
                    break;
                }
                begun_ns = self.begin_again(begun_ns);
                continue;
            };
            if self.speed > 0.0 && due_ns > now_ns {
                break;
            }
            let mut sample = Sample::empty(due_ns);
            for (channel, number) in self.recording.row(self.next).iter().enumerate() {
                if number.is_finite() {
                    sample.set(channel, *number);
                }
            }
            each(&sample);
            self.next += 1;
            rows += 1;
        }
        let width = self.recording.names.len();
        let bytes = (rows * width * size_of::<f64>()) as u64;
        self.counters.opportunity(rows as u64, bytes, 0);
        if self.next == self.recording.times_ns.len() && !self.repeat { State::Ended } else { State::Flowing }
    }

    fn counters(&self) -> &Counters {
        &self.counters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replay(speed: f64, repeat: bool) -> Replay {
        let recording = Recording {
            names: vec!["a".to_owned()],
            times_ns: vec![0, 1_000_000, 2_000_000],
            numbers: vec![1.0, 2.0, 3.0],
        };
        Replay::new(recording, speed, repeat, Counters::default())
    }

    fn take(replay: &mut Replay, now_ns: u64) -> (Vec<(u64, f64)>, State) {
        let mut found = Vec::new();
        let state = replay.take(now_ns, &mut |sample| found.push((sample.sample_ns, sample.raw[0])));
        (found, state)
    }

    #[test]
    fn real_time_gives_each_row_at_its_time() {
        let mut replay = replay(1.0, false);
        assert_eq!(take(&mut replay, 100), (vec![(100, 1.0)], State::Flowing));
        assert_eq!(take(&mut replay, 1_000_099), (vec![], State::Flowing));
        let rest = vec![(1_000_100, 2.0), (2_000_100, 3.0)];
        assert_eq!(take(&mut replay, 5_000_000), (rest, State::Ended));
        assert_eq!(take(&mut replay, 6_000_000), (vec![], State::Ended));
        assert_eq!(replay.counters().blocks, 3);
    }

    #[test]
    fn twice_the_speed_takes_half_the_time() {
        let mut replay = replay(2.0, false);
        take(&mut replay, 0);
        assert_eq!(take(&mut replay, 500_000), (vec![(500_000, 2.0)], State::Flowing));
    }

    #[test]
    fn as_fast_as_possible_keeps_the_distances() {
        let all = vec![(7, 1.0), (1_000_007, 2.0), (2_000_007, 3.0)];
        assert_eq!(take(&mut replay(0.0, false), 7), (all, State::Ended));
    }

    #[test]
    fn a_repeated_one_goes_on_rising() {
        let mut replay = replay(1.0, true);
        let (found, state) = take(&mut replay, 0);
        assert_eq!((found.len(), state), (1, State::Flowing));
        let (found, state) = take(&mut replay, 4_000_000);
        let expected = vec![(1_000_000, 2.0), (2_000_000, 3.0), (3_000_000, 1.0), (4_000_000, 2.0)];
        assert_eq!((found, state), (expected, State::Flowing));
    }
}
