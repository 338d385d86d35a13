//! Who changes gear: the driver, or the schedule when the driver leaves it to the gearbox.
//!
//! What is asked for is not always given: no new gear while one is going in (neutral always), none
//! against the direction of travel, none that would drive the engine beyond its limit.

use super::gearbox::{GearState, Gearbox};
use crate::DriverInput;
use crate::numbers::clamped;

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
        self.throttle = clamped(input.throttle_ratio, 1.0);
        self.clutch = clamped(input.clutch_ratio, 1.0);
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
    pub fn first(&self, gearbox: &Gearbox, input: &DriverInput, output_rad_s: f64) -> i32 {
        match input.gear_asked() {
            Some(gear) => existing(gearbox, gear),
            None => self.fitting(gearbox, input.throttle_ratio, output_rad_s),
        }
    }

    /// The gear to change into now, or none.
    #[inline]
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

/// When an automatic gearbox changes gear, and which gear a driver may have.
///
/// Speeds are those of the gearbox's input, which follow the road speed and not the slip of a
/// converter. Each change has one speed up and one down, both straight lines over the throttle.
/// Reading a file checks that after a change up the input still turns faster than the speed of the
/// change back, at every throttle: so a constant speed with a constant throttle never makes it
/// hunt.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// From gear k + 1 up.
    pub up_rad_s: Vec<[f64; 2]>,
    /// From gear k + 2 down.
    pub down_rad_s: Vec<[f64; 2]>,
    /// Shortest time from a change to one back (s).
    pub dwell_s: f64,
}

#[inline]
fn between(ends: &[f64; 2], throttle: f64) -> f64 {
    ends[0] + throttle * (ends[1] - ends[0])
}

impl Schedule {
    /// The gear to have after this one, at this speed of the input.
    #[inline]
    pub fn next(&self, gear: i32, throttle: f64, input_rad_s: f64) -> i32 {
        let place = usize::try_from(gear - 1).unwrap_or(0);
        if self.up_rad_s.get(place).is_some_and(|ends| input_rad_s > between(ends, throttle)) {
            return gear + 1;
        }
        let down = place.checked_sub(1).and_then(|place| self.down_rad_s.get(place));
        if down.is_some_and(|ends| input_rad_s < between(ends, throttle)) { gear - 1 } else { gear }
    }

    /// The first change (counted from 0) that would go back at once, for these ratios.
    pub fn hunts(&self, forward: &[f64]) -> Option<usize> {
        (0..self.up_rad_s.len())
            .find(|&k| (0..2).any(|end| self.up_rad_s[k][end] * forward[k + 1] / forward[k] <= self.down_rad_s[k][end]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule() -> Schedule {
        Schedule {
            up_rad_s: vec![[200.0, 500.0], [200.0, 500.0]],
            down_rad_s: vec![[100.0, 200.0], [100.0, 250.0]],
            dwell_s: 0.5,
        }
    }

    #[test]
    fn changes_follow_speed_and_throttle() {
        assert_eq!(schedule().next(1, 0.0, 201.0), 2);
        assert_eq!(schedule().next(1, 1.0, 201.0), 1);
        assert_eq!(schedule().next(2, 0.0, 99.0), 1);
        assert_eq!(schedule().next(2, 0.5, 149.0), 1);
        assert_eq!(schedule().next(3, 0.0, 900.0), 3, "there is no fourth");
        assert_eq!(schedule().next(1, 0.0, 0.0), 1, "there is nothing below first");
    }

    #[test]
    fn a_schedule_that_would_hunt_is_found() {
        assert_eq!(schedule().hunts(&[2.475, 1.475, 1.0]), None);
        assert_eq!(schedule().hunts(&[2.475, 1.475, 0.7]), Some(1));
    }
}
