//! Scripted sources: the demands of a plant's scenario for `/demands/`, and the driver of a
//! vehicle's manoeuvre for `/driver/`.
//!
//! Both follow simulated time, so that a simulation that is restarted or falls behind still meets
//! the demands that belong to its time.

use lockstep::{Checkpoint, Clock, State};
use plant::{Demands, Scenario};
use service::{JobError, StartError};
use shm_layout::blocks::{self, Demands as DemandsBlock, DriverInput, Kinematics, PlantOutputs};
use shm_layout::{Block, ClaimError, Payload, Reader, Region, Stamp, Writer};
use subsystems::LiveDriver;
use vehicle::assembly::Setup;
use vehicle::state::Stateful;

use crate::chain::Aged;

/// What fills a block of the driver's or the operator's.
pub trait Script {
    /// What is filled.
    type Said: Aged + Default;
    /// Its block.
    const BLOCK: Block<Self::Said>;

    /// Fills the payload as the newest simulated time wants it, except stamp and age. Real-time
    /// safe.
    fn fill(&mut self, said: &mut Self::Said);

    /// The block was published with this stamp. Real-time safe.
    fn published(&mut self, _stamp: Stamp) {}
}

/// A script and its block.
pub struct Scripted<S: Script> {
    script: S,
    clock: Clock,
    said: Box<S::Said>,
    writer: Writer<S::Said>,
    samples: u64,
}

impl<S: Script> Scripted<S> {
    /// Claims the block.
    pub fn new(region: &Region, script: S, clock: Clock) -> Result<Self, ClaimError> {
        let writer = region.claim(S::BLOCK)?;
        Ok(Self { script, clock, said: Box::new(S::Said::default()), writer, samples: 0 })
    }

    /// Samples the script and publishes. Real-time safe.
    #[inline]
    pub fn sample(&mut self, sample_ns: u64) {
        self.script.fill(&mut self.said);
        self.samples += 1;
        let stamp = Stamp { step: self.samples, sample_ns, publish_ns: self.clock.now_ns() };
        self.said.set_stamp(stamp);
        self.said.set_age_ns(stamp.publish_ns.saturating_sub(sample_ns));
        self.writer.publish(&self.said);
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
    type Said = DemandsBlock;
    const BLOCK: Block<DemandsBlock> = blocks::DEMANDS;

    #[inline]
    fn fill(&mut self, said: &mut DemandsBlock) {
        let time_s = self.outputs_reader.latest().map_or(0.0, |snapshot| snapshot.value.time_s);
        let count = self.demands.len().min(said.demands.len());
        said.demand_count = count as u64;
        self.demands.values(time_s, &mut said.demands[..count]);
    }
}

/// The driver of a manoeuvre, who sees the newest motion as a person would. A process that comes
/// back goes on where the last one was in the manoeuvre.
pub struct ScriptedDriver {
    driver: LiveDriver,
    time_s: f64,
    input: DriverInput,
    kinematics_reader: Reader<Kinematics>,
    checkpoint: Option<Checkpoint>,
}

impl ScriptedDriver {
    /// Claims the state block and resumes from what an earlier process of this run published.
    pub fn new(region: &Region, setup: &Setup, model_hash: u64) -> Result<Self, StartError> {
        let mut script = Self {
            driver: LiveDriver::new(setup).map_err(JobError::from)?,
            time_s: 0.0,
            input: DriverInput::RELEASED,
            kinematics_reader: region.reader(blocks::KINEMATICS),
            checkpoint: None,
        };
        let mut checkpoint = Checkpoint::claim(region, blocks::DAQ_STATE, model_hash)?;
        checkpoint.resume(region, &mut script);
        script.checkpoint = Some(checkpoint);
        Ok(script)
    }
}

impl State for ScriptedDriver {
    fn save(&self, numbers: &mut [f64]) -> usize {
        self.driver.save(numbers)
    }

    fn load(&mut self, time_s: f64, numbers: &[f64]) -> Result<(), String> {
        self.driver.load(numbers);
        self.time_s = time_s;
        Ok(())
    }
}

impl Script for ScriptedDriver {
    type Said = DriverInput;
    const BLOCK: Block<DriverInput> = blocks::DRIVER;

    #[inline]
    fn fill(&mut self, said: &mut DriverInput) {
        if let Some(snapshot) = self.kinematics_reader.latest() {
            let passed_s = snapshot.value.time_s - self.time_s;
            self.time_s = snapshot.value.time_s;
            if passed_s > 0.0 {
                self.input = self.driver.drive(snapshot.value, passed_s);
            }
        }
        *said = self.input;
    }

    #[inline]
    fn published(&mut self, stamp: Stamp) {
        if let Some(mut checkpoint) = self.checkpoint.take() {
            checkpoint.publish(stamp, self.time_s, self);
            self.checkpoint = Some(checkpoint);
        }
    }
}
