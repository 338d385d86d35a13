//! What the equations of both versions have in common: the state at which they are evaluated, and
//! the torques M_x and M_y.

use super::coefficients::{Coefficients, Scaling};
use super::shape::{Wave, exponential};
use super::vertical::Vertical;
use crate::tyre::functions::{arctangents, sine};

/// Where the formula is evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition {
    /// F_z (N).
    pub fz: f64,
    /// df_z = (F_z − F'_z0) / F'_z0
    pub dfz: f64,
    /// F'_z0 = λ_Fz0 F_z0 (N).
    pub fz0: f64,
    pub kappa: f64,
    /// The slip angle as the version takes it: α in 5.2, tan α in 6.1.
    pub alpha: f64,
    /// The camber as the version takes it in most places: γ in 5.2, sin γ in 6.1.
    pub gamma: f64,
    /// γ (rad).
    pub camber: f64,
    pub cos_alpha: f64,
    /// λ_μ with the road's friction.
    pub lmux: f64,
    pub lmuy: f64,
    /// V_x / V_0
    pub speed_part: f64,
}

/// The load and its change for a version's scaling.
#[inline]
pub(super) fn load_change(load_n: f64, nominal_n: f64, scale: &Scaling) -> (f64, f64) {
    let fz0 = nominal_n * scale.lfzo;
    (fz0, (load_n - fz0) / fz0)
}

/// Curvature factors are at most 1.
#[inline]
pub(super) fn at_most_one(e: f64) -> f64 {
    e.min(1.0)
}

/// Longitudinal slip stiffness K_xκ without pressure (4.E15).
#[inline]
pub(super) fn slip_stiffness(c: &Coefficients, fz: f64, dfz: f64) -> f64 {
    let x = &c.x;
    fz * (x.pkx1 + x.pkx2 * dfz) * exponential(x.pkx3 * dfz) * c.scale.lkx
}

/// The wave of M_x that depends on the load alone: cos(q_sx5 arctan((q_sx6 F_z/F_z0)²)).
#[inline]
pub(super) fn overturning_wave(c: &Coefficients, at: &Condition, tyre: &Vertical) -> Wave {
    let load = c.overturning.qsx6 * at.fz / tyre.nominal_load_n;
    Wave::cosine(c.overturning.qsx5, 0.0, load * load)
}

/// Overturning torque M_x (Nm), with the value of its wave: Besselink, Schmeitz, Pacejka (2010),
/// eq. (49), which holds MF 5.2 as a special case.
#[inline]
pub(super) fn overturning(c: &Coefficients, at: &Condition, tyre: &Vertical, fy: f64, pressure: f64, wave: f64) -> f64 {
    let (q, gamma) = (&c.overturning, at.camber);
    let (fz_part, fy_part) = (at.fz / tyre.nominal_load_n, fy / tyre.nominal_load_n);
    let mut sum = q.qsx1 * c.scale.lvmx - q.qsx2 * gamma * (1.0 + q.ppmx1 * pressure) + q.qsx3 * fy_part;
    if q.qsx4 != 0.0 || q.qsx10 != 0.0 {
        let [side, load] = arctangents(&[q.qsx9 * fy_part, q.qsx11 * fz_part]);
        sum += q.qsx4 * wave * sine(q.qsx7 * gamma + q.qsx8 * side) + q.qsx10 * load * gamma;
    }
    let direct = fy * (q.qsx13 + q.qsx14 * gamma.abs()) - at.fz * q.qsx12 * gamma * gamma.abs();
    tyre.radius_m * c.scale.lmx * (at.fz * sum + direct)
}

/// The bracket of rolling resistance that both versions share: q_sy1 + q_sy2 F_x/F_z0 + q_sy3
/// |V/V_0| + q_sy4 (V/V_0)⁴.
#[inline]
pub(super) fn rolling_bracket(c: &Coefficients, at: &Condition, tyre: &Vertical, fx: f64) -> f64 {
    let q = &c.rolling;
    let square = at.speed_part * at.speed_part;
    q.qsy1 + q.qsy2 * fx / tyre.nominal_load_n + q.qsy3 * at.speed_part + q.qsy4 * square * square
}
