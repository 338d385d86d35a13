//! From the pressure at a brake to the torque that it can hold.
//!
//! ```text
//! linear   T = g G max(0, p − p₀)                                                              (1)
//! table    T = g T(p)                                                                          (2)
//! ```
//! g is the gain of the wheel (worn pads, a pull to one side), G the torque per pressure, p₀ the
//! pressure that brings the pads to the disc.

use crate::files::Curve;

/// The law of the brakes of one axle.
#[derive(Clone, Debug)]
pub(super) enum Friction {
    Linear { nm_bar: f64, threshold_bar: f64 },
    Table(Curve),
}

impl Friction {
    pub(super) fn torque_nm(&self, pressure_bar: f64) -> f64 {
        match self {
            Self::Linear { nm_bar, threshold_bar } => nm_bar * (pressure_bar - threshold_bar).max(0.0),
            Self::Table(curve) => curve.value(pressure_bar),
        }
    }
}
