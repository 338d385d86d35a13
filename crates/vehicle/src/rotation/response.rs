//! From the forces of a tyre to what its wheel carrier feels.
//!
//! A wheel is a rotor: the carrier has its mass and its inertia across the axle, and the wheel has
//! only its moment J about the axle a (see [`multibody::wheel_spin`]). With the torque M of the
//! road about the centre, the carrier feels
//! ```text
//! M − (M·a) a − T_brake a − J Ω ω × a
//! ```
//! The axle's part of M turns the wheel and not the carrier; a brake on the carrier passes its
//! torque on; the last term is gyroscopic.

use crate::contact::Contact;
use crate::{WheelMotion, WheelResponse};

/// Mean forces on one wheel over a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelForces {
    /// Load (N).
    pub load_n: f64,
    /// F_x (N).
    pub longitudinal_n: f64,
    /// F_y (N).
    pub lateral_n: f64,
    /// M_x (Nm).
    pub overturning_nm: f64,
    /// M_z (Nm).
    pub aligning_nm: f64,
    /// Torque of the rolling resistance on the wheel about its axle (Nm).
    pub rolling_nm: f64,
    /// Torque of the brake on the wheel about its axle (Nm).
    pub brake_nm: f64,
    /// Torque of the drive shaft on the wheel (Nm).
    pub drive_nm: f64,
    /// κ' at the last substep.
    pub slip_ratio: f64,
    /// tan α' at the last substep.
    pub slip_tangent: f64,
}

/// What the carrier feels.
#[must_use]
pub fn on_carrier(
    wheel: &WheelMotion,
    contact: &Contact,
    forces: &WheelForces,
    inertia_kg_m2: f64,
    spin_rad_s: f64,
) -> WheelResponse {
    let force = contact.along * forces.longitudinal_n
        + contact.across * forces.lateral_n
        + contact.normal * forces.load_n;
    let road = contact.arm.cross(force)
        + contact.along * forces.overturning_nm
        + contact.normal * forces.aligning_nm;
    let across_axle = road - wheel.axle * road.dot(wheel.axle);
    let gyroscopic = wheel.carrier_rate.cross(wheel.axle) * (inertia_kg_m2 * spin_rad_s);
    WheelResponse { force, torque: across_axle - wheel.axle * forces.brake_nm - gyroscopic }
}

impl WheelForces {
    /// α (rad).
    #[must_use]
    pub fn slip_angle_rad(&self) -> f64 {
        self.slip_tangent.atan()
    }
}
