//! What is shown of a channel: measured, held, on its way to the safe value, or on its way back.

use super::{Reaction, Rules};
use crate::NANOSECONDS_PER_SECOND;
use crate::differentiation::Estimate;

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// The measured value.
    Measured,
    /// The last value that was believed.
    Hold,
    /// From a value to the safe one.
    Ramp { from: f64, began_ns: u64 },
    /// The measured value and what is left of the difference to what was shown before.
    Return { difference: f64, began_ns: u64 },
}

/// The shown value over time. Real-time safe.
#[derive(Clone, Debug)]
pub struct Output {
    phase: Phase,
    value: f64,
}

impl Default for Output {
    fn default() -> Self {
        Self { phase: Phase::Measured, value: f64::NAN }
    }
}

impl Output {
    /// The value that is shown now (unit; not a number before the first sample), and its
    /// derivatives.
    pub fn show(
        &mut self,
        now_ns: u64,
        rules: &Rules,
        reaction: Reaction,
        measured: f64,
        estimate: Estimate,
    ) -> (f64, Estimate) {
        self.change_phase(now_ns, rules, reaction, measured);
        let share = |began_ns: u64, whole_ns: u64| {
            let passed_ns = now_ns.saturating_sub(began_ns);
            if passed_ns >= whole_ns { 1.0 } else { passed_ns as f64 / whole_ns as f64 }
        };
        let mut shown = Estimate::default();
        match self.phase {
            Phase::Hold => {}
            Phase::Ramp { from, began_ns } => {
                let done = share(began_ns, rules.ramp_ns);
                self.value = from + (rules.safe_value - from) * done;
                if done < 1.0 {
                    shown.rate = (rules.safe_value - from) * NANOSECONDS_PER_SECOND / rules.ramp_ns as f64;
                }
            }
            Phase::Measured => {
                self.value = measured;
                shown = estimate;
            }
            Phase::Return { difference, began_ns } => {
                let done = share(began_ns, rules.return_ns);
                self.value = measured + difference * (1.0 - done);
                shown = estimate;
                if done >= 1.0 {
                    self.phase = Phase::Measured;
                }
            }
        }
        (self.value, shown)
    }

    fn change_phase(&mut self, now_ns: u64, rules: &Rules, reaction: Reaction, measured: f64) {
        let nothing_to_hold = self.value.is_nan();
        self.phase = match (reaction, self.phase) {
            (Reaction::None, Phase::Hold | Phase::Ramp { .. }) => Phase::Return {
                difference: if nothing_to_hold { 0.0 } else { self.value - measured },
                began_ns: now_ns,
            },
            (Reaction::None, phase) => phase,
            (Reaction::Hold, _) => {
                if nothing_to_hold {
                    self.value = rules.safe_value;
                }
                Phase::Hold
            }
            (Reaction::Ramp | Reaction::Stop, ramp @ Phase::Ramp { .. }) => ramp,
            (Reaction::Ramp | Reaction::Stop, _) => {
                Phase::Ramp { from: if nothing_to_hold { rules.safe_value } else { self.value }, began_ns: now_ns }
            }
        };
    }
}
