//! `/external_…/`: what a process of the user's supplies instead of one of our subsystem models.
//!
//! The vehicle's file says which subsystem is `"external"`. Its block then carries, for the step of
//! `/kinematics/`, what that subsystem would have answered; the other fields are not read.

use bytemuck::{Pod, Zeroable};

use crate::blocks::{SteeringMotion, WHEELS_MAX};
use crate::{Layout, Stamp, Vector3};

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
    /// [N] [@frame V] [@range -1e6..1e6] [@invalid NaN] Force at the vehicle's origin
    /// (aerodynamics).
    pub body_force_n: Vector3,
    /// [Nm] [@frame V] [@range -1e6..1e6] [@invalid NaN] Torque on the body (aerodynamics).
    pub body_torque_nm: Vector3,
    /// What steers the vehicle, at the end of the step (steering).
    pub steering: SteeringMotion,
    /// [-] [@range 0..24] [@invalid 0] How many wheels are in use.
    pub wheel_count: u64,
    /// The wheels, in the order of `/kinematics/`.
    pub wheels: [ExternalWheel; WHEELS_MAX],
}
