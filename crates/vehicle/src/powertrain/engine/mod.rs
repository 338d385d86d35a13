//! The engine or motor: torque over speed and pedal, with idle governor, rev limiter, stall and
//! starter.
//!
//! ```text
//! T_pedal = curves(f, ω)                                                                   (1)
//! above the limit:  T = T_closed + (1 − x)(T_pedal − T_closed),  x = (ω − ω_limit) / band  (2)
//! governor:         T = max(T, min(k (ω_idle − ω), T_idle))                                (3)
//! stalled:          T = −T_drag ω / ω_0, at most T_drag, plus the starter                   (4)
//! ```
//! The limiter works over a band instead of switching, and the governor is a steep line: both have
//! a slope that the substep takes implicitly, so neither chatters.

mod curves;

use super::law::Law;
pub use curves::{Curves, RPM};

/// The limiter takes the torque away within this part of the limit.
const LIMIT_BAND: f64 = 0.02;
/// The governor gives its greatest torque at this part below the idle speed.
const IDLE_DROOP: f64 = 0.1;
/// Below this speed the drag of a stalled engine fades (rad/s).
const DRAG_FADE_RAD_S: f64 = 5.0;

/// Keeps an engine running when the pedal is released.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Idle {
    /// Speed of an unloaded engine (rad/s).
    pub speed_rad_s: f64,
    /// Most that the governor gives (Nm).
    pub torque_nm: f64,
    /// Below this speed the engine stalls (rad/s).
    pub stall_rad_s: f64,
    /// Torque of the starter (Nm).
    pub starter_nm: f64,
}

/// An engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Engine {
    /// Torque over speed and throttle.
    pub curves: Curves,
    /// Everything that turns with the crankshaft (kg m²); 0 makes the engine follow the gearbox
    /// without inertia.
    pub inertia_kg_m2: f64,
    /// Idle governor, where there is one.
    pub idle: Option<Idle>,
    /// The limiter begins here (rad/s).
    pub limit_rad_s: Option<f64>,
}

impl Engine {
    /// Eq. (1) to (3): torque of a running engine.
    #[inline]
    #[must_use]
    pub fn running(&self, throttle: f64, speed_rad_s: f64) -> Law {
        let (mut torque, mut derivative) = self.curves.at(throttle, speed_rad_s);
        if let Some(limit) = self.limit_rad_s
            && speed_rad_s > limit
        {
            let band = LIMIT_BAND * limit;
            let (closed, closed_slope) = self.curves.at(0.0, speed_rad_s);
            let left = (1.0 - (speed_rad_s - limit) / band).max(0.0);
            let fall = if left > 0.0 { (torque - closed) / band } else { 0.0 };
            derivative = closed_slope + left * (derivative - closed_slope) - fall;
            torque = closed + left * (torque - closed);
        }
        if let Some(idle) = self.idle {
            let gain = idle.torque_nm / (IDLE_DROOP * idle.speed_rad_s);
            let governed = gain * (idle.speed_rad_s - speed_rad_s);
            if governed.min(idle.torque_nm) > torque {
                (torque, derivative) =
                    if governed < idle.torque_nm { (governed, -gain) } else { (idle.torque_nm, 0.0) };
            }
        }
        Law { torque_nm: torque, slope: (-derivative).max(0.0) }
    }

    /// Eq. (4): torque of an engine that does not fire.
    #[inline]
    #[must_use]
    pub fn stalled(&self, speed_rad_s: f64, starter_on: bool) -> Law {
        let Some(idle) = self.idle else {
            return Law::default();
        };
        let drag = self.curves.at(0.0, idle.speed_rad_s).0.abs();
        let fades = speed_rad_s.abs() < DRAG_FADE_RAD_S;
        Law {
            torque_nm: f64::from(u8::from(starter_on)) * idle.starter_nm
                - drag * (speed_rad_s / DRAG_FADE_RAD_S).clamp(-1.0, 1.0),
            slope: if fades { drag / DRAG_FADE_RAD_S } else { 0.0 },
        }
    }

    /// Whether it fires now, after it did or did not: it stalls below the stall speed, and fires
    /// again above half-way to idle.
    #[inline]
    #[must_use]
    pub fn fires(&self, fired: bool, speed_rad_s: f64) -> bool {
        self.idle.is_none_or(|idle| {
            let threshold = if fired { idle.stall_rad_s } else { 0.5 * (idle.stall_rad_s + idle.speed_rad_s) };
            speed_rad_s > threshold
        })
    }

    /// Speed when nothing drives or brakes it.
    #[must_use]
    pub fn idle_rad_s(&self) -> f64 {
        self.idle.map_or(0.0, |idle| idle.speed_rad_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{Curve, Ends};

    fn engine() -> Engine {
        let table = |full: f64| Curve::new(vec![[0.0, full], [600.0, full]], Ends::Level).expect("rising");
        Engine {
            curves: Curves::Tables { full: table(200.0), closed: table(-20.0) },
            inertia_kg_m2: 0.2,
            idle: Some(Idle { speed_rad_s: 80.0, torque_nm: 60.0, stall_rad_s: 40.0, starter_nm: 50.0 }),
            limit_rad_s: Some(500.0),
        }
    }

    #[test]
    fn the_governor_balances_at_idle_and_keeps_out_of_the_way_above() {
        assert!(engine().running(0.0, 80.0).torque_nm.abs() < 1e-12);
        assert!((engine().running(0.0, 76.0).torque_nm - 30.0).abs() < 1e-12);
        assert_eq!(engine().running(0.0, 50.0).torque_nm, 60.0);
        assert_eq!(engine().running(0.0, 150.0).torque_nm, -20.0);
        assert_eq!(engine().running(1.0, 50.0).torque_nm, 200.0);
    }

    #[test]
    fn the_limiter_takes_the_torque_away_over_its_band() {
        assert_eq!(engine().running(1.0, 500.0).torque_nm, 200.0);
        let middle = engine().running(1.0, 505.0);
        assert!((middle.torque_nm - 90.0).abs() < 1e-9 && (middle.slope - 22.0).abs() < 1e-9);
        assert_eq!(engine().running(1.0, 520.0).torque_nm, -20.0);
    }

    #[test]
    fn a_stalled_engine_drags_until_the_starter_turns_it() {
        assert_eq!(engine().stalled(0.0, false).torque_nm, 0.0);
        assert_eq!(engine().stalled(0.0, true).torque_nm, 50.0);
        assert_eq!(engine().stalled(30.0, false).torque_nm, -20.0);
        assert!(engine().fires(true, 41.0) && !engine().fires(true, 39.0));
        assert!(!engine().fires(false, 59.0) && engine().fires(false, 61.0));
    }
}
