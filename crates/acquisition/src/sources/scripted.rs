//! Numbers from a script: points over time, with straight lines or steps between them.
//!
//! For trying an acquisition file without hardware. The driver of a manoeuvre, who looks at the
//! vehicle, is in `daq-service`.

use std::os::fd::BorrowedFd;
use std::path::Path;

use serde::Deserialize;

use crate::plan::Settings;
use crate::{Clock, Counters, OpenError, Opening, RAW_MAX, Sample, Source, State};

/// Most samples of one opportunity, after a long pause.
const SAMPLES_AT_ONCE: usize = 1024;

/// What lies between two points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Between {
    /// A straight line.
    #[default]
    Lines,
    /// The number of the earlier point.
    Steps,
}

/// One number over time.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// Its name.
    pub name: String,
    /// Time (s) and number of each point, in the order of time.
    pub points: Vec<[f64; 2]>,
    /// What lies between them.
    #[serde(default)]
    pub between: Between,
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
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedSettings {
    /// The numbers.
    pub numbers: Vec<Script>,
    /// Sampling period (µs).
    #[serde(default = "one_millisecond")]
    pub period_us: f64,
    /// Time after which it begins again (s); not given: the last numbers stay.
    pub repeat_after_s: Option<f64>,
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
        Ok(Box::new(Scripted {
            names: self.numbers.iter().map(|script| script.name.clone()).collect(),
            scripts: self.numbers.clone(),
            period_ns: (self.period_us * 1e3) as u64,
            repeat_after_s: self.repeat_after_s,
            begun_ns: None,
            next: 0,
            counters,
        }))
    }
}

/// A script being played. It begins with the first opportunity.
pub struct Scripted {
    names: Vec<String>,
    scripts: Vec<Script>,
    period_ns: u64,
    repeat_after_s: Option<f64>,
    begun_ns: Option<u64>,
    next: u64,
    counters: Counters,
}

impl Source for Scripted {
    fn channels(&self) -> &[String] {
        &self.names
    }

    fn clock(&self) -> Clock {
        Clock::Recorded
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    fn take(&mut self, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State {
        let begun_ns = *self.begun_ns.get_or_insert(now_ns);
        let mut samples = 0;
        while samples < SAMPLES_AT_ONCE && begun_ns + self.next * self.period_ns <= now_ns {
            let since_ns = self.next * self.period_ns;
            let mut time_s = since_ns as f64 * 1e-9;
            if let Some(repeat_after_s) = self.repeat_after_s {
                time_s %= repeat_after_s;
            }
            let mut sample = Sample::empty(begun_ns + since_ns);
            for (channel, script) in self.scripts.iter().enumerate() {
                sample.set(channel, script.at(time_s));
            }
            each(&sample);
            self.next += 1;
            samples += 1;
        }
        let bytes = (samples * self.names.len() * size_of::<f64>()) as u64;
        self.counters.opportunity(samples as u64, bytes, 0);
        State::Flowing
    }

    fn counters(&self) -> &Counters {
        &self.counters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(between: Between) -> Script {
        Script { name: "steering".to_owned(), points: vec![[1.0, 10.0], [2.0, 20.0]], between }
    }

    #[test]
    fn lines_and_steps() {
        let values = |between| [0.0, 1.0, 1.5, 2.0, 9.0].map(|time_s| script(between).at(time_s));
        assert_eq!(values(Between::Lines), [10.0, 10.0, 15.0, 20.0, 20.0]);
        assert_eq!(values(Between::Steps), [10.0, 10.0, 10.0, 20.0, 20.0]);
    }

    #[test]
    fn samples_come_at_their_times() {
        let settings =
            ScriptedSettings { numbers: vec![script(Between::Lines)], period_us: 1000.0, repeat_after_s: Some(2.0) };
        let opening = settings.opening(None).expect("good settings");
        let mut source = opening.open(Counters::default()).expect("no hardware");
        let mut found = Vec::new();
        source.take(5, &mut |sample| found.push((sample.sample_ns, sample.raw[0])));
        source.take(2_000_005, &mut |sample| found.push((sample.sample_ns, sample.raw[0])));
        assert_eq!(found, [(5, 10.0), (1_000_005, 10.0), (2_000_005, 10.0)]);
        assert_eq!(source.counters().blocks, 3);
    }

    #[test]
    fn points_that_go_back_are_refused() {
        let mut wrong = script(Between::Lines);
        wrong.points.reverse();
        let settings = ScriptedSettings { numbers: vec![wrong], period_us: 1000.0, repeat_after_s: None };
        assert!(settings.opening(None).err().expect("wrong").contains("steering"));
    }
}
