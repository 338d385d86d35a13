//! What stays the same for one wheel during a step of the mechanism, with eq. (1), (2) and (4).

use super::WheelSpin;
use super::patch::Patch;
use crate::WheelState;
use crate::contact::Contact;
use crate::tyre::{Relaxation, Slip, SlipForces, Tyre};

/// Speed above which the patch is not damped (m/s).
const DAMPED_BELOW_M_S: f64 = 2.0;
/// Slip beyond which a tyre slides whatever the slip: deflection grows no further.
const SLIP_MAX: f64 = 2.0;
/// The same at rest: about the slip of the largest force. A patch cannot be bent further, or it
/// would push a stopped vehicle back by its whole relaxation length.
const STANDSTILL_SLIP_MAX: f64 = 0.2;
/// Step of κ' for the slope C.
const SLOPE_STEP: f64 = 1e-3;
/// Part of the rolling speed that renews the patch of a wheel that spins on the spot.
const RENEWAL: f64 = 0.1;

/// What stays the same for one wheel during a step, and what changes within its substeps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WheelStep {
    pub(super) load_n: f64,
    /// R_e (m).
    pub(super) radius_m: f64,
    /// 1/σ (1/m).
    by_sigma: [f64; 2],
    /// 1 / (1 + h |V_x|/σ): what a substep leaves of a deflection.
    kept: [f64; 2],
    /// τ (s), along and across.
    damping_s: [f64; 2],
    /// Largest slip that the deflection may stand for.
    slip_max: f64,
    /// C (N).
    pub(super) slope_n: f64,
    /// κ' and tan α'.
    pub(super) slip: [f64; 2],
    pub(super) forces: SlipForces,
    /// κ' at the end of the substep if the spin does not change, and how it changes with the spin.
    next: [f64; 2],
}

impl WheelStep {
    /// At the beginning of a step of the mechanism and its substeps (s).
    pub(super) fn new(
        tyre: &dyn Tyre,
        patch: &Patch,
        contact: &Contact,
        spin_rad_s: f64,
        [step_s, substep_s]: [f64; 2],
    ) -> Self {
        let load_n = tyre.load_n(contact.deflection_m, contact.deflection_rate_m_s, spin_rad_s).max(0.0);
        let radius_m = tyre.rolling_radius_m(load_n, spin_rad_s);
        let Relaxation { longitudinal_m, lateral_m } = tyre.relaxation(load_n, contact.camber_rad);
        let speed = contact.forward_m_s.abs();
        let damping_s = if speed < DAMPED_BELOW_M_S {
            let part = 0.5 * (1.0 + (std::f64::consts::PI * speed / DAMPED_BELOW_M_S).cos());
            patch.damping_s(load_n, step_s).map(|damping_s| part * damping_s)
        } else {
            [0.0; 2]
        };
        let renewal_m_s = speed.max(RENEWAL * radius_m * spin_rad_s.abs());
        let pace = (length(renewal_m_s, contact.sideways_m_s) * (1.0 / DAMPED_BELOW_M_S)).min(1.0);
        let by_sigma = [1.0 / longitudinal_m.max(1e-3), 1.0 / lateral_m.max(1e-3)];
        let kept = by_sigma.map(|by_sigma| 1.0 / (1.0 + substep_s * renewal_m_s * by_sigma));
        Self {
            load_n,
            radius_m,
            by_sigma,
            kept,
            damping_s,
            slip_max: STANDSTILL_SLIP_MAX + (SLIP_MAX - STANDSTILL_SLIP_MAX) * pace,
            next: [0.0, radius_m * (substep_s * kept[0] + damping_s[0]) * by_sigma[0]],
            ..Self::default()
        }
    }

    /// Whether the wheel touches the road.
    #[inline]
    pub(super) fn is_loaded(&self) -> bool {
        self.load_n > 0.0
    }

    /// In the air: neither deflection nor forces.
    pub(super) fn lift(&mut self, wheel: &mut WheelSpin) {
        (wheel.along_m, wheel.across_m) = (0.0, 0.0);
        self.slip = [0.0; 2];
        self.forces = SlipForces::default();
        self.next = [0.0; 2];
        self.slope_n = 0.0;
    }

    /// Slip and forces at the beginning of a substep; the slope C at the beginning of the first
    /// one.
    #[inline]
    pub(super) fn find_forces(
        &mut self,
        tyre: &dyn Tyre,
        contact: &Contact,
        wheel: &WheelSpin,
        is_first: bool,
        substep_s: f64,
    ) {
        let driving = self.radius_m * wheel.spin_rad_s - contact.forward_m_s;
        let slip = [
            (wheel.along_m + self.damping_s[0] * driving) * self.by_sigma[0],
            (wheel.across_m + self.damping_s[1] * contact.sideways_m_s) * self.by_sigma[1],
        ];
        let limit = limit(slip, SLIP_MAX);
        self.slip = slip.map(|slip| slip * limit);
        let at = Slip {
            load_n: self.load_n,
            longitudinal: self.slip[0],
            lateral: self.slip[1],
            camber_rad: contact.camber_rad,
            friction: contact.friction,
            speed_m_s: contact.forward_m_s.abs(),
        };
        if is_first {
            let slope_n;
            (self.forces, slope_n) = tyre.forces_with_slope(&at, SLOPE_STEP);
            self.slope_n = slope_n.max(0.0);
        } else {
            self.forces = tyre.forces(&at);
        }
        let next_along = (wheel.along_m + substep_s * driving) * self.kept[0];
        self.next[0] = (next_along + self.damping_s[0] * driving) * self.by_sigma[0];
    }

    /// F_x⁺ of eq. (4), for a change of the spin.
    #[inline]
    pub(super) fn longitudinal_n(&self, change_rad_s: f64) -> f64 {
        self.forces.longitudinal_n + self.slope_n * (self.next[0] - self.slip[0] + self.next[1] * change_rad_s)
    }

    /// R_e C ∂κ'⁺/∂Ω⁺ of eq. (5).
    #[inline]
    pub(super) fn stiffness(&self) -> f64 {
        self.radius_m * self.slope_n * self.next[1]
    }

    /// Moves the patch with the new spin, eq. (1), (2) and (4).
    #[inline]
    pub(super) fn deflect(&self, contact: &Contact, wheel: &mut WheelSpin, substep_s: f64) {
        let driving = self.radius_m * wheel.spin_rad_s - contact.forward_m_s;
        let along_m = (wheel.along_m + substep_s * driving) * self.kept[0];
        let across_m = (wheel.across_m + substep_s * contact.sideways_m_s) * self.kept[1];
        let limit = limit([along_m * self.by_sigma[0], across_m * self.by_sigma[1]], self.slip_max);
        (wheel.along_m, wheel.across_m) = (along_m * limit, across_m * limit);
    }

    /// Longitudinal slip κ' and slip angle α' of the last substep.
    #[inline]
    pub(super) fn slips(&self) -> [f64; 2] {
        [self.slip[0], self.slip[1].atan()]
    }

    /// Adds the part of a substep to the mean forces of the step.
    #[inline]
    pub(super) fn add_to(&self, sum: &mut WheelState, weight: f64, change_rad_s: f64) {
        sum.longitudinal_force_n += weight * self.longitudinal_n(change_rad_s);
        sum.lateral_force_n += weight * self.forces.lateral_n;
        sum.overturning_torque_nm += weight * self.forces.overturning_nm;
        sum.aligning_torque_nm += weight * self.forces.aligning_nm;
    }
}

#[inline]
fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// The factor that makes a slip no larger than what slides, and keeps its direction.
#[inline]
fn limit([along, across]: [f64; 2], slip_max: f64) -> f64 {
    let size = length(along, across);
    if size > slip_max { slip_max / size } else { 1.0 }
}
