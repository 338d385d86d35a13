//! What an instance simulates: a plant with its controller, or a vehicle with its subsystems.

use std::fmt::Debug;

use plant::{Scenario, ScenarioError};
use vehicle::assembly::{Choice, Setup, SetupError};
use vehicle::library::Kind;

use crate::config::Config;

/// [s] Step of a vehicle, unless the configuration says otherwise.
const VEHICLE_STEP_S: f64 = 1e-3;

/// What an instance simulates.
#[derive(Clone, Debug)]
pub enum Job {
    /// A plant and its controller.
    Plant(Box<Scenario>),
    /// A vehicle, its subsystems and its driver.
    Vehicle(Box<Setup>),
}

/// Why there is no job.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant passes on the message of its source")]
pub enum JobError {
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    #[error(transparent)]
    Vehicle(#[from] SetupError),
    #[error(
        "scenario {name:?} is neither a file nor shipped; expected the path of a file, a scenario of a plant ({plants}) or a manoeuvre of a vehicle ({manoeuvres}){nearest}"
    )]
    Unknown { name: String, plants: String, manoeuvres: String, nearest: String },
    #[error(
        "scenario {name:?} is that of a plant, but a vehicle is given; expected a manoeuvre ({manoeuvres}), or no vehicle"
    )]
    NoVehicle { name: String, manoeuvres: String },
}

impl Job {
    /// Reads what the configuration names.
    pub fn read(config: &Config) -> Result<Self, JobError> {
        let name = config.instance.scenario.as_str();
        let plants = Scenario::builtin_names();
        let is_path = name.contains(['/', '.']);
        let path = config.folder.join(name);
        let has_vehicle = config.instance.vehicle.is_some();
        if !has_vehicle && (plants.contains(&name) || (is_path && is_plant_file(&path))) {
            return Ok(Self::Plant(Box::new(config.plant_scenario()?)));
        }
        if !is_path && !Kind::Manoeuvre.shipped().any(|known| known == name) {
            let manoeuvres = Kind::Manoeuvre.shipped().collect::<Vec<_>>().join(", ");
            let name = name.to_owned();
            return Err(if plants.contains(&name.as_str()) {
                JobError::NoVehicle { name, manoeuvres }
            } else {
                let known = plants.iter().copied().chain(Kind::Manoeuvre.shipped());
                let nearest = vehicle::files::did_you_mean(&name, known);
                JobError::Unknown { name, plants: plants.join(", "), manoeuvres, nearest }
            });
        }
        let in_folder = |name: &String| {
            let path = config.folder.join(name);
            if path.is_file() { path.display().to_string() } else { name.clone() }
        };
        let choice = Choice {
            manoeuvre: in_folder(&config.instance.scenario),
            vehicle: config.instance.vehicle.as_ref().map(in_folder),
            road: config.instance.road.as_ref().map(in_folder),
            ..Choice::default()
        };
        let step_s = config.dynamics.step_us.map_or(VEHICLE_STEP_S, |step_us| step_us as f64 * 1e-6);
        Ok(Self::Vehicle(Box::new(Setup::read(&choice, step_s)?)))
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Plant(scenario) => scenario.name(),
            Self::Vehicle(setup) => &setup.manoeuvre.name,
        }
    }

    /// One line about it.
    #[must_use]
    pub fn summary(&self) -> String {
        match self {
            Self::Plant(scenario) => scenario.description().to_owned(),
            Self::Vehicle(setup) => {
                format!("{}: {}", setup.vehicle.name, setup.manoeuvre.description)
            }
        }
    }

    /// Length of a step (s).
    #[must_use]
    pub fn step_s(&self) -> f64 {
        match self {
            Self::Plant(scenario) => scenario.step_s(),
            Self::Vehicle(setup) => setup.step_s,
        }
    }

    /// Fingerprint of what the dynamics steps.
    #[must_use]
    pub fn plant_hash(&self) -> u64 {
        match self {
            Self::Plant(scenario) => model_hash(scenario.build_plant().description()),
            Self::Vehicle(setup) => model_hash(&(&setup.description, setup.step_s.to_bits())),
        }
    }

    /// Fingerprint of what the subsystems compute.
    #[must_use]
    pub fn controller_hash(&self) -> u64 {
        match self {
            Self::Plant(scenario) => model_hash(scenario.build_controller().description()),
            Self::Vehicle(setup) => setup.fingerprint,
        }
    }
}

/// Fingerprint of a model, made of all that its description says. A published state may only be
/// restored into the model that it came from.
fn model_hash(description: &impl Debug) -> u64 {
    files::fingerprint([format!("{description:?}").as_bytes()])
}

/// Whether a file speaks of a plant; a file that cannot be read or parsed does if it says so in any
/// line.
fn is_plant_file(path: &std::path::Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    !path.is_file() || text.lines().any(|line| line.trim_start().starts_with("[plant"))
}
