//! When an automatic gearbox changes gear, and which gear a driver may have.
//!
//! Speeds are those of the gearbox's input, which follow the road speed and not the slip of a
//! converter. Each change has one speed up and one down, both straight lines over the throttle.
//! Reading a file checks that after a change up the input still turns faster than the speed of the
//! change back, at every throttle: so a constant speed with a constant throttle never makes it
//! hunt.

/// Change speeds (rad/s at the input) with the pedal released and pressed.
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
    #[must_use]
    pub fn next(&self, gear: i32, throttle: f64, input_rad_s: f64) -> i32 {
        let place = usize::try_from(gear - 1).unwrap_or(0);
        if self.up_rad_s.get(place).is_some_and(|ends| input_rad_s > between(ends, throttle)) {
            return gear + 1;
        }
        let down = place.checked_sub(1).and_then(|place| self.down_rad_s.get(place));
        if down.is_some_and(|ends| input_rad_s < between(ends, throttle)) { gear - 1 } else { gear }
    }

    /// The first change (counted from 0) that would go back at once, for these ratios.
    #[must_use]
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
