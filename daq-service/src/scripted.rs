//! Scripted sources of `/driver/`: the demands of a plant's scenario, and the driver of a vehicle's
//! manoeuvre.
//!
//! Both follow simulated time, so that a simulation that is restarted or falls behind still meets
//! the demands that belong to its time.

use lockstep::{Checkpoint, Clock, State};
use plant::{Demands, Scenario};
use service::vehicle::{blocks as convert, signals};
use service::{JobError, StartError};
use shm_layout::blocks::{self, Driver, Kinematics, PlantOutputs};
use shm_layout::{ClaimError, Reader, Region, Stamp, Writer};
use subsystems::LiveDriver;
use vehicle::assembly::Setup;
use vehicle::memory::{Loader, Memory, Saver};
use vehicle::{Input, Motion};

/// What fills `/driver/`.
pub trait Script {
    /// Fills the block as the newest simulated time wants it, except its stamp. Real-time safe.
    fn fill(&mut self, driver: &mut Driver);

    /// The block was published with this stamp. Real-time safe.
    fn published(&mut self, _stamp: Stamp) {}
}

/// A script and its block.
pub struct Scripted<S> {
    script: S,
    clock: Clock,
    driver: Box<Driver>,
    writer: Writer<Driver>,
    samples: u64,
}

impl<S: Script> Scripted<S> {
    /// Claims the block.
    pub fn new(region: &Region, script: S, clock: Clock) -> Result<Self, ClaimError> {
        let writer = region.claim(blocks::DRIVER)?;
        Ok(Self { script, clock, driver: Box::new(Driver::default()), writer, samples: 0 })
    }

    /// Samples the script and publishes. Real-time safe.
    #[inline]
    pub fn sample(&mut self, sample_ns: u64) {
        self.script.fill(&mut self.driver);
        self.samples += 1;
        let stamp = Stamp { step: self.samples, sample_ns, publish_ns: self.clock.now_ns() };
        self.driver.stamp = stamp;
        self.driver.age_ns = stamp.publish_ns.saturating_sub(sample_ns);
        self.writer.publish(&self.driver);
        self.script.published(stamp);
    }

    /// How many samples were taken.
    pub fn samples(&self) -> u64 {
        self.samples
    }
}

/// The demands of a plant's scenario.
pub struct PlantDemands {
    demands: Demands,
    outputs_reader: Reader<PlantOutputs>,
}

impl PlantDemands {
    /// Those of this scenario.
    pub fn new(region: &Region, scenario: &Scenario) -> Self {
        Self { demands: scenario.demands().clone(), outputs_reader: region.reader(blocks::PLANT_OUTPUTS) }
    }
}

impl Script for PlantDemands {
    #[inline]
    fn fill(&mut self, driver: &mut Driver) {
        let time_s = self.outputs_reader.latest().map_or(0.0, |snapshot| snapshot.value.time_s);
        let count = self.demands.len().min(driver.demands.len());
        driver.demand_count = count as u64;
        self.demands.values(time_s, &mut driver.demands[..count]);
    }
}

/// The driver of a manoeuvre, who sees the newest motion as a person would. A process that comes
/// back goes on where the last one was in the manoeuvre.
pub struct ScriptedDriver {
    driver: LiveDriver,
    motion: Box<Motion>,
    input: Input,
    kinematics_reader: Reader<Kinematics>,
    checkpoint: Option<Checkpoint>,
}

impl ScriptedDriver {
    /// Claims the state block and resumes from what an earlier process of this run published.
    pub fn new(region: &Region, setup: &Setup, model_hash: u64) -> Result<Self, StartError> {
        let mut script = Self {
            driver: LiveDriver::new(setup).map_err(JobError::from)?,
            motion: Box::new(Motion::default()),
            input: Input::default(),
            kinematics_reader: region.reader(blocks::KINEMATICS),
            checkpoint: None,
        };
        let mut checkpoint = Checkpoint::claim(region, blocks::DAQ_STATE, model_hash)?;
        checkpoint.resume(region, blocks::DAQ_STATE, &mut script);
        script.checkpoint = Some(checkpoint);
        Ok(script)
    }
}

impl State for ScriptedDriver {
    fn save(&self, numbers: &mut [f64]) -> usize {
        let mut saver = Saver::new(numbers);
        self.driver.save(&mut saver);
        saver.count()
    }

    fn load(&mut self, time_s: f64, numbers: &[f64]) -> Result<(), String> {
        self.driver.load(&mut Loader::new(numbers));
        self.motion.time_s = time_s;
        Ok(())
    }
}

impl Script for ScriptedDriver {
    #[inline]
    fn fill(&mut self, driver: &mut Driver) {
        if let Some(snapshot) = self.kinematics_reader.latest() {
            let before_s = self.motion.time_s;
            convert::read_kinematics(snapshot.value, &mut self.motion);
            let passed_s = self.motion.time_s - before_s;
            if passed_s > 0.0 {
                self.input = self.driver.drive(&self.motion, passed_s);
            }
        }
        convert::write_driver(&self.input, driver);
        let shown = signals::demands(&self.input);
        driver.demand_count = shown.len() as u64;
        driver.demands[..shown.len()].copy_from_slice(&shown);
    }

    #[inline]
    fn published(&mut self, stamp: Stamp) {
        if let Some(mut checkpoint) = self.checkpoint.take() {
            checkpoint.publish(stamp, self.motion.time_s, self);
            self.checkpoint = Some(checkpoint);
        }
    }
}
