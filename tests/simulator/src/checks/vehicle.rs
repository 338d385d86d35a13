//! A vehicle that nothing answers stops safely, in time, and is taken over without a jump.

use lockstep::status::{ANSWER_HELD, ANSWER_REFUSED, SAFE_STOP, STATE_RESET, STEP_REPEATED};
use service::config::{Settings, steps_in};
use shm_layout::blocks::Kinematics;

use super::Found;
use crate::world::Made;
use vehicle::Vector3;

/// A vehicle in its safe stop for so long (s) must have lost speed,
const BRAKING_S: f64 = 1.0;
/// at least so much of it (m/s²). It brakes with 0.3 g on a flat road; a vehicle that was sliding
/// sideways, or whose wheels have left the road for a moment, brakes less.
const BRAKING_M_S2: f64 = 1.0;
/// Below this speed (m/s) it may stand.
const STANDING_M_S: f64 = 0.5;
/// Largest change of the acceleration from one step to the next (m/s²): in a take-over of N steps
/// the forces change by an N-th of what two vehicles' grip differ by, at most 2 g; the least N here
/// is 50.
const JUMP_M_S2: f64 = 2.0;
/// The same where a safe stop begins: the brakes bite at once, and the drive's torque is gone at
/// once, each with less than a tyre's grip.
const STOP_JUMP_M_S2: f64 = 2.0 * 9.81;
/// For so many steps: the wheels take the forces to the body.
const STOP_BEGINS_STEPS: u64 = 10;

/// What is known of the vehicle.
#[derive(Default)]
pub struct VehicleChecks {
    /// Steps since the last answer that could be used, as an onlooker counts them.
    silent: u64,
    /// Where the present safe stop began: time and speed.
    stopping: Option<(f64, f64)>,
    acceleration: Option<(u64, Vector3)>,
    status: u64,
    /// Steps since a safe stop began.
    stop_age: u64,
    /// The largest change so far.
    pub jump_m_s2: f64,
}

impl VehicleChecks {
    /// Looks at a step that the dynamics have made, and at the motion at its beginning. `is_calm`:
    /// nothing has thrown the vehicle about.
    pub fn look(&mut self, made: Made, motion: &Kinematics, settings: &Settings, is_calm: bool) -> Found {
        let status = made.report.status;
        let is_used = made.is_answered && status & ANSWER_REFUSED == 0;
        self.silent = if is_used { 0 } else { self.silent + 1 };
        self.safe_stop_in_time(status, settings, motion)?;
        if is_calm {
            self.brakes(status, motion)?;
            self.no_jump(motion)?;
            let begins = status & SAFE_STOP != 0 && self.status & SAFE_STOP == 0;
            self.stop_age = if begins { 0 } else { self.stop_age.saturating_add(1) };
            self.status = status;
        }
        Ok(())
    }

    fn safe_stop_in_time(&self, status: u64, settings: &Settings, motion: &Kinematics) -> Found {
        let step_s = 1e-3;
        let hold_steps = steps_in(settings.hold_forces_ms, (step_s * 1e9) as u64);
        let must_stop = self.silent > hold_steps;
        let has_other_forces = status & (STEP_REPEATED | STATE_RESET) != 0;
        if has_other_forces || must_stop == (status & SAFE_STOP != 0) {
            return Ok(());
        }
        Err(format!(
            "{} steps without an answer at {} s, forces are held for {hold_steps}: {}",
            self.silent,
            motion.time_s,
            if must_stop { "no safe stop" } else { "a safe stop without a reason" }
        ))
    }

    fn brakes(&mut self, status: u64, motion: &Kinematics) -> Found {
        if status & SAFE_STOP == 0 {
            self.stopping = None;
            return Ok(());
        }
        let speed = motion.velocity_m_s.norm();
        let (since_s, from_m_s) = *self.stopping.get_or_insert((motion.time_s, speed));
        let passed_s = motion.time_s - since_s;
        let allowed_m_s = (from_m_s - BRAKING_M_S2 * passed_s).max(STANDING_M_S);
        if passed_s > BRAKING_S && speed > allowed_m_s {
            return Err(format!("{speed} m/s after {passed_s} s of a safe stop from {from_m_s} m/s"));
        }
        Ok(())
    }

    fn no_jump(&mut self, motion: &Kinematics) -> Found {
        let (step, now) = (motion.stamp.step, motion.acceleration_m_s2);
        let before = self.acceleration.replace((step, now));
        let Some((_, before)) = before.filter(|(last, _)| last + 1 == step) else {
            return Ok(());
        };
        let jump = (now - before).norm();
        if self.stop_age >= STOP_BEGINS_STEPS {
            self.jump_m_s2 = self.jump_m_s2.max(jump);
        }
        let allowed = if self.stop_age < STOP_BEGINS_STEPS { STOP_JUMP_M_S2 } else { JUMP_M_S2 };
        if jump > allowed {
            return Err(format!("the acceleration jumped by {jump} m/s² from {before:?} to {now:?}"));
        }
        Ok(())
    }

    /// At the end of a run, long after the last fault.
    pub fn finish(&self, status: u64) -> Found {
        match status & (SAFE_STOP | ANSWER_HELD) {
            0 => Ok(()),
            held => Err(format!("it ends with {}", lockstep::status::text(held))),
        }
    }
}
