//! Wheel spin and tyre deflection, together and in substeps.
//!
//! The stiff partners of wheel spin are slip, brake and driveline: with slip κ = ΔV/|V| the
//! eigenvalue grows without bound as V → 0. Here slip is a deflection of the contact patch (u
//! along, w across), which is well defined at rest: it holds a car on a slope, and lags at speed by
//! the relaxation length σ:
//! ```text
//! u̇ = R_e Ω − V_x − |V_x| u / σ_x,      κ' = (u + τ_x (R_e Ω − V_x)) / σ_x                       (1)
//! ẇ = V_y − |V_x| w / σ_y,              tan α' = (w + τ_y V_y) / σ_y                            (2)
//! J Ω̇ = T_drive + T_brake + T_roll − R_e F_x(κ', α', …)                                          (3)
//! ```
//! τ damps the patch near rest, so that a parked car does not ring, and is gone above a walking
//! pace; `patch.rs` says how large it is. (1) and (3) are advanced together by a linearly implicit
//! step, with the driveline's slope D and the slope C of F_x over κ':
//! ```text
//! u⁺ = (u + h (R_e Ω⁺ − V_x)) / (1 + h |V_x|/σ_x),     F_x⁺ = F_x + C (κ'⁺ − κ')                   (4)
//! (J/h + D + R_e C ∂κ'⁺/∂Ω⁺) ΔΩ = T_drive + T_brake + T_roll − R_e (F_x + C (κ'|_{ΔΩ=0} − κ'))     (5)
//! ```
//! Brake and rolling resistance are frictions: they hold a wheel exactly up to their capacity (see
//! [`solve`]).
//!
//! The lever of F_x is the rolling radius R_e, not the loaded one: then a wheel without slip passes
//! on all of its power, T Ω = F_x V_x. (The difference is the torque that the shift of the pressure
//! in the patch makes.)

mod advance;
mod patch;
pub mod solve;
mod wheel_step;

use crate::contact::Contact;
use crate::{WheelForces, WheelKinematics, WheelState, stateful};
pub use advance::{Rotation, RotationSetup};

/// State of one wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelSpin {
    /// Ω (rad/s), positive when rolling forward.
    pub spin_rad_s: f64,
    /// Angle that it has turned (rad).
    pub angle_rad: f64,
    /// u (m).
    pub along_m: f64,
    /// w (m).
    pub across_m: f64,
}

stateful!(WheelSpin, |it| it.spin_rad_s, it.angle_rad, it.along_m, it.across_m);

/// What acts on a wheel carrier, from the forces of its tyre.
///
/// A wheel is a rotor: the carrier has its mass and its inertia across the axle, and the wheel has
/// only its moment J about the axle a (see [`multibody::wheel_spin`]). With the torque M of the
/// road about the centre, there acts on the carrier
/// ```text
/// M − (M·a) a − T_brake a − J Ω ω × a
/// ```
/// The axle's part of M turns the wheel and not the carrier; a brake on the carrier passes its
/// torque on; the last term is gyroscopic.
#[must_use]
pub fn on_carrier(
    wheel: &WheelKinematics,
    contact: &Contact,
    forces: &WheelState,
    inertia_kg_m2: f64,
    spin_rad_s: f64,
) -> WheelForces {
    let force = contact.along * forces.longitudinal_force_n
        + contact.across * forces.lateral_force_n
        + contact.normal * forces.load_n;
    let road = contact.arm.cross(force)
        + contact.along * forces.overturning_torque_nm
        + contact.normal * forces.aligning_torque_nm;
    let across_axle = road - wheel.axle * road.dot(wheel.axle);
    let gyroscopic = wheel.carrier_rate_rad_s.cross(wheel.axle) * (inertia_kg_m2 * spin_rad_s);
    WheelForces { force_n: force, torque_nm: across_axle - wheel.axle * forces.brake_torque_nm - gyroscopic }
}
