//! A scripted driver as a source: what the manoeuvre's driver does at the newest motion goes to `/driver/`, as a person's doings would.

use service::vehicle::{blocks as convert, signals};
use service::{JobError, StartError};
use shm_layout::blocks::{self, Driver as DriverBlock, Kinematics};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Reader, Region, Writer};
use vehicle::assembly::Setup;
use vehicle::driver::Driver;
use vehicle::{Input, Motion};

use crate::sampling::Sampling;

/// Plays the driver of a manoeuvre. It follows simulated time, so that a simulation that is restarted or falls behind still meets its driver.
pub struct ScriptedDriver {
    driver: Box<dyn Driver>,
    motion: Box<Motion>,
    input: Input,
    block: Box<DriverBlock>,
    writer: Writer<DriverBlock>,
    kinematics_reader: Reader<Kinematics>,
    samples: u64,
}

impl ScriptedDriver {
    /// Claims the block.
    pub fn new(region: &Region, setup: &Setup) -> Result<Self, StartError> {
        let mut block = Box::new(DriverBlock::default());
        block.demand_count = signals::DEMAND_COUNT as u64;
        Ok(Self {
            driver: setup.new_driver().map_err(JobError::from)?,
            motion: Box::new(Motion::default()),
            input: Input::default(),
            block,
            writer: region.claim(blocks::DRIVER)?,
            kinematics_reader: region.reader(blocks::KINEMATICS),
            samples: 0,
        })
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
        self.writer.publish(&self.block);
    }

    fn samples(&self) -> u64 {
        self.samples
    }
}
