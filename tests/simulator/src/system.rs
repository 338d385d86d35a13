//! What is simulated: a plant with its controller and demands, or a vehicle with its subsystems and
//! driver, as the parts from which the services make their turns.

use daq_service::{PlantDemands, Script, ScriptedDriver};
use dynamics_service::{Dynamics, HoldTimes, PlantModel, VehicleModel};
use plant::Scenario;
use service::config::{DriverSource, Settings};
use service::{Config, Job};
use shm_layout::blocks::{Kinematics, PlantOutputs};
use shm_layout::{Layout, Payload, Region};
use subsystems::{PlantController, Subsystems, Terms, VehicleSubsystems};
use vehicle::assembly::{ExternalSubsystems, Setup};
use vehicle::library::Kind;
use vehicle::simulation::Simulation;

/// Whether a question has the bits of the offline simulation; called in the order of the steps.
pub type Offline<S> = Box<dyn FnMut(&<<S as System>::Model as lockstep::Model>::Question) -> bool>;

/// The parts of which a system is made.
pub trait System {
    /// What `dynamics-service` steps.
    type Model: Dynamics;
    /// What `subsystem-service` answers with.
    type Responder: Subsystems<
            Question = <Self::Model as lockstep::Model>::Question,
            Answer = <Self::Model as lockstep::Model>::Answer,
        >;
    /// What `daq-service` samples.
    type Script: Script;

    /// Length of a step (ns).
    fn period_ns(&self) -> u64;
    /// Fingerprints of the model and of the models that answer.
    fn hashes(&self) -> [u64; 2];
    /// A new model.
    fn model(&self, settings: &Settings) -> Self::Model;
    /// New models that answer.
    fn responder(&self, region: &Region, settings: &Settings) -> Self::Responder;
    /// A new script.
    fn script(&self, region: &Region) -> Self::Script;
    /// The offline simulation of so many seconds, if a run without faults has its bits.
    fn offline(&self, seconds: f64) -> Option<Offline<Self>>;
    /// Simulated time (s) and status of a question.
    fn progress(question: &<Self::Model as lockstep::Model>::Question) -> (f64, u64);
    /// Whether it is a vehicle, which stops safely when nothing answers.
    fn is_vehicle(&self) -> bool;
    /// Which subsystems are in other processes.
    fn external(&self) -> ExternalSubsystems {
        ExternalSubsystems::default()
    }
}

/// The job of a scenario or manoeuvre, with its own vehicle or another one.
#[must_use]
pub fn job(scenario: &str, vehicle: Option<&str>) -> Job {
    let mut config = Config::default();
    config.instance.scenario = scenario.to_owned();
    config.instance.vehicle = vehicle.map(str::to_owned);
    Job::read(&config).unwrap_or_else(|error| panic!("{scenario}: {error}"))
}

/// A plant.
pub struct PlantSystem {
    scenario: Scenario,
    hashes: [u64; 2],
}

impl PlantSystem {
    /// The plant of a shipped scenario.
    #[must_use]
    pub fn new(scenario: &str) -> Self {
        let job = job(scenario, None);
        let hashes = [job.plant_hash(), job.controller_hash()];
        match job {
            Job::Plant(scenario) => Self { scenario: *scenario, hashes },
            Job::Vehicle(_) => panic!("{scenario} is no plant"),
        }
    }
}

impl System for PlantSystem {
    type Model = PlantModel;
    type Responder = PlantController;
    type Script = PlantDemands;

    fn period_ns(&self) -> u64 {
        (self.scenario.step_s() * 1e9).round() as u64
    }

    fn hashes(&self) -> [u64; 2] {
        self.hashes
    }

    fn model(&self, _settings: &Settings) -> PlantModel {
        PlantModel::new(&self.scenario)
    }

    fn responder(&self, region: &Region, settings: &Settings) -> PlantController {
        PlantController::new(region, &self.scenario, settings.driver_timeout_ms * 1_000_000)
    }

    fn script(&self, region: &Region) -> PlantDemands {
        PlantDemands::new(region, &self.scenario)
    }

    fn offline(&self, seconds: f64) -> Option<Offline<Self>> {
        let scenario = self.scenario.clone().with_duration_s(seconds).expect("a duration");
        let mut rows = Vec::new();
        plant::simulation::simulate(&scenario, |exchange| {
            rows.push(exchange.outputs.iter().map(|value| value.to_bits()).collect::<Vec<_>>());
        });
        let mut rows = rows.into_iter();
        Some(Box::new(move |question: &PlantOutputs| {
            let outputs = question.outputs[..question.output_count as usize].iter();
            rows.next().is_none_or(|row| row.iter().copied().eq(outputs.map(|value| value.to_bits())))
        }))
    }

    fn progress(question: &PlantOutputs) -> (f64, u64) {
        (question.time_s, question.status)
    }

    fn is_vehicle(&self) -> bool {
        false
    }
}

/// A vehicle.
pub struct VehicleSystem {
    /// What was read.
    pub setup: Setup,
    hashes: [u64; 2],
    /// Who drives.
    pub driver: DriverSource,
}

impl VehicleSystem {
    /// A manoeuvre with its own vehicle or another one.
    #[must_use]
    pub fn new(manoeuvre: &str, vehicle: Option<&str>, driver: DriverSource) -> Self {
        let job = job(manoeuvre, vehicle);
        let hashes = [job.plant_hash(), job.controller_hash()];
        match job {
            Job::Vehicle(setup) => Self { setup: *setup, hashes, driver },
            Job::Plant(_) => panic!("{manoeuvre} has no vehicle"),
        }
    }

    /// A vehicle whose subsystems are all in other processes.
    #[must_use]
    pub fn with_external_subsystems(manoeuvre: &str) -> Self {
        let found = vehicle::library::find(Kind::Vehicle, "hmmwv", None).expect("a shipped vehicle");
        let mut text = String::from_utf8_lossy(found.source().bytes).into_owned();
        for part in ["powertrain", "brake", "steering", "aerodynamics"] {
            text = text.replace(&format!("{part} = \"hmmwv\""), &format!("{part} = \"external\""));
        }
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("external.toml");
        std::fs::write(&path, text).expect("a file");
        Self::new(manoeuvre, path.to_str(), DriverSource::Manoeuvre)
    }
}

impl System for VehicleSystem {
    type Model = VehicleModel;
    type Responder = VehicleSubsystems;
    type Script = ScriptedDriver;

    fn period_ns(&self) -> u64 {
        (self.setup.step_s * 1e9).round() as u64
    }

    fn hashes(&self) -> [u64; 2] {
        self.hashes
    }

    fn model(&self, settings: &Settings) -> VehicleModel {
        let hold_times = HoldTimes::of(settings, self.period_ns());
        VehicleModel::new(&self.setup, hold_times).expect("a vehicle")
    }

    fn responder(&self, region: &Region, settings: &Settings) -> VehicleSubsystems {
        let terms = Terms::of(self.driver, settings, self.period_ns());
        VehicleSubsystems::new(region, &self.setup, terms).expect("models")
    }

    fn script(&self, region: &Region) -> ScriptedDriver {
        ScriptedDriver::new(region, &self.setup, self.hashes[1]).expect("a driver")
    }

    fn offline(&self, _seconds: f64) -> Option<Offline<Self>> {
        if self.driver != DriverSource::Manoeuvre || self.external() != ExternalSubsystems::default() {
            return None;
        }
        let mut simulation = Simulation::new(&self.setup).expect("a vehicle");
        let mut expected = Kinematics::default();
        Some(Box::new(move |question: &Kinematics| {
            if simulation.has_finished() {
                return true;
            }
            expected.copy_used_from(simulation.motion());
            expected.stamp = question.stamp;
            simulation.step();
            expected.words()[..expected.used_words()] == question.words()[..question.used_words()]
        }))
    }

    fn progress(question: &Kinematics) -> (f64, u64) {
        (question.time_s, question.status)
    }

    fn is_vehicle(&self) -> bool {
        true
    }

    fn external(&self) -> ExternalSubsystems {
        self.setup.external
    }
}
