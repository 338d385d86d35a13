//! Simulated time: never back, a step at a time, and never held for good.

use super::Found;
use crate::world::Made;

/// Steps of the dynamics after which time must have gone on.
const STEPS_WITHOUT_PROGRESS: u64 = 3;
/// Rounding of a time that is added up step by step, over what it should be.
const ROUNDING: f64 = 1e-9;

/// What is known of the time.
#[derive(Default)]
pub struct TimeCheck {
    time_s: f64,
    has_begun: bool,
    without_progress: u64,
}

impl TimeCheck {
    /// Looks at the newest question, asked for this step and time, after a step of the dynamics.
    pub fn look(&mut self, step: u64, time_s: f64, step_s: f64, made: Option<Made>) -> Found {
        if time_s < self.time_s {
            return Err(format!("time went back from {} s to {time_s} s", self.time_s));
        }
        let expected_s = (step - 1) as f64 * step_s;
        if (time_s - expected_s).abs() > ROUNDING * (1.0 + expected_s) {
            return Err(format!("step {step} is at {time_s} s, expected {expected_s} s"));
        }
        let has_moved = time_s > self.time_s;
        self.has_begun |= has_moved;
        self.time_s = time_s;
        if has_moved {
            self.without_progress = 0;
        } else if made.is_some() && self.has_begun {
            self.without_progress += 1;
        }
        match self.without_progress {
            0..=STEPS_WITHOUT_PROGRESS => Ok(()),
            steps => Err(format!("time stands at {time_s} s, for {steps} steps of the dynamics")),
        }
    }

    /// At the end of a run, long after the last fault.
    pub fn finish(&self) -> Found {
        if self.has_begun { Ok(()) } else { Err("time has never begun".to_owned()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lockstep::Report;

    /// A question that is asked again and again, and never leads to a step.
    #[test]
    fn time_that_is_held_for_good_is_found() {
        let made = Some(Made { is_answered: true, report: Report::default() });
        let mut check = TimeCheck::default();
        let mut look = |step: u64| check.look(step, (step - 1) as f64 * 1e-3, 1e-3, made);
        assert!((1..10).all(|step| look(step).is_ok()));
        assert!((0..3).all(|_| look(9).is_ok()));
        assert_eq!(look(9), Err("time stands at 0.008 s, for 4 steps of the dynamics".to_owned()));
    }
}
