//! An anti-lock system that works in phases, from slip and from the acceleration of the wheel's
//! rim.
//!
//! ```text
//!            a < −a₁                λ > λ₂
//!   NORMAL ───────────► WATCH ───────────────────► DUMP ◄──────────────┐
//!     │ ▲               hold   │ a ≥ −a₁          │  a > a₂ or λ < λ₁   │ λ > λ₂ and a ≤ 0
//!     │ │ full pressure        ▼                  ▼                    │
//!     │ └─────────────────── BUILD ◄──────────── RECOVER ──────────────┘
//!     │                        │   λ < λ₁ or a ≤ 0   hold
//!     └──────── λ > λ₂ ────────┴──► DUMP;   BUILD with a < −a₁ ──► WATCH
//! ```
//! The rim's deceleration tells of a lock before the slip does; the slip decides. The holds keep
//! the valves quiet: pressure falls only while the wheel is being lost and rises only when it rolls
//! again.

use super::{Channel, Valve};

/// Thresholds and rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phases {
    /// λ₁: below it the wheel has recovered.
    pub slip_low: f64,
    /// λ₂: above it the wheel is being lost.
    pub slip_high: f64,
    /// a₁ (m/s²): the rim decelerates faster than any vehicle can.
    pub deceleration_m_s2: f64,
    /// a₂ (m/s²): the rim is on its way back.
    pub recovery_m_s2: f64,
    /// r_b (bar/s).
    pub build_bar_s: f64,
    /// r_d (bar/s).
    pub dump_bar_s: f64,
    /// Rests below this speed (m/s).
    pub off_below_m_s: f64,
}

const NORMAL: u8 = 0;
const WATCH: u8 = 1;
const DUMP: u8 = 2;
const RECOVER: u8 = 3;
const BUILD: u8 = 4;

impl Phases {
    /// The next phase, and what the valve does in it.
    #[must_use]
    pub fn command(&self, phase: u8, channel: &Channel) -> (u8, Valve) {
        let rests = !channel.is_braking || channel.speed_m_s < self.off_below_m_s;
        let next = if rests { NORMAL } else { self.next(phase, channel) };
        (next, self.valve(next))
    }

    fn next(&self, phase: u8, channel: &Channel) -> u8 {
        let is_lost = channel.slip > self.slip_high;
        let falls = channel.acceleration_m_s2 < -self.deceleration_m_s2;
        let has_recovered = channel.slip < self.slip_low;
        match phase {
            DUMP if has_recovered || channel.acceleration_m_s2 > self.recovery_m_s2 => RECOVER,
            DUMP => DUMP,
            RECOVER if is_lost && channel.acceleration_m_s2 <= 0.0 => DUMP,
            RECOVER if has_recovered || channel.acceleration_m_s2 <= 0.0 => BUILD,
            RECOVER => RECOVER,
            _ if is_lost => DUMP,
            _ if falls => WATCH,
            WATCH => BUILD,
            BUILD if channel.is_full => NORMAL,
            other => other,
        }
    }

    fn valve(&self, phase: u8) -> Valve {
        match phase {
            WATCH | RECOVER => Valve::Hold,
            DUMP => Valve::Dump { rate_bar_s: self.dump_bar_s },
            BUILD => Valve::Build { rate_bar_s: self.build_bar_s },
            _ => Valve::Follow,
        }
    }
}
