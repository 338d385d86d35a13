//! Subsystems that other processes supply: their blocks, read in lock-step.
//!
//! Of one that is late the last word counts. When it has been silent for as long as the vehicle's forces may be held, it drives no more and the air
//! is still; the rack stays where it was, and the brakes hold what they held.

use shm_layout::blocks::{self, External as Block};
use shm_layout::{Block as BlockKey, Reader, Region, Wait, Waited};
use vehicle::assembly::ExternalSubsystems;
use vehicle::subsystems::External;
use vehicle::{Rack, Vector3, WHEELS_MAX};

/// The block of one subsystem that is not ours.
struct Source {
    reader: Reader<Block>,
    /// Steps since the last answer.
    silent: u64,
}

/// What a source says for a step.
struct Word {
    block: Block,
    late: bool,
    /// It has been silent for too long.
    gone: bool,
}

/// Readers of the blocks of those subsystems that are not ours.
pub struct Externals {
    powertrain: Option<Source>,
    brake: Option<Source>,
    steering: Option<Source>,
    aerodynamics: Option<Source>,
    hold_steps: u64,
    /// Answers that did not come in time; the last one was held.
    pub misses: u64,
}

impl Externals {
    /// Opens what the vehicle's file calls external.
    pub fn new(region: &Region, which: ExternalSubsystems, hold_steps: u64) -> Self {
        let open = |wanted: bool, block: BlockKey<Block>| {
            wanted.then(|| Source {
                reader: region.reader(block),
                silent: 0,
            })
        };
        Self {
            powertrain: open(which.powertrain, blocks::EXTERNAL_POWERTRAIN),
            brake: open(which.brake, blocks::EXTERNAL_BRAKE),
            steering: open(which.steering, blocks::EXTERNAL_STEERING),
            aerodynamics: open(which.aerodynamics, blocks::EXTERNAL_AERODYNAMICS),
            hold_steps,
            misses: 0,
        }
    }

    /// What the others say for this step; of one that never spoke nothing acts.
    #[inline]
    pub fn collect(&mut self, step: u64, deadline_ns: u64, wait: Wait) -> External {
        let mut external = External::default();
        let (hold_steps, misses) = (self.hold_steps, &mut self.misses);
        let mut answer = |source: &mut Option<Source>| {
            let word = source.as_mut()?.hear(step, deadline_ns, wait, hold_steps);
            *misses += u64::from(word.late);
            Some(word)
        };
        if let Some(word) = answer(&mut self.powertrain) {
            external.drive_nm = Some(word.wheels(|wheel| wheel.drive_torque_nm));
            if word.gone {
                external.drive_nm = Some([0.0; WHEELS_MAX]);
            }
        }
        if let Some(word) = answer(&mut self.brake) {
            external.brake_nm = Some(word.wheels(|wheel| wheel.brake_torque_nm.max(0.0)));
        }
        if let Some(word) = answer(&mut self.steering) {
            external.rack = Some(word.rack());
        }
        if let Some(word) = answer(&mut self.aerodynamics) {
            external.body = Some(word.air());
        }
        external
    }
}

impl Source {
    #[inline]
    fn hear(&mut self, step: u64, deadline_ns: u64, wait: Wait, hold_steps: u64) -> Word {
        // Nobody waits for one who is gone, but an answer that is there is taken.
        let gone = self.silent > hold_steps;
        let deadline_ns = if gone { 0 } else { deadline_ns };
        let late = self.reader.wait_for_step(step, deadline_ns, wait) != Waited::Answered;
        self.silent = if late { self.silent.saturating_add(1) } else { 0 };
        Word {
            block: self.reader.last().copied().unwrap_or_default(),
            late,
            gone: self.silent > hold_steps,
        }
    }
}

impl Word {
    fn wheels(&self, value: impl Fn(&blocks::ExternalWheel) -> f64) -> [f64; WHEELS_MAX] {
        let count = (self.block.wheel_count as usize).min(WHEELS_MAX);
        std::array::from_fn(|wheel| {
            if wheel < count {
                known(value(&self.block.wheels[wheel]))
            } else {
                0.0
            }
        })
    }

    fn rack(&self) -> Rack {
        let block = &self.block;
        let moves = if self.late { 0.0 } else { 1.0 };
        Rack {
            displacement: known(block.rack_displacement_m),
            velocity: moves * known(block.rack_velocity_m_s),
            acceleration: moves * known(block.rack_acceleration_m_s2),
        }
    }

    fn air(&self) -> (Vector3, Vector3) {
        let block = &self.block;
        if self.gone {
            return (Vector3::ZERO, Vector3::ZERO);
        }
        let vector = |x, y, z| Vector3::new(known(x), known(y), known(z));
        let force = vector(block.body_force_x_n, block.body_force_y_n, block.body_force_z_n);
        let torque = vector(
            block.body_torque_x_nm,
            block.body_torque_y_nm,
            block.body_torque_z_nm,
        );
        (force, torque)
    }
}

/// A value that is not known does nothing; one that no vehicle has is cut off.
fn known(value: f64) -> f64 {
    const MOST: f64 = 1e6;
    if value.is_finite() {
        value.clamp(-MOST, MOST)
    } else {
        0.0
    }
}
