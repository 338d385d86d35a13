//! Whether a value can be believed: range, stuck, jump, stale, not a number; and what is done when
//! it cannot.
//!
//! A [`Monitor`] looks at every sample and says what is wrong. A fault stays until samples have
//! been good for a while ([`Rules::recover_ns`]), counted in their own time. An [`Output`] is what
//! is shown of the channel: the measured value, or what the sharpest reaction of the present faults
//! makes of it, without a step when the fault begins and without one when it ends.

mod check;
mod monitor;
mod output;

use serde::Deserialize;

pub(crate) use check::RulesText;
pub use monitor::Monitor;
pub use output::Output;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Outside of its range.
    OutOfRange,
    /// The same raw number for too long.
    Stuck,
    /// Too far from the sample before.
    Jump,
    /// No sample for too long, or the source is gone.
    Stale,
    /// Not a finite number.
    NotANumber,
}

impl Fault {
    /// All of them, in the order of their bits.
    pub const ALL: [Self; 5] = [Self::OutOfRange, Self::Stuck, Self::Jump, Self::Stale, Self::NotANumber];

    /// Its bit in `/acquisition/`.
    pub const fn bit(self) -> u64 {
        1 << self as u64
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults(pub u64);

impl Faults {
    pub const fn none(self) -> bool {
        self.0 == 0
    }

    pub const fn has(self, fault: Fault) -> bool {
        self.0 & fault.bit() != 0
    }

    pub fn set(&mut self, fault: Fault, present: bool) {
        if present {
            self.0 |= fault.bit();
        } else {
            self.0 &= !fault.bit();
        }
    }
}

/// What is done about a fault, the sharper the later. The numbers are those of `/acquisition/`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reaction {
    /// Nothing: it is shown.
    #[default]
    None = 0,
    /// The last value that was believed stays.
    Hold = 1,
    /// The value goes to its safe value.
    Ramp = 2,
    /// The same, and the vehicle is asked to stop.
    Stop = 3,
}

/// A range that a value has to be in (unit); open where there is no end.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RangeRule {
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub reaction: Reaction,
}

/// How far a value may go between two samples.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JumpRule {
    /// At once (unit).
    pub step_max: f64,
    /// And besides, for the time between (unit/s).
    #[serde(default)]
    pub rate_max: f64,
    pub reaction: Reaction,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeRule {
    pub longest_ns: u64,
    pub reaction: Reaction,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    pub range: Option<RangeRule>,
    /// How long the raw number may stay the same.
    pub stuck: Option<TimeRule>,
    pub jump: Option<JumpRule>,
    pub stale: Option<TimeRule>,
    pub not_a_number: Reaction,
    /// Where a ramp goes (unit).
    pub safe_value: f64,
    pub ramp_ns: u64,
    /// How long samples have to be good before they are believed again.
    pub recover_ns: u64,
    /// In what time the value goes from what was shown to what is measured, once believed.
    pub return_ns: u64,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            range: None,
            stuck: None,
            jump: None,
            stale: None,
            not_a_number: Reaction::Hold,
            safe_value: 0.0,
            ramp_ns: 1_000_000_000,
            recover_ns: 100_000_000,
            return_ns: 200_000_000,
        }
    }
}

impl Rules {
    pub fn reaction(&self, fault: Fault) -> Reaction {
        let none = Reaction::None;
        match fault {
            Fault::OutOfRange => self.range.map_or(none, |rule| rule.reaction),
            Fault::Stuck => self.stuck.map_or(none, |rule| rule.reaction),
            Fault::Jump => self.jump.map_or(none, |rule| rule.reaction),
            // A source that is gone makes a channel stale even where no age is given.
            Fault::Stale => self.stale.map_or(Reaction::Hold, |rule| rule.reaction),
            Fault::NotANumber => self.not_a_number,
        }
    }

    pub fn sharpest(&self, faults: Faults) -> Reaction {
        let present = Fault::ALL.into_iter().filter(|fault| faults.has(*fault));
        present.map(|fault| self.reaction(fault)).max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
