//! The source and its block: everything about one sample except the clock.

use plant::{Demands, Scenario};
use shm_layout::blocks::{self, Driver, PlantOutputs};
use shm_layout::clock::monotonic_ns;
use shm_layout::{ClaimError, Reader, Region, Writer};

use crate::sampling::Sampling;

/// Plays the demands of a scenario. It follows simulated time, so that a simulation that is restarted or falls behind
/// still meets the demands that belong to its time.
pub struct Acquisition {
    demands: Demands,
    driver: Box<Driver>,
    driver_writer: Writer<Driver>,
    outputs_reader: Reader<PlantOutputs>,
    samples: u64,
}

impl Acquisition {
    /// Claims the block.
    pub fn new(region: &Region, scenario: &Scenario) -> Result<Self, ClaimError> {
        let demands = scenario.demands().clone();
        let mut driver = Box::new(Driver::default());
        driver.demand_count = demands.len().min(driver.demands.len()) as u64;
        Ok(Self {
            demands,
            driver,
            driver_writer: region.claim(blocks::DRIVER)?,
            outputs_reader: region.reader(blocks::PLANT_OUTPUTS),
            samples: 0,
        })
    }
}

impl Sampling for Acquisition {
    #[inline]
    fn sample(&mut self, sample_ns: u64) {
        let time_s = self
            .outputs_reader
            .latest()
            .map_or(0.0, |snapshot| snapshot.value.time_s);
        self.samples += 1;
        let count = self.driver.demand_count as usize;
        self.demands.values(time_s, &mut self.driver.demands[..count]);
        self.driver.stamp.step = self.samples;
        self.driver.stamp.sample_ns = sample_ns;
        self.driver.stamp.publish_ns = monotonic_ns();
        self.driver.age_ns = self.driver.stamp.publish_ns.saturating_sub(sample_ns);
        self.driver_writer.publish(&self.driver);
    }

    fn samples(&self) -> u64 {
        self.samples
    }
}
