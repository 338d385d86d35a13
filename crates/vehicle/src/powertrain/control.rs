//! Who changes gear: the driver, or the schedule when the driver leaves it to the gearbox.
//!
//! What is asked for is not always given: no new gear while one is going in (neutral always), none
//! against the direction of travel, none that would drive the engine beyond its limit.

use super::gearbox::{GearState, Gearbox};
use super::schedule::Schedule;
use crate::DriverInput;

/// An output shaft slower than this counts as standing when a gear of the other direction is asked
/// for (rad/s).
const STANDING_RAD_S: f64 = 5.0;

/// The driver's wishes, taken at the beginning of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Asked {
    /// Throttle pedal, 0 to 1.
    pub throttle: f64,
    /// Clutch pedal, 0 to 1, 1 = pressed.
    pub clutch: f64,
    /// Gear asked for, or none.
    pub gear: Option<i32>,
    /// Time since the last change (s).
    pub since_shift_s: f64,
}

impl Asked {
    /// Takes the pedals; numbers outside 0 to 1 are brought back, and what is not a number is 0.
    pub fn take(&mut self, input: &DriverInput, step_s: f64) {
        let bounded = |it: f64| if it.is_nan() { 0.0 } else { it.clamp(0.0, 1.0) };
        self.throttle = bounded(input.throttle_ratio);
        self.clutch = bounded(input.clutch_ratio);
        self.gear = input.gear_asked();
        self.since_shift_s = (self.since_shift_s + step_s).min(1e3);
    }
}

/// Rules of changing gear.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// For a driver who leaves the choice to the gearbox.
    pub schedule: Option<Schedule>,
    /// Fastest that the engine may be driven (rad/s).
    pub limit_rad_s: Option<f64>,
}

impl Control {
    /// The gear in which the first step begins.
    #[must_use]
    pub fn first(&self, gearbox: &Gearbox, input: &DriverInput, output_rad_s: f64) -> i32 {
        match input.gear_asked() {
            Some(gear) => existing(gearbox, gear),
            None => self.fitting(gearbox, input.throttle_ratio, output_rad_s),
        }
    }

    /// The gear to change into now, or none.
    #[inline]
    #[must_use]
    pub fn next(&self, gearbox: &Gearbox, state: &GearState, asked: &Asked, output_rad_s: f64) -> Option<i32> {
        let wanted = match asked.gear {
            Some(gear) => existing(gearbox, gear),
            None => self.automatic(gearbox, state, asked, output_rad_s),
        };
        let busy = !state.locked && state.to != 0 && wanted != 0;
        let allowed = wanted == 0 || self.allows(gearbox, wanted, output_rad_s);
        (wanted != state.to && !busy && allowed).then_some(wanted)
    }

    fn automatic(&self, gearbox: &Gearbox, state: &GearState, asked: &Asked, output_rad_s: f64) -> i32 {
        if state.to < 1 {
            return self.fitting(gearbox, asked.throttle, output_rad_s);
        }
        match (&self.schedule, gearbox.ratio(state.to)) {
            (Some(schedule), Some(ratio)) => {
                let next = schedule.next(state.to, asked.throttle, ratio * output_rad_s);
                let goes_on = (next - state.to).signum() == (state.to - state.from).signum();
                if goes_on || asked.since_shift_s >= schedule.dwell_s { next } else { state.to }
            }
            _ => state.to,
        }
    }

    /// The lowest gear that the schedule would not leave upwards.
    fn fitting(&self, gearbox: &Gearbox, throttle: f64, output_rad_s: f64) -> i32 {
        let Some(schedule) = &self.schedule else {
            return 1;
        };
        let leaves = |gear: i32| {
            let input = gearbox.ratio(gear).unwrap_or(0.0) * output_rad_s;
            schedule.next(gear, throttle.clamp(0.0, 1.0), input) > gear
        };
        let last = i32::try_from(gearbox.forward.len()).unwrap_or(1);
        (1..last).find(|gear| !leaves(*gear)).unwrap_or(last)
    }

    fn allows(&self, gearbox: &Gearbox, gear: i32, output_rad_s: f64) -> bool {
        let ratio = gearbox.ratio(gear).unwrap_or(0.0);
        let with_travel = ratio * output_rad_s >= 0.0 || output_rad_s.abs() < STANDING_RAD_S;
        with_travel && self.limit_rad_s.is_none_or(|limit| ratio * output_rad_s <= limit)
    }
}

/// The gear, or the nearest that there is.
fn existing(gearbox: &Gearbox, gear: i32) -> i32 {
    let last = i32::try_from(gearbox.forward.len()).unwrap_or(1);
    let lowest = if gearbox.reverse.is_some() { -1 } else { 0 };
    gear.clamp(lowest, last)
}
