//! The anti-lock rule of SPINE, example 3: when the vehicle is 10 % faster than the wheel's travel,
//! the brake torque becomes smallest.
//!
//! ```text
//! T_b = T_min          if  v_x > (1 + e) ω R_e,    e = 0.1                                      (1)
//! T_b = K(α_b)         otherwise                                                               (2)
//! ```
//! Divided by R_e, eq. (1) compares the spin of free rolling with the spin, which in slip is λ >
//! e/(1 + e) = 1/11. The document leaves T_min open: a part of the demand, zero unless the file
//! says otherwise. It has no memory; a re-apply limit below e adds a hysteresis.

use super::{Channel, Valve};

/// Parameters of eq. (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlipLimit {
    /// e: by how much the vehicle may be faster than the wheel's travel.
    pub excess: f64,
    /// The excess at which the brake is applied again, at most `excess`.
    pub reapply_excess: f64,
    /// Part of the demand that is left, 0 to 1.
    pub least: f64,
    /// Rests below this speed (m/s).
    pub off_below_m_s: f64,
}

const APPLIED: u8 = 0;
const CUT: u8 = 1;

impl SlipLimit {
    /// Eq. (1) and (2).
    #[must_use]
    pub fn command(&self, phase: u8, channel: &Channel) -> (u8, Valve) {
        let excess = if phase == CUT { self.reapply_excess } else { self.excess };
        let is_slipping = channel.slip > excess / (1.0 + excess);
        if channel.is_braking && is_slipping && channel.speed_m_s >= self.off_below_m_s {
            (CUT, Valve::Cut { part: self.least })
        } else {
            (APPLIED, Valve::Follow)
        }
    }
}
