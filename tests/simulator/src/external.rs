//! The subsystems of other processes: they answer each step with something sensible, until a fault
//! makes them say nonsense or nothing.

use bytemuck::Zeroable;
use fastrand::Rng;
use shm_layout::blocks::{self, External, ExternalWheel};
use shm_layout::{Region, Writer};
use vehicle::assembly::ExternalSubsystems;

use crate::nonsense::{Nonsense, spoil};
use crate::ranges::Ranges;

/// What they answer while all is well: a little drive, nothing else.
const DRIVE_NM: f64 = 120.0;

/// All external subsystems of a vehicle.
pub struct Externals {
    writers: Vec<Writer<External>>,
    good: Box<External>,
    spoilt: Box<External>,
    ranges: Ranges<External>,
    /// What they say instead, and until when (ns).
    pub fault: Option<(Option<Nonsense>, u64)>,
}

impl Externals {
    /// Claims the blocks.
    pub fn new(region: &Region, which: ExternalSubsystems) -> Self {
        let blocks = [
            (which.powertrain, blocks::EXTERNAL_POWERTRAIN),
            (which.brake, blocks::EXTERNAL_BRAKE),
            (which.steering, blocks::EXTERNAL_STEERING),
            (which.aerodynamics, blocks::EXTERNAL_AERODYNAMICS),
        ];
        let wanted = blocks.iter().filter(|(is_external, _)| *is_external);
        let wheel = ExternalWheel { drive_torque_nm: DRIVE_NM, brake_torque_nm: 0.0 };
        let good = External { wheel_count: 4, wheels: [wheel; blocks::WHEELS_MAX], ..External::zeroed() };
        Self {
            writers: wanted.map(|(_, block)| region.claim(*block).expect("a free block")).collect(),
            good: Box::new(good),
            spoilt: Box::new(good),
            ranges: Ranges::default(),
            fault: None,
        }
    }

    /// Answers this step.
    pub fn answer(&mut self, step: u64, now_ns: u64, random: &mut Rng) {
        self.fault = self.fault.filter(|(_, until_ns)| now_ns < *until_ns);
        for writer in &mut self.writers {
            *self.spoilt = *self.good;
            self.spoilt.stamp.step = step;
            match self.fault {
                Some((None, _)) => continue,
                Some((Some(nonsense), _)) => spoil(nonsense, &mut *self.spoilt, &self.ranges, random),
                None => {}
            }
            writer.publish(&self.spoilt);
        }
    }
}
