//! A scripted driver as a source: what the manoeuvre's driver does at the newest motion goes to `/driver/`, as a person's doings would.
//!
//! A process that comes back goes on where the last one was in the manoeuvre.

use service::vehicle::{LiveDriver, blocks as convert, signals};
use service::{Checkpoint, JobError, StartError};
use shm_layout::blocks::{self, Driver as DriverBlock, Kinematics};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Reader, Region, Writer};
use vehicle::assembly::Setup;
use vehicle::memory::{Loader, Memory, Saver};
use vehicle::{Input, Motion};

use crate::sampling::Sampling;

/// Plays the driver of a manoeuvre. It follows simulated time, so that a simulation that is restarted or falls behind still meets its driver.
pub struct ScriptedDriver {
    driver: LiveDriver,
    motion: Box<Motion>,
    input: Input,
    block: Box<DriverBlock>,
    writer: Writer<DriverBlock>,
    kinematics_reader: Reader<Kinematics>,
    checkpoint: Checkpoint,
    samples: u64,
}

impl ScriptedDriver {
    /// Claims the blocks, and goes on from the state that an earlier process of this run published.
    pub fn new(region: &Region, setup: &Setup, model_hash: u64) -> Result<Self, StartError> {
        let mut block = Box::new(DriverBlock::default());
        block.demand_count = signals::DEMAND_COUNT as u64;
        let mut source = Self {
            driver: LiveDriver::new(setup).map_err(JobError::from)?,
            motion: Box::new(Motion::default()),
            input: Input::default(),
            block,
            writer: region.claim(blocks::DRIVER)?,
            kinematics_reader: region.reader(blocks::KINEMATICS),
            checkpoint: Checkpoint::claim(region, blocks::DAQ_STATE, model_hash)?,
            samples: 0,
        };
        source.resume(region);
        Ok(source)
    }

    fn resume(&mut self, region: &Region) {
        let Some(found) = self.checkpoint.earlier(region, blocks::DAQ_STATE) else {
            return;
        };
        let numbers = service::numbers(&found);
        let mut scratch = vec![0.0; numbers.len()];
        let mut saver = Saver::new(&mut scratch);
        self.driver.save(&mut saver);
        if saver.count() == numbers.len() && numbers.iter().all(|value| value.is_finite()) {
            self.driver.load(&mut Loader::new(numbers));
            self.motion.time_s = found.time_s;
            tracing::info!("going on at {:.3} s", found.time_s);
        } else {
            tracing::warn!("the published state does not fit: starting from the initial state");
        }
    }
}

impl Sampling for ScriptedDriver {
    #[inline]
    fn sample(&mut self, sample_ns: u64) {
        if let Some(snapshot) = self.kinematics_reader.latest() {
            let before_s = self.motion.time_s;
            convert::read_kinematics(snapshot.value, &mut self.motion);
            let passed_s = self.motion.time_s - before_s;
            if passed_s > 0.0 {
                self.input = self.driver.drive(&self.motion, passed_s);
            }
        }
        self.samples += 1;
        convert::write_driver(&self.input, &mut self.block);
        let shown = signals::demands(&self.input);
        self.block.demands[..shown.len()].copy_from_slice(&shown);
        self.block.stamp.step = self.samples;
        self.block.stamp.sample_ns = sample_ns;
        self.block.stamp.publish_ns = monotonic_ns();
        self.block.age_ns = self.block.stamp.publish_ns.saturating_sub(sample_ns);
        self.writer.publish(&self.block);
        let driver = &self.driver;
        self.checkpoint
            .publish(self.block.stamp, self.motion.time_s, |states| {
                let mut saver = Saver::new(states);
                driver.save(&mut saver);
                saver.count()
            });
    }

    fn samples(&self) -> u64 {
        self.samples
    }
}
