//! Power assist: the harder the driver turns, the more it helps, and less at speed.
//!
//! With T the torque in the torsion bar, A the boost curve (odd, rising), s the factor of speed and
//! L the load of the road at the steering wheel:
//! ```text
//! T + s(v) A(T) = L                                                                            (1)
//! ```
//! The left side rises in T, so each load has one T. Between the curve's points it is linear and is
//! inverted exactly.

use crate::files::Curve;

/// The assist.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Assist {
    /// A over |T| (Nm): through zero, rising.
    pub(super) boost_nm: Curve,
    /// s over the speed (m/s).
    pub(super) speed_factor: Curve,
}

impl Assist {
    /// s(v).
    pub(super) fn factor(&self, speed_m_s: f64) -> f64 {
        self.speed_factor.value(speed_m_s.abs())
    }

    /// s A(T) and its slope.
    pub(super) fn boost(&self, factor: f64, torque_nm: f64) -> (f64, f64) {
        let sample = self.boost_nm.sample(torque_nm.abs());
        let side = if torque_nm < 0.0 { -1.0 } else { 1.0 };
        (factor * side * sample.value, factor * sample.slope)
    }

    /// T of eq. (1).
    pub(super) fn hand_nm(&self, factor: f64, load_nm: f64) -> f64 {
        let side = if load_nm < 0.0 { -1.0 } else { 1.0 };
        let load = load_nm.abs();
        let (mut torque_before, mut sum_before) = (0.0, 0.0);
        for [torque, boost] in self.boost_nm.points().iter().copied() {
            let sum = torque + factor * boost;
            if sum > load {
                let part = (load - sum_before) / (sum - sum_before);
                return side * (torque_before + part * (torque - torque_before));
            }
            (torque_before, sum_before) = (torque, sum);
        }
        side * (torque_before + (load - sum_before))
    }
}
