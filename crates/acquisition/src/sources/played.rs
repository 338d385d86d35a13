//! Numbers that play by the clock: recorded files, replayed in real time, at another speed or as
//! fast as possible, and scripts of points over time, for trying an acquisition file without
//! hardware. (The driver of a manoeuvre, who looks at the vehicle, is in `daq-service`.)

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::recording::Recording;
use crate::plan::Settings;
use crate::{Clock, Counters, OpenError, Opening, RAW_MAX, Sample, Source, State, opportunity};

/// Most rows of one opportunity, after a long pause or as fast as possible.
const ROWS_AT_ONCE: u64 = 1024;

/// The settings of a replay, as they stand in the acquisition file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplaySettings {
    path: PathBuf,
    /// 1 is real time, 0 as fast as possible.
    #[serde(default = "real_time")]
    speed: f64,
    #[serde(default)]
    repeat: bool,
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
        let names = recording.names.clone();
        let replay = Replay { recording, speed: self.speed, repeat: self.repeat };
        Ok(Box::new(Played::new(names, Box::new(replay), counters)))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Between {
    /// A straight line.
    #[default]
    Lines,
    /// The number of the earlier point.
    Steps,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    name: String,
    /// Time (s) and number of each point, in the order of time.
    points: Vec<[f64; 2]>,
    #[serde(default)]
    between: Between,
}

impl Script {
    fn at(&self, time_s: f64) -> f64 {
        let after = self.points.partition_point(|[point_s, _]| *point_s <= time_s);
        let Some(&[from_s, from]) = after.checked_sub(1).and_then(|index| self.points.get(index)) else {
            return self.points[0][1];
        };
        match (self.between, self.points.get(after)) {
            (Between::Lines, Some(&[to_s, to])) => from + (to - from) * (time_s - from_s) / (to_s - from_s),
            _ => from,
        }
    }
}

/// The settings of a script, as they stand in the acquisition file.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedSettings {
    numbers: Vec<Script>,
    /// Sampling period (µs).
    #[serde(default = "one_millisecond")]
    period_us: f64,
    /// Time after which it begins again (s); not given: the last numbers stay.
    repeat_after_s: Option<f64>,
}

fn one_millisecond() -> f64 {
    1000.0
}

impl Settings for ScriptedSettings {
    fn opening(self, _: Option<&Path>) -> Result<Box<dyn Opening>, String> {
        if self.numbers.is_empty() || self.numbers.len() > RAW_MAX {
            return Err(format!("numbers: expected 1 to {RAW_MAX}"));
        }
        if !(1.0..=1e9).contains(&self.period_us) {
            return Err("period_us: expected 1 to 1e9".to_owned());
        }
        if self.repeat_after_s.is_some_and(|time_s| !(1e-3..=1e9).contains(&time_s)) {
            return Err("repeat_after_s: expected 0.001 to 1e9".to_owned());
        }
        let is_wrong = |script: &&Script| {
            let rising = script.points.windows(2).all(|pair| pair[0][0] < pair[1][0]);
            let finite = script.points.iter().flatten().all(|number| number.is_finite());
            script.points.is_empty() || !rising || !finite
        };
        if let Some(Script { name, .. }) = self.numbers.iter().find(is_wrong) {
            return Err(format!("numbers: \"{name}\": expected points of finite numbers whose times rise"));
        }
        Ok(Box::new(self))
    }
}

impl Opening for ScriptedSettings {
    fn open(&self, counters: Counters) -> Result<Box<dyn Source>, OpenError> {
        let names = self.numbers.iter().map(|script| script.name.clone()).collect();
        Ok(Box::new(Played::new(names, Box::new(self.clone()), counters)))
    }
}

trait Rows: Send {
    /// When a row is due after the first opportunity (ns); none after the last row.
    fn due_ns(&self, row: u64) -> Option<u64>;

    fn fill(&self, row: u64, sample: &mut Sample);

    /// Whether rows come only when they are due; they keep their distances even when they come
    /// faster.
    fn waits(&self) -> bool {
        true
    }
}

struct Replay {
    recording: Recording,
    speed: f64,
    repeat: bool,
}

impl Replay {
    /// The round, and the row in it.
    fn split(&self, row: u64) -> (u64, usize) {
        let rows = self.recording.times_ns.len() as u64;
        (row / rows, (row % rows) as usize)
    }
}

impl Rows for Replay {
    /// The next round begins one period after the last row.
    fn due_ns(&self, row: u64) -> Option<u64> {
        let (round, row) = self.split(row);
        let times_ns = &self.recording.times_ns;
        let speed = if self.speed > 0.0 { self.speed } else { 1.0 };
        let played = |time_ns: u64| (time_ns as f64 / speed) as u64;
        let whole_ns = times_ns[times_ns.len() - 1];
        let period_ns = whole_ns / (times_ns.len() - 1).max(1) as u64;
        let round_ns = played(whole_ns + period_ns.max(1)).max(1);
        (round == 0 || self.repeat).then(|| round * round_ns + played(times_ns[row]))
    }

    fn fill(&self, row: u64, sample: &mut Sample) {
        for (channel, number) in self.recording.row(self.split(row).1).iter().enumerate() {
            if number.is_finite() {
                sample.set(channel, *number);
            }
        }
    }

    fn waits(&self) -> bool {
        self.speed > 0.0
    }
}

impl Rows for ScriptedSettings {
    fn due_ns(&self, row: u64) -> Option<u64> {
        Some(row * (self.period_us * 1e3) as u64)
    }

    fn fill(&self, row: u64, sample: &mut Sample) {
        let mut time_s = self.due_ns(row).unwrap_or(0) as f64 * 1e-9;
        if let Some(repeat_after_s) = self.repeat_after_s {
            time_s %= repeat_after_s;
        }
        for (channel, script) in self.numbers.iter().enumerate() {
            sample.set(channel, script.at(time_s));
        }
    }
}

/// Rows being played. They begin with the first opportunity.
struct Played {
    names: Vec<String>,
    rows: Box<dyn Rows>,
    next: u64,
    begun_ns: Option<u64>,
    counters: Counters,
}

impl Played {
    fn new(names: Vec<String>, rows: Box<dyn Rows>, counters: Counters) -> Self {
        Self { names, rows, next: 0, begun_ns: None, counters }
    }
}

impl Source for Played {
    fn channels(&self) -> &[String] {
        &self.names
    }

    fn clock(&self) -> Clock {
        Clock::Recorded
    }

    fn take(&mut self, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State {
        let begun_ns = *self.begun_ns.get_or_insert(now_ns);
        let waits = self.rows.waits();
        let mut rows = 0;
        while rows < ROWS_AT_ONCE
            && let Some(since_ns) = self.rows.due_ns(self.next)
            && !(waits && begun_ns + since_ns > now_ns)
        {
            let mut sample = Sample::empty(begun_ns + since_ns);
            self.rows.fill(self.next, &mut sample);
            each(&sample);
            self.next += 1;
            rows += 1;
        }
        opportunity(&mut self.counters, rows, rows == 0);
        self.counters.bytes += rows * (self.names.len() * size_of::<f64>()) as u64;
        if self.rows.due_ns(self.next).is_some() { State::Flowing } else { State::Ended }
    }

    fn counters(&self) -> &Counters {
        &self.counters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replay(speed: f64, repeat: bool) -> Played {
        let recording = Recording {
            names: vec!["a".to_owned()],
            times_ns: vec![0, 1_000_000, 2_000_000],
            numbers: vec![1.0, 2.0, 3.0],
        };
        Played::new(vec!["a".to_owned()], Box::new(Replay { recording, speed, repeat }), Counters::default())
    }

    fn take(source: &mut dyn Source, now_ns: u64) -> (Vec<(u64, f64)>, State) {
        let mut found = Vec::new();
        let state = source.take(now_ns, &mut |sample| found.push((sample.sample_ns, sample.raw[0])));
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
        let expected = vec![(1_000_000, 2.0), (2_000_000, 3.0), (3_000_000, 1.0), (4_000_000, 2.0)];
        assert_eq!(take(&mut replay, 4_000_000), (expected, State::Flowing));
    }

    fn script(between: Between) -> Script {
        Script { name: "steering".to_owned(), points: vec![[1.0, 10.0], [2.0, 20.0]], between }
    }

    #[test]
    fn lines_and_steps() {
        let values = |between| [0.0, 1.0, 1.5, 2.0, 9.0].map(|time_s| script(between).at(time_s));
        assert_eq!(values(Between::Lines), [10.0, 10.0, 15.0, 20.0, 20.0]);
        assert_eq!(values(Between::Steps), [10.0, 10.0, 10.0, 20.0, 20.0]);
    }

    fn scripted(script: Script, repeat_after_s: Option<f64>) -> Result<Box<dyn Opening>, String> {
        ScriptedSettings { numbers: vec![script], period_us: 1000.0, repeat_after_s }.opening(None)
    }

    #[test]
    fn samples_come_at_their_times() {
        let opening = scripted(script(Between::Lines), Some(2.0)).expect("good settings");
        let mut source = opening.open(Counters::default()).expect("no hardware");
        assert_eq!(take(source.as_mut(), 5).0, [(5, 10.0)]);
        assert_eq!(take(source.as_mut(), 2_000_005).0, [(1_000_005, 10.0), (2_000_005, 10.0)]);
        assert_eq!(source.counters().blocks, 3);
    }

    #[test]
    fn points_that_go_back_are_refused() {
        let mut wrong = script(Between::Lines);
        wrong.points.reverse();
        assert!(scripted(wrong, None).err().expect("wrong").contains("steering"));
    }
}
