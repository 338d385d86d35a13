//! A scenario: one text file that says which plant runs, how it is integrated, what controls it and
//! what is asked of it.
//!
//! ```toml
//! name = "tank-level"                    # lower case, digits and hyphens
//! description = "what a reader should know"
//! figure = "RTSDS Fig. 18"               # optional: the experiment that it repeats
//! step_s = 0.001                         # one exchange, and one sample of the controller
//! duration_s = 60.0                      # of an offline simulation; a live run goes on
//! integrator = "rk4"                     # euler, heun, rk4, adams-bashforth-2, adams-bashforth-3
//! substeps = 1                           # optional: integration steps in each exchange
//!
//! [plant]
//! kind = "tank"                          # tank, car
//! parameters = { tank_area_cm2 = 15.518 } # optional: those that differ from the default
//! initial = { level_cm = 0.0 }           # optional
//!
//! [controller]
//! kind = "pid"                           # direct, pid; the rest is for pid alone
//! measured = "level_cm"                  # the output that is controlled
//! driven = "inlet_valve_ratio"           # the input that does it
//! kp = 2.0
//! ki = 0.2
//! kd = 0.001
//! derivative_filter_s = 0.01             # optional
//! error_full_scale = 30.0                # optional: the output's range
//!
//! [demands]                              # `direct` takes the plant's inputs, `pid` takes `measured` and
//! outlet_valve_ratio = 1.0               # the other inputs; those that are not named keep their default
//! level_cm = { points = [[0.0, 15.0], [20.0, 20.0]], interpolation = "hold", repeat_s = 40.0 }
//! # or from a recording, beside the scenario file:
//! # level_cm = { file = "run.csv", column = "demand_level_cm", interpolation = "linear" }
//! ```
//!
//! Every mistake is an error with file, line, column, field and what was expected.

mod check;
mod check_control;
mod check_demands;
mod schema;

use crate::control::{Controller, Direct, Pid, PidSettings};
use crate::demand::Demands;
use crate::description::Port;
use crate::ode::Method;
use crate::plant::Plant;
use crate::systems::PlantKind;
use files::{FileError, Source};
use std::path::Path;

/// Where the shipped scenarios are.
const FOLDER: &str = "scenarios";

/// Why there is no scenario.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScenarioError {
    /// The file is not there, or something in it is wrong.
    #[error(transparent)]
    File(#[from] files::FileError),
    /// A value that did not come from the text is impossible.
    #[error("{field}: {problem}")]
    Impossible {
        /// The field.
        field: &'static str,
        /// What was found and what was expected.
        problem: String,
    },
}

/// What controls the plant.
#[derive(Clone, Debug, PartialEq)]
pub enum ControllerSettings {
    /// Demands are inputs.
    Direct,
    /// A PID controller drives one input.
    Pid(PidSettings),
}

/// A scenario that has been checked: whoever holds one can build its parts without errors.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    name: String,
    description: String,
    figure: Option<String>,
    step_s: f64,
    duration_s: f64,
    method: Method,
    substeps: u32,
    kind: PlantKind,
    parameters: Vec<Port>,
    initial: Vec<(String, f64)>,
    controller: ControllerSettings,
    demands: Demands,
}

impl Scenario {
    /// Reads a scenario. `origin_name` is its file, for messages; recordings are looked for beside
    /// it.
    pub fn from_text(text: &str, origin_name: &str) -> Result<Scenario, ScenarioError> {
        let folder = Path::new(origin_name).parent().unwrap_or(Path::new(""));
        Ok(check::read(Source::new(origin_name, text.as_bytes()), folder)?)
    }

    /// Reads a scenario file.
    pub fn from_file(path: &Path) -> Result<Scenario, ScenarioError> {
        let found = files::read(path).map_err(|error| FileError {
            problem: format!("{}; expected a TOML file or the name of a shipped scenario", error.problem),
            ..error
        })?;
        Ok(check::read(found.source(), path.parent().unwrap_or(Path::new("")))?)
    }

    /// One of the scenarios that are shipped with the project.
    pub fn builtin(name: &str) -> Result<Scenario, ScenarioError> {
        let text = Self::builtin_text(name).ok_or_else(|| {
            let problem = files::one_of(name, Self::builtin_names());
            FileError::whole("shipped scenarios", problem)
        })?;
        Self::from_text(text, &format!("models/{FOLDER}/{name}.toml"))
    }

    /// The names of the shipped scenarios.
    pub fn builtin_names() -> Vec<&'static str> {
        files::shipped_names(FOLDER).collect()
    }

    /// The text of a shipped scenario, as a start for another.
    pub fn builtin_text(name: &str) -> Option<&'static str> {
        files::shipped_text(FOLDER, name)
    }

    /// The short name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What a reader should know.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The experiment that it repeats.
    pub fn figure(&self) -> Option<&str> {
        self.figure.as_deref()
    }

    /// The length of one exchange (s).
    pub fn step_s(&self) -> f64 {
        self.step_s
    }

    /// The length of an offline simulation (s).
    pub fn duration_s(&self) -> f64 {
        self.duration_s
    }

    /// The number of steps in `duration_s`.
    pub fn step_count(&self) -> u64 {
        (self.duration_s / self.step_s).round() as u64
    }

    /// The integration method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Integration steps in each exchange.
    pub fn substeps(&self) -> u32 {
        self.substeps
    }

    /// What controls the plant.
    pub fn controller(&self) -> &ControllerSettings {
        &self.controller
    }

    /// What is asked of the plant over time.
    pub fn demands(&self) -> &Demands {
        &self.demands
    }

    /// The plant in its initial state.
    pub fn build_plant(&self) -> Box<dyn Plant> {
        self.kind
            .build(&self.parameters, &self.initial, self.method, self.substeps)
            .expect("the initial state was checked when the scenario was read")
    }

    /// The controller before its first update.
    pub fn build_controller(&self) -> Box<dyn Controller> {
        let plant = self.build_plant();
        match &self.controller {
            ControllerSettings::Direct => Box::new(Direct::new(plant.description())),
            ControllerSettings::Pid(settings) => Box::new(
                Pid::new(plant.description(), settings).expect("the controller was checked when the scenario was read"),
            ),
        }
    }

    /// The same scenario with another integration method and number of substeps.
    pub fn with_method(mut self, method: Method, substeps: u32) -> Scenario {
        self.method = method;
        self.substeps = substeps.clamp(1, check::SUBSTEPS_MAX);
        self
    }

    /// The same scenario with another step.
    pub fn with_step_s(self, step_s: f64) -> Result<Scenario, ScenarioError> {
        Scenario { step_s, ..self }.timed()
    }

    /// The same scenario with another duration.
    pub fn with_duration_s(self, duration_s: f64) -> Result<Scenario, ScenarioError> {
        Scenario { duration_s, ..self }.timed()
    }

    fn timed(self) -> Result<Scenario, ScenarioError> {
        let possible = check::timing(self.step_s, self.duration_s);
        possible.map_err(|(field, problem)| ScenarioError::Impossible { field, problem })?;
        Ok(self)
    }
}
