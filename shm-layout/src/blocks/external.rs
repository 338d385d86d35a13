//! `/external_…/`: what a process of the user's supplies instead of one of our subsystem models.
//!
//! The vehicle's file says which subsystem is `"external"`. Its block then carries, for the step of
//! `/kinematics/`, what that subsystem would have answered; the other fields are not read.

use bytemuck::{Pod, Zeroable};

use crate::blocks::WHEELS_MAX;
use crate::{Layout, Stamp};

/// What an external subsystem does to one wheel.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[repr(C)]
pub struct ExternalWheel {
    /// [Nm] [@frame W] [@range -1e5..1e5] [@invalid NaN] Torque of the drive shaft on the wheel
    /// (powertrain).
    pub drive_torque_nm: f64,
    /// [Nm] [@frame W] [@range 0..1e5] [@invalid NaN] Largest torque that the brake can hold about
    /// the axle (brake).
    pub brake_torque_nm: f64,
}

/// The answer of an external subsystem.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[layout(count = "wheel_count", tail = "wheels")]
#[repr(C)]
pub struct External {
    /// When and for which step; the step is that of the kinematics which are answered.
    pub stamp: Stamp,
    /// [N] [@frame V] [@range -1e6..1e6] [@invalid NaN] Force at the vehicle's origin, x
    /// (aerodynamics).
    pub body_force_x_n: f64,
    /// [N] [@frame V] [@range -1e6..1e6] [@invalid NaN] Force at the vehicle's origin, y
    /// (aerodynamics).
    pub body_force_y_n: f64,
    /// [N] [@frame V] [@range -1e6..1e6] [@invalid NaN] Force at the vehicle's origin, z
    /// (aerodynamics).
    pub body_force_z_n: f64,
    /// [Nm] [@frame V] [@range -1e6..1e6] [@invalid NaN] Torque on the body, x (aerodynamics).
    pub body_torque_x_nm: f64,
    /// [Nm] [@frame V] [@range -1e6..1e6] [@invalid NaN] Torque on the body, y (aerodynamics).
    pub body_torque_y_nm: f64,
    /// [Nm] [@frame V] [@range -1e6..1e6] [@invalid NaN] Torque on the body, z (aerodynamics).
    pub body_torque_z_nm: f64,
    /// [m] [@frame V] [@range -1..1] [@invalid NaN] Displacement of the rack at the end of the
    /// step, positive to the left (steering).
    pub rack_displacement_m: f64,
    /// [m/s] [@frame V] [@range -10..10] [@invalid NaN] Velocity of the rack (steering).
    pub rack_velocity_m_s: f64,
    /// [m/s²] [@frame V] [@range -1000..1000] [@invalid NaN] Acceleration of the rack (steering).
    pub rack_acceleration_m_s2: f64,
    /// [-] [@range 0..24] [@invalid 0] How many wheels are in use.
    pub wheel_count: u64,
    /// The wheels, in the order of `/kinematics/`.
    pub wheels: [ExternalWheel; WHEELS_MAX],
}

impl Default for External {
    fn default() -> Self {
        crate::payload::invalid()
    }
}
