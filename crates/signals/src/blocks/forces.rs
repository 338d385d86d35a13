//! `/forces/`: what the subsystem models answer to `/kinematics/`.

use bytemuck::{Pod, Zeroable};

use crate::blocks::{SteeringMotion, WHEELS_MAX};
use crate::{Layout, Stamp, Vector3};

/// Force and torque on one wheel carrier: of the road, of the brake and of the spinning wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable, Layout)]
#[repr(C)]
pub struct WheelForces {
    /// [N] [@frame E] [@range -1e6..1e6] [@invalid NaN] Force on the wheel carrier at the wheel's
    /// centre.
    pub force_n: Vector3,
    /// [Nm] [@frame E] [@range -1e6..1e6] [@invalid NaN] Torque on the wheel carrier about the
    /// wheel's centre.
    pub torque_nm: Vector3,
}

/// What acts on the vehicle during one step, held constant.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, Layout)]
#[layout(count = "wheel_count", tail = "wheels")]
#[repr(C)]
pub struct Forces {
    /// When and for which step; the step is that of the kinematics which are answered.
    pub stamp: Stamp,
    /// [N] [@frame V] [@range -1e6..1e6] [@invalid NaN] Force of the air at the vehicle's origin.
    pub body_force_n: Vector3,
    /// [Nm] [@frame V] [@range -1e6..1e6] [@invalid NaN] Torque of the air and of the driveline on
    /// the body.
    pub body_torque_nm: Vector3,
    /// What steers the vehicle, at the end of the step.
    pub steering: SteeringMotion,
    /// [-] [@range 0..24] [@invalid 0] How many wheels are in use.
    pub wheel_count: u64,
    /// The wheels, in the order of `/kinematics/`.
    pub wheels: [WheelForces; WHEELS_MAX],
}
