//! What a differential adds to being open: friction, a torque bias, a viscous fluid or a lock
//! between its two sides.
//!
//! An open differential splits torque in a fixed proportion whatever the speeds. All else is a
//! coupling between its sides that carries torque from the faster to the slower one. It is taken
//! with its secant slope, as a clutch is (see `clutch`): never negative, never chattering.
//! ```text
//! limited slip:  T = T_preload min(|Δ|/ε, 1) + |T_in| (b − 1) / (2 (b + 1))                   (1)
//!                b = 1 + (B − 1) x,  x = (|Δ| − Δ_start) / (Δ_full − Δ_start) from 0 to 1      (2)
//! viscous:       T = c Δ                                                                      (3)
//! locked:        as (3), so stiff that the sides turn alike
//! ```
//! B is the torque of the slower side by that of the faster. Eq. (2) with 0.25 and 0.5 rad/s is the
//! simple driveline of Project Chrono.

/// A lock's stiffness (Nms/rad): 1000 Nm make a difference of 10⁻⁵ rad/s.
const LOCK_NMS_RAD: f64 = 1e8;
/// Speed difference at which preload friction is fully there (rad/s).
const PRELOAD_FULL_RAD_S: f64 = 0.02;

/// The kind of a differential.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Differential {
    /// Nothing between the sides.
    #[default]
    Open,
    /// Friction and bias.
    LimitedSlip {
        /// Friction without load (Nm).
        preload_nm: f64,
        /// Greatest torque of the slower side by that of the faster; 1 is none.
        bias: f64,
        /// Speed difference where the bias begins (rad/s).
        start_rad_s: f64,
        /// Speed difference where it is full (rad/s).
        full_rad_s: f64,
    },
    /// A fluid (Nms/rad).
    Viscous(f64),
    /// Both sides turn as one.
    Locked,
}

impl Differential {
    /// Slope between the sides: torque by speed difference (Nms/rad), for the torque that comes in.
    #[inline]
    pub fn slope(&self, difference_rad_s: f64, torque_in_nm: f64) -> f64 {
        match *self {
            Self::Open => 0.0,
            Self::Viscous(slope) => slope,
            Self::Locked => LOCK_NMS_RAD,
            Self::LimitedSlip { preload_nm, bias, start_rad_s, full_rad_s } => {
                let difference = difference_rad_s.abs();
                if preload_nm == 0.0 && difference <= start_rad_s {
                    return 0.0;
                }
                let x = ((difference - start_rad_s) / (full_rad_s - start_rad_s)).clamp(0.0, 1.0);
                let b = 1.0 + (bias - 1.0) * x;
                // Eq. (1): below Δ_start the second part is zero, and Δ_full is not, so nothing is
                // divided by zero.
                let biased = torque_in_nm.abs() * (b - 1.0) / (2.0 * (b + 1.0));
                let floor = if start_rad_s > 0.0 { start_rad_s } else { 1e-3 * full_rad_s };
                preload_nm / difference.max(PRELOAD_FULL_RAD_S) + biased / difference.max(floor)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B = 2: the slower wheel gets 2/3, the faster 1/3, so 1/6 goes over. Half-way b = 1.5, and
    /// 1/10 goes over.
    #[test]
    fn the_bias_splits_torque_as_it_says() {
        let torsen = Differential::LimitedSlip { preload_nm: 0.0, bias: 2.0, start_rad_s: 0.25, full_rad_s: 0.5 };
        for (difference, share) in [(0.2, 0.0), (0.375, 0.1), (0.5, 1.0 / 6.0), (-3.0, 1.0 / 6.0)] {
            let torque = torsen.slope(difference, -600.0) * f64::abs(difference);
            assert!((torque - 600.0 * share).abs() < 1e-9, "{difference}: {torque}");
        }
    }

    #[test]
    fn preload_holds_without_load() {
        let plates = Differential::LimitedSlip { preload_nm: 100.0, bias: 1.0, start_rad_s: 0.0, full_rad_s: 0.1 };
        assert!((plates.slope(5.0, 0.0) * 5.0 - 100.0).abs() < 1e-12);
        assert!(plates.slope(0.0, 1e9).is_finite());
    }
}
