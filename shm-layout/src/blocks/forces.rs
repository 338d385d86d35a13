//! `/forces/`: what the subsystem models answer to `/kinematics/`.

use bytemuck::{Pod, Zeroable};

use crate::blocks::WHEELS_MAX;
use crate::{Layout, Stamp};

/// Forces and torques on one wheel carrier: of the road, of the brake and of the spinning wheel.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[repr(C)]
pub struct WheelForces {
    /// [N] [@frame E] [@range -1e6..1e6] [@invalid NaN] Force on the wheel carrier at the wheel's
    /// centre, x.
    pub force_x_n: f64,
    /// [N] [@frame E] [@range -1e6..1e6] [@invalid NaN] Force on the wheel carrier at the wheel's
    /// centre, y.
    pub force_y_n: f64,
    /// [N] [@frame E] [@range -1e6..1e6] [@invalid NaN] Force on the wheel carrier at the wheel's
    /// centre, z.
    pub force_z_n: f64,
    /// [Nm] [@frame E] [@range -1e6..1e6] [@invalid NaN] Torque on the wheel carrier about the
    /// wheel's centre, x.
    pub torque_x_nm: f64,
    /// [Nm] [@frame E] [@range -1e6..1e6] [@invalid NaN] Torque on the wheel carrier about the
    /// wheel's centre, y.
    pub torque_y_nm: f64,
    /// [Nm] [@frame E] [@range -1e6..1e6] [@invalid NaN] Torque on the wheel carrier about the
    /// wheel's centre, z.
    pub torque_z_nm: f64,
}

/// Forces and torques on the chassis and the wheels for one step.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[layout(count = "wheel_count", tail = "wheels")]
#[repr(C)]
pub struct Forces {
    /// When and for which step; the step is that of the kinematics which are answered.
    pub stamp: Stamp,
    /// [N] [@frame V] [@range -1e6..1e6] [@invalid NaN] Aerodynamic and other force at the
    /// vehicle's origin, x.
    pub body_force_x_n: f64,
    /// [N] [@frame V] [@range -1e6..1e6] [@invalid NaN] Aerodynamic and other force at the
    /// vehicle's origin, y.
    pub body_force_y_n: f64,
    /// [N] [@frame V] [@range -1e6..1e6] [@invalid NaN] Aerodynamic and other force at the
    /// vehicle's origin, z.
    pub body_force_z_n: f64,
    /// [Nm] [@frame V] [@range -1e6..1e6] [@invalid NaN] Aerodynamic and other torque on the body,
    /// x.
    pub body_torque_x_nm: f64,
    /// [Nm] [@frame V] [@range -1e6..1e6] [@invalid NaN] Aerodynamic and other torque on the body,
    /// y.
    pub body_torque_y_nm: f64,
    /// [Nm] [@frame V] [@range -1e6..1e6] [@invalid NaN] Aerodynamic and other torque on the body,
    /// z.
    pub body_torque_z_nm: f64,
    /// [m] [@frame V] [@range -1..1] [@invalid NaN] Displacement of the steering rack, positive to
    /// the left.
    pub rack_displacement_m: f64,
    /// [m/s] [@frame V] [@range -10..10] [@invalid NaN] Velocity of the steering rack, positive to
    /// the left.
    pub rack_velocity_m_s: f64,
    /// [m/s²] [@frame V] [@range -1000..1000] [@invalid NaN] Acceleration of the steering rack,
    /// positive to the left.
    pub rack_acceleration_m_s2: f64,
    /// [-] [@range 0..24] [@invalid 0] How many wheels are in use.
    pub wheel_count: u64,
    /// The wheels, in the order of `/kinematics/`.
    pub wheels: [WheelForces; WHEELS_MAX],
}

impl Default for Forces {
    fn default() -> Self {
        crate::payload::invalid()
    }
}
