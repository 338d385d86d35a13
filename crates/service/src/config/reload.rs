//! What a running process can take over from a configuration that was changed.
//!
//! A key is safe to change when the loop only compares something with it: a time limit, a period of
//! reports, a policy. What decided how blocks, memory, CPUs or models were made at the start needs
//! a restart. `rtrd config` marks the keys of the first kind with `[reload]`.

use super::keys::differences;
use super::{Config, OverrunPolicy};

/// The values of all keys that a running process takes over: plain numbers, so that a loop can be
/// handed them without a lock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// `realtime.health_period_ms`
    pub health_period_ms: u64,
    /// `dynamics.overrun`
    pub overrun: OverrunPolicy,
    /// `dynamics.answer_within`
    pub answer_within: f64,
    /// `dynamics.hold_forces_ms`
    pub hold_forces_ms: u64,
    /// `dynamics.takeover_ms`
    pub takeover_ms: u64,
    /// `subsystem.driver_timeout_ms`
    pub driver_timeout_ms: u64,
    /// `subsystem.external_within`
    pub external_within: f64,
}

impl Settings {
    /// Those of a configuration.
    #[must_use]
    pub fn of(config: &Config) -> Self {
        Self {
            health_period_ms: config.realtime.health_period_ms,
            overrun: config.dynamics.overrun,
            answer_within: config.dynamics.answer_within,
            hold_forces_ms: config.dynamics.hold_forces_ms,
            takeover_ms: config.dynamics.takeover_ms,
            driver_timeout_ms: config.subsystem.driver_timeout_ms,
            external_within: config.subsystem.external_within,
        }
    }

    fn put_into(self, config: &mut Config) {
        config.realtime.health_period_ms = self.health_period_ms;
        config.dynamics.overrun = self.overrun;
        config.dynamics.answer_within = self.answer_within;
        config.dynamics.hold_forces_ms = self.hold_forces_ms;
        config.dynamics.takeover_ms = self.takeover_ms;
        config.subsystem.driver_timeout_ms = self.driver_timeout_ms;
        config.subsystem.external_within = self.external_within;
    }

    /// How long an answer may take (ns) in steps of this length. Real-time safe.
    #[must_use]
    pub fn answer_ns(&self, period_ns: u64) -> u64 {
        (period_ns as f64 * self.answer_within) as u64
    }

    /// How long the subsystems of other processes may take (ns) in steps of this length. Real-time
    /// safe.
    #[must_use]
    pub fn external_ns(&self, period_ns: u64) -> u64 {
        (period_ns as f64 * self.external_within) as u64
    }
}

/// So many milliseconds as a number of steps of this length (ns), rounded up. Real-time safe.
#[must_use]
pub fn steps_in(milliseconds: u64, period_ns: u64) -> u64 {
    (milliseconds * 1_000_000).div_ceil(period_ns.max(1))
}

/// A key that has another value than the running process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// `dynamics`
    pub section: &'static str,
    /// `step_us`
    pub key: &'static str,
    /// The value of the running process.
    pub from: String,
    /// The new one.
    pub to: String,
    /// Whether the running process takes it over.
    pub is_taken: bool,
}

impl std::fmt::Display for Change {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { section, key, from, to, .. } = self;
        if self.is_taken {
            write!(out, "{section}.{key}: {from} -> {to}")
        } else {
            write!(out, "{section}.{key} needs a restart: {from} -> {to}, kept {from}")
        }
    }
}

impl Config {
    /// Takes over from a new configuration what a running process can, and says what differs.
    pub fn take_over(&mut self, new: &Self) -> Vec<Change> {
        let changes = differences(self, new);
        Settings::of(new).put_into(self);
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::render;
    use std::path::Path;

    const OTHER: &str = "[instance]\nname = \"car2\"\nscenario = \"tank-level\"\nvehicle = \"hmmwv\"\nroad = \"flat\"\ngroup = \"x\"\n\
         [realtime]\nrequire = true\nlock_memory = false\nhold_cpu_latency = false\nhealth_period_ms = 20\n\
         [daq]\ncpu = 2\nfifo_priority = 60\nperiod_us = 500\nacquisition = \"buggy\"\nwait = \"spin\"\n\
         [dynamics]\ncpu = 3\nfifo_priority = 90\nstep_us = 250\noverrun = \"run-late\"\nanswer_within = 0.25\n\
         exchange = \"spin\"\nsubsystems = \"linked\"\nhold_forces_ms = 50\ntakeover_ms = 60\n\
         [subsystem]\ncpu = 4\nfifo_priority = 89\ndriver_timeout_ms = 100\ndriver = \"block\"\nexternal_within = 0.1\n\
         [supervisor]\nrestart_delay_ms = 1\nrestart_delay_max_ms = 2\nsettled_after_ms = 3\nhung_after_ms = 0\n\
         stop_within_ms = 4\n";

    /// Every key differs. Those marked `[reload]` are taken over and no others: the marks and the
    /// code agree.
    #[test]
    fn exactly_the_marked_keys_are_taken_over() {
        let other = Config::from_text(OTHER, "other", Path::new("")).expect("a good configuration");
        let mut running = Config::default();
        let changes = running.take_over(&other);
        let value = |config: &Config, change: &Change| {
            let page = render(config);
            let (_, section) = page.split_once(&format!("[{}]\n", change.section)).expect("a section");
            let key = format!("{} =", change.key);
            let line = section.lines().find(|line| line.trim_start_matches("# ").starts_with(&key));
            line.expect("a key").to_owned()
        };
        let default = Config::default();
        for change in &changes {
            let expected = if change.is_taken { &other } else { &default };
            assert_eq!(value(&running, change), value(expected, change), "{change}");
        }
        let keys = render(&default).lines().filter(|line| line.contains(" =") && !line.contains("[reload]")).count();
        assert_eq!(changes.len(), keys, "every key differs");
        let marks = render(&default).matches("[reload]\n").count();
        assert_eq!(changes.iter().filter(|change| change.is_taken).count(), marks);
        assert!(running.take_over(&other).iter().all(|change| !change.is_taken));
    }

    #[test]
    fn what_is_kept_is_said_with_both_values() {
        let read = |text| Config::from_text(text, "car.toml", Path::new("")).expect("a good configuration");
        let mut running = read("[dynamics]\nstep_us = 1000\nhold_forces_ms = 100\n");
        let changes = running.take_over(&read("[dynamics]\nstep_us = 500\nhold_forces_ms = 40\n"));
        let lines: Vec<String> = changes.iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            ["dynamics.step_us needs a restart: 1000 -> 500, kept 1000", "dynamics.hold_forces_ms: 100 -> 40"]
        );
        assert_eq!((running.dynamics.step_us, running.dynamics.hold_forces_ms), (Some(1000), 40));
    }

    #[test]
    fn steps_are_rounded_up() {
        assert_eq!(steps_in(100, 1_000_000), 100);
        assert_eq!(steps_in(1, 3_000_000), 1);
        assert_eq!(steps_in(10, 3_000_000), 4);
    }
}
