//! Simulated time without drift.
//!
//! Adding 0.1 a million times is wrong by 10⁻⁶ s and more; 0.1 · 1 000 000 is not. So time is a
//! count of steps since an origin: t = t_0 + k·h, and the origin moves only when the step length
//! changes.

/// Counts steps of constant length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepClock {
    origin_s: f64,
    steps: u64,
    step_s: f64,
}

impl StepClock {
    /// A clock that shows `origin_s`.
    pub fn starting_at(origin_s: f64) -> Self {
        StepClock { origin_s, steps: 0, step_s: 0.0 }
    }

    /// The time that it shows (s).
    pub fn time_s(&self) -> f64 {
        self.origin_s + self.steps as f64 * self.step_s
    }

    /// One step on.
    pub fn advance(&mut self, step_s: f64) {
        if step_s != self.step_s {
            *self = StepClock { origin_s: self.time_s(), steps: 0, step_s };
        }
        self.steps += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_steps_do_not_drift() {
        let mut clock = StepClock::starting_at(0.0);
        (0..1_000_000).for_each(|_| clock.advance(0.1));
        assert_eq!(clock.time_s(), 0.1 * 1_000_000.0);
    }

    #[test]
    fn a_new_step_length_starts_from_the_time_reached() {
        let mut clock = StepClock::starting_at(1.0);
        clock.advance(0.25);
        clock.advance(0.5);
        clock.advance(0.5);
        assert_eq!(clock.time_s(), 2.25);
    }
}
