//! Subsystems that other processes supply: their blocks, read in lock-step.

use shm_layout::blocks::{self, External as Block};
use shm_layout::{Reader, Region, Wait, Waited};
use vehicle::assembly::ExternalSubsystems;
use vehicle::subsystems::External;
use vehicle::{Rack, Vector3, WHEELS_MAX};

/// Readers of the blocks of those subsystems that are not ours.
pub struct Externals {
    powertrain: Option<Reader<Block>>,
    brake: Option<Reader<Block>>,
    steering: Option<Reader<Block>>,
    aerodynamics: Option<Reader<Block>>,
    /// Answers that did not come in time; the last one was held.
    pub misses: u64,
}

impl Externals {
    /// Opens what the vehicle's file calls external.
    pub fn new(region: &Region, which: ExternalSubsystems) -> Self {
        let open = |wanted: bool, block| wanted.then(|| region.reader(block));
        Self {
            powertrain: open(which.powertrain, blocks::EXTERNAL_POWERTRAIN),
            brake: open(which.brake, blocks::EXTERNAL_BRAKE),
            steering: open(which.steering, blocks::EXTERNAL_STEERING),
            aerodynamics: open(which.aerodynamics, blocks::EXTERNAL_AERODYNAMICS),
            misses: 0,
        }
    }

    /// What the others say for this step; of one that is late the last word counts, and of one that never spoke nothing acts.
    #[inline]
    pub fn collect(&mut self, step: u64, deadline_ns: u64, wait: Wait) -> External {
        let mut external = External::default();
        let misses = &mut self.misses;
        let mut answer = |reader: &mut Option<Reader<Block>>| {
            let reader = reader.as_mut()?;
            if reader.wait_for_step(step, deadline_ns, wait) != Waited::Answered {
                *misses += 1;
            }
            Some(reader.last().copied().unwrap_or_default())
        };
        if let Some(block) = answer(&mut self.powertrain) {
            external.drive_nm = Some(wheels(&block, |wheel| wheel.drive_torque_nm));
        }
        if let Some(block) = answer(&mut self.brake) {
            external.brake_nm = Some(wheels(&block, |wheel| wheel.brake_torque_nm.max(0.0)));
        }
        if let Some(block) = answer(&mut self.steering) {
            external.rack = Some(Rack {
                displacement: known(block.rack_displacement_m),
                velocity: known(block.rack_velocity_m_s),
                acceleration: known(block.rack_acceleration_m_s2),
            });
        }
        if let Some(block) = answer(&mut self.aerodynamics) {
            let vector = |x, y, z| Vector3::new(known(x), known(y), known(z));
            external.body = Some((
                vector(block.body_force_x_n, block.body_force_y_n, block.body_force_z_n),
                vector(
                    block.body_torque_x_nm,
                    block.body_torque_y_nm,
                    block.body_torque_z_nm,
                ),
            ));
        }
        external
    }
}

/// A value that is not known does nothing.
fn known(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

fn wheels(block: &Block, value: impl Fn(&blocks::ExternalWheel) -> f64) -> [f64; WHEELS_MAX] {
    let count = (block.wheel_count as usize).min(WHEELS_MAX);
    std::array::from_fn(|wheel| {
        if wheel < count {
            known(value(&block.wheels[wheel]))
        } else {
            0.0
        }
    })
}
