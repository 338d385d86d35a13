//! A friction clutch between two shafts: slips at its capacity, holds below it.
//!
//! While it slips by Δ, its torque is `C Δ / max(|Δ|, ε)`. The substep takes it with the *secant*
//! slope `s = C / max(|Δ|, ε)`:
//! ```text
//! T = s (Δ + δΔ)                                                                   (1)
//! ```
//! With the tangent (zero while slipping) a substep would overshoot zero slip and come back:
//! chatter. With the secant the slip shrinks by 1/(1 + h s/J) and never changes sign, whatever the
//! substep. Once it is below ε and the torque within the capacity, the clutch locks: the shafts
//! turn as one and the torque is what the motion needs, until that exceeds the capacity.

/// Slip that counts as none (rad/s).
pub const SLIP_NONE_RAD_S: f64 = 0.02;

/// Eq. (1): the secant slope (Nms/rad).
#[inline]
pub fn secant(capacity_nm: f64, slip_rad_s: f64) -> f64 {
    capacity_nm / slip_rad_s.abs().max(SLIP_NONE_RAD_S)
}

/// Whether the shafts turn as one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grip {
    /// They do.
    pub locked: bool,
    /// Torque in the last substep (Nm).
    pub torque_nm: f64,
}

impl Grip {
    /// Before a substep: opens when the torque exceeds the capacity.
    #[inline]
    pub fn begin(&mut self, capacity_nm: f64) {
        self.locked &= capacity_nm > 0.0 && self.torque_nm.abs() <= capacity_nm;
    }

    /// After a substep: closes when the slip has gone and the capacity suffices.
    #[inline]
    pub fn end(&mut self, capacity_nm: f64, slip_rad_s: f64, torque_nm: f64) {
        self.torque_nm = torque_nm;
        self.locked |= capacity_nm > 0.0 && slip_rad_s.abs() < SLIP_NONE_RAD_S && torque_nm.abs() < capacity_nm;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slip_dies_out_without_changing_sign_and_then_locks() {
        let (capacity, inertia, substep) = (500.0, 0.1, 1e-3);
        let (mut slip, mut grip) = (300.0, Grip::default());
        for _ in 0..1000 {
            let slope = secant(capacity, slip);
            let after = slip / (1.0 + substep * slope / inertia);
            grip.end(capacity, after, slope * after);
            assert!(after >= 0.0 && after <= slip);
            slip = after;
        }
        assert!(grip.locked);
        grip.begin(grip.torque_nm.abs().max(1.0) + 1.0);
        assert!(grip.locked);
        grip.torque_nm = 600.0;
        grip.begin(capacity);
        assert!(!grip.locked);
    }
}
