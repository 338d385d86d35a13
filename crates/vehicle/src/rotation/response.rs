//! From the forces of a tyre to what acts on its wheel carrier.
//!
//! A wheel is a rotor: the carrier has its mass and its inertia across the axle, and the wheel has
//! only its moment J about the axle a (see [`multibody::wheel_spin`]). With the torque M of the
//! road about the centre, there acts on the carrier
//! ```text
//! M − (M·a) a − T_brake a − J Ω ω × a
//! ```
//! The axle's part of M turns the wheel and not the carrier; a brake on the carrier passes its
//! torque on; the last term is gyroscopic.

use crate::contact::Contact;
use crate::{WheelForces, WheelKinematics, WheelState};

/// What acts on the carrier.
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
