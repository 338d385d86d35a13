//! The configuration of one instance: one TOML file, every key with a default that runs anywhere.
//!
//! `rtrd config` prints the effective configuration with an explanation of every key; that print is
//! itself a valid configuration file. Unknown keys, wrong types and impossible values are errors
//! with file, line, column and field.
//!
//! A key is safe to change in a running process when the loop only compares something with it: a
//! time limit, a period of reports, a policy. What decided how blocks, memory, CPUs or models were
//! made at the start needs a restart.

mod keys;
mod value;

use std::path::{Path, PathBuf};

use plant::{Scenario, ScenarioError};

pub use keys::{Config, Daq, Dynamics, Instance, RealTime, Settings, Subsystem, Supervisor, render};

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the variants and their fields are")]
pub enum ConfigError {
    #[error("{origin}:{line}:{column}: {field}: {problem}")]
    Text { origin: String, line: usize, column: usize, field: String, problem: String },
    #[error("{}: cannot read the configuration: {problem}", path.display())]
    Read { path: PathBuf, problem: String },
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
}

/// What happens to the grid of periods when a step took too long.
pub use rt::periodic::OverrunPolicy;

/// How to wait: for the partner in lock-step, or for data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// Spin on a CPU of one's own, sleep otherwise.
    Auto,
    /// Always spin.
    Spin,
    /// Always sleep.
    Sleep,
}

/// Where the subsystem models of a vehicle run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Models {
    /// In `subsystem-service`, in lock-step.
    Process,
    /// In `dynamics-service` itself.
    Linked,
}

/// Who drives a vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriverSource {
    /// The driver of the manoeuvre, in lock-step: the same bits in every run.
    Manoeuvre,
    /// Whoever writes `/driver/`: a person, or another process.
    Block,
}

impl Default for Config {
    fn default() -> Self {
        keys::read("", "default", Path::new("")).expect("every key has a default")
    }
}

impl Config {
    /// Reads a configuration. `origin` is its name in messages.
    pub fn from_text(text: &str, origin: &str, folder: &Path) -> Result<Self, ConfigError> {
        keys::read(text, origin, folder)
    }

    /// Reads a configuration file; without one, everything has its default.
    pub fn load(path: Option<&Path>) -> Result<Self, ConfigError> {
        let Some(path) = path else {
            return Ok(Self::default());
        };
        let text = std::fs::read_to_string(path)
            .map_err(|error| ConfigError::Read { path: path.to_owned(), problem: error.to_string() })?;
        Self::from_text(&text, &path.display().to_string(), path.parent().unwrap_or(Path::new("")))
    }

    /// Takes over from a new configuration what a running process can, and says what differs.
    pub fn take_over(&mut self, new: &Self) -> Vec<Change> {
        let changes = keys::differences(self, new);
        Settings::of(new).put_into(self);
        changes
    }

    /// The scenario of a plant, with the configured step.
    pub fn plant_scenario(&self) -> Result<Scenario, ScenarioError> {
        let name = &self.instance.scenario;
        let scenario = if Scenario::builtin_names().contains(&name.as_str()) {
            Scenario::builtin(name)?
        } else if name.contains(['/', '.']) {
            Scenario::from_file(&self.folder.join(name))?
        } else {
            return Scenario::builtin(name);
        };
        match self.dynamics.step_us {
            Some(step_us) => scenario.with_step_s(step_us as f64 * 1e-6),
            None => Ok(scenario),
        }
    }
}

impl Settings {
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
