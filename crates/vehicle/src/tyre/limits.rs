//! What every model does to its inputs first, so that every finite input gives finite forces.
//!
//! The limits are far outside of what a tyre can do: a slip of a million is a wheel that spins in
//! place. They only keep squares and exponentials of absurd inputs from overflowing.

use super::{Relaxation, Slip};

/// Largest slip, longitudinal and lateral.
pub(super) const SLIP_MAX: f64 = 1.0e6;
/// Largest load (N).
pub(super) const LOAD_MAX_N: f64 = 1.0e9;
/// Largest camber (rad): the wheel lies almost flat.
const CAMBER_MAX_RAD: f64 = 1.5;
/// Largest friction factor.
const FRICTION_MAX: f64 = 10.0;
/// Largest speed (m/s).
const SPEED_MAX_M_S: f64 = 1.0e3;
/// Largest spin rate (rad/s).
const SPIN_MAX_RAD_S: f64 = 1.0e4;
/// Shortest and longest relaxation length (m).
const RELAXATION_M: (f64, f64) = (1.0e-3, 10.0);
/// Speed (m/s) below which rolling resistance fades, so that a tyre at rest makes none.
const ROLLING_FADE_M_S: f64 = 0.5;

/// The same slip within limits.
#[inline]
pub(super) fn bounded(slip: &Slip) -> Slip {
    Slip {
        load_n: bounded_load_n(slip.load_n),
        longitudinal: slip.longitudinal.clamp(-SLIP_MAX, SLIP_MAX),
        lateral: slip.lateral.clamp(-SLIP_MAX, SLIP_MAX),
        camber_rad: bounded_camber_rad(slip.camber_rad),
        friction: slip.friction.clamp(0.0, FRICTION_MAX),
        speed_m_s: slip.speed_m_s.abs().min(SPEED_MAX_M_S),
    }
}

/// The same load within limits (N).
#[inline]
pub(super) fn bounded_load_n(load_n: f64) -> f64 {
    load_n.clamp(0.0, LOAD_MAX_N)
}

/// The same camber within limits (rad).
#[inline]
pub(super) fn bounded_camber_rad(camber_rad: f64) -> f64 {
    camber_rad.clamp(-CAMBER_MAX_RAD, CAMBER_MAX_RAD)
}

/// The size of a spin rate within limits (rad/s).
#[inline]
pub(super) fn bounded_spin_rad_s(spin_rad_s: f64) -> f64 {
    spin_rad_s.abs().min(SPIN_MAX_RAD_S)
}

impl Relaxation {
    /// The same lengths within limits.
    #[inline]
    pub(super) fn bounded(longitudinal_m: f64, lateral_m: f64) -> Self {
        let [longitudinal_m, lateral_m] =
            [longitudinal_m, lateral_m].map(|it| it.clamp(RELAXATION_M.0, RELAXATION_M.1));
        Self { longitudinal_m, lateral_m }
    }
}

/// Part of the rolling resistance that acts at a speed: 0 at rest, 1 from half a metre per second
/// on, smooth between.
#[inline]
pub(super) fn rolling_part(speed_m_s: f64) -> f64 {
    let part = (speed_m_s / ROLLING_FADE_M_S).min(1.0);
    part * (2.0 - part)
}
