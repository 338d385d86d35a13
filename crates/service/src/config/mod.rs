//! The configuration of one instance: one TOML file, every key with a default that runs anywhere.
//!
//! `rtrd config` prints the effective configuration with an explanation of every key; that print is
//! itself a valid configuration file. Unknown keys, wrong types and impossible values are errors
//! with file, line, column and field.

mod keys;
mod read;
mod reload;
mod schema;

use std::path::{Path, PathBuf};

use plant::{Scenario, ScenarioError};

pub use keys::render;
pub use reload::{Change, Settings, steps_in};

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

/// A whole configuration that has been checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// `[instance]`
    pub instance: Instance,
    /// `[realtime]`
    pub realtime: RealTime,
    /// `[daq]`
    pub daq: Daq,
    /// `[dynamics]`
    pub dynamics: Dynamics,
    /// `[subsystem]`
    pub subsystem: Subsystem,
    /// `[supervisor]`
    pub supervisor: Supervisor,
    /// The folder against which the scenario's path counts.
    pub folder: PathBuf,
}

/// Which instance this is and what it simulates.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// Name of the instance; instances with different names do not see each other.
    pub name: String,
    /// A shipped scenario or manoeuvre, or the path of a file.
    pub scenario: String,
    /// A shipped vehicle or the path of its file; that of the manoeuvre if not given.
    pub vehicle: Option<String>,
    /// A shipped road or the path of its file; that of the manoeuvre if not given.
    pub road: Option<String>,
    /// Group that may open the shared region; none for the user's own.
    pub group: Option<String>,
}

/// What every real-time process asks of the machine.
#[derive(Clone, Debug, PartialEq)]
pub struct RealTime {
    /// Missing rights are errors.
    pub require: bool,
    /// Lock all memory.
    pub lock_memory: bool,
    /// Keep the CPUs out of deep sleep.
    pub hold_cpu_latency: bool,
    /// How often a process publishes its health (ms).
    pub health_period_ms: u64,
}

/// Acquisition.
#[derive(Clone, Debug, PartialEq)]
pub struct Daq {
    /// CPU; chosen by the plan if not given.
    pub cpu: Option<usize>,
    /// FIFO priority.
    pub fifo_priority: u8,
    /// Period of the acquisition (µs).
    pub period_us: u64,
    /// A shipped acquisition file or the path of one; without it, the manoeuvre or scenario is
    /// played.
    pub acquisition: Option<String>,
    /// How to wait for data.
    pub wait: Exchange,
}

/// Simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Dynamics {
    /// CPU; chosen by the plan if not given.
    pub cpu: Option<usize>,
    /// FIFO priority.
    pub fifo_priority: u8,
    /// Period of the step (µs); the scenario's if not given.
    pub step_us: Option<u64>,
    /// What happens after a step that took too long.
    pub overrun: OverrunPolicy,
    /// The part of the period after which an answer is late.
    pub answer_within: f64,
    /// How the lock-step partners wait.
    pub exchange: Exchange,
    /// Where the subsystem models of a vehicle run.
    pub subsystems: Models,
    /// How long a vehicle coasts on its last forces when nobody answers, before its safe stop (ms).
    pub hold_forces_ms: u64,
    /// How long answers take over from a safe stop (ms).
    pub takeover_ms: u64,
}

/// Subsystem models.
#[derive(Clone, Debug, PartialEq)]
pub struct Subsystem {
    /// CPU; chosen by the plan if not given.
    pub cpu: Option<usize>,
    /// FIFO priority.
    pub fifo_priority: u8,
    /// Age of the driver's data beyond which it is reported as stale (ms).
    pub driver_timeout_ms: u64,
    /// Who drives a vehicle.
    pub driver: DriverSource,
    /// The part of the period that subsystems of other processes have for their answer.
    pub external_within: f64,
}

/// What the supervisor does when a process dies or has to end.
#[derive(Clone, Debug, PartialEq)]
pub struct Supervisor {
    /// Delay of the first restart (ms); doubled for each one that follows too soon.
    pub restart_delay_ms: u64,
    /// Largest delay of a restart (ms).
    pub restart_delay_max_ms: u64,
    /// A process that ran so long starts again with the first delay (ms).
    pub settled_after_ms: u64,
    /// A process whose health is older than this has hung, and is killed and restarted (ms); 0 for
    /// never.
    pub hung_after_ms: u64,
    /// Time for a process to end before it is killed (ms).
    pub stop_within_ms: u64,
}

impl Default for Config {
    fn default() -> Self {
        read::read("", "default", Path::new("")).expect("every key has a default")
    }
}

impl Config {
    /// Reads a configuration. `origin` is its name in messages.
    pub fn from_text(text: &str, origin: &str, folder: &Path) -> Result<Self, ConfigError> {
        read::read(text, origin, folder)
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
