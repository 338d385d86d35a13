//! `/vehicle/`: the vehicle's subsystems as a driver, a display or a motion platform sees them.

use bytemuck::{Pod, Zeroable};

use crate::blocks::{DriverInput, WHEELS_MAX};
use crate::{Layout, Stamp, Vector3};

/// Tyre and brake of one wheel; forces and torques are means over the step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable, Layout)]
#[repr(C)]
pub struct WheelState {
    /// [N] [@frame T] [@range 0..1e6] [@invalid NaN] Load on the tyre.
    pub load_n: f64,
    /// [N] [@frame T] [@range -1e6..1e6] [@invalid NaN] F_x: force of the road along the wheel.
    pub longitudinal_force_n: f64,
    /// [N] [@frame T] [@range -1e6..1e6] [@invalid NaN] F_y: force of the road across the wheel,
    /// positive to the left.
    pub lateral_force_n: f64,
    /// [Nm] [@frame T] [@range -1e6..1e6] [@invalid NaN] M_x: overturning torque of the road.
    pub overturning_torque_nm: f64,
    /// [Nm] [@frame T] [@range -1e6..1e6] [@invalid NaN] M_z: aligning torque of the road.
    pub aligning_torque_nm: f64,
    /// [Nm] [@frame W] [@range -1e5..1e5] [@invalid NaN] Torque of the rolling resistance on the
    /// wheel about its axle.
    pub rolling_torque_nm: f64,
    /// [Nm] [@frame W] [@range -1e5..1e5] [@invalid NaN] Torque of the brake on the wheel.
    pub brake_torque_nm: f64,
    /// [Nm] [@frame W] [@range -1e5..1e5] [@invalid NaN] Torque of the drive shaft on the wheel.
    pub drive_torque_nm: f64,
    /// [-] [@frame T] [@range -10..10] [@invalid NaN] Longitudinal slip, positive when driving.
    pub slip_ratio: f64,
    /// [rad] [@frame T] [@range -1.6..1.6] [@invalid NaN] Slip angle.
    pub slip_angle_rad: f64,
    /// [rad] [@frame T] [@range -1.6..1.6] [@invalid NaN] Camber to the road.
    pub camber_rad: f64,
    /// [-] [@frame T] [@range 0..2] [@invalid NaN] Friction of the road at the contact, as a factor
    /// on that of the tyre's file.
    pub friction: f64,
    /// [m] [@frame T] [@range -1e6..1] [@invalid NaN] Deflection of the tyre, negative in the air.
    pub deflection_m: f64,
    /// [rad] [@frame W] [@range -1e9..1e9] [@invalid NaN] Rotation about the axle, positive when
    /// rolling forward.
    pub spin_angle_rad: f64,
    /// [rad/s] [@frame W] [@range -1000..1000] [@invalid NaN] Speed about the axle, positive when
    /// rolling forward.
    pub spin_rate_rad_s: f64,
}

/// The vehicle's subsystems as a driver or a display sees them.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, Layout)]
#[layout(count = "wheel_count", tail = "wheels")]
#[repr(C)]
pub struct VehicleState {
    /// When and for which step.
    pub stamp: Stamp,
    /// What the driver did, as the models used it; its stamp says which sample that was.
    pub input: DriverInput,
    /// [rad/s] [@range -200..2000] [@invalid NaN] Speed of the engine.
    pub engine_speed_rad_s: f64,
    /// [Nm] [@range -5000..5000] [@invalid NaN] Torque of the engine.
    pub engine_torque_nm: f64,
    /// [-] [@range -1..12] [@invalid -128] Gear that is engaged: -1 reverse, 0 neutral.
    pub gear: i64,
    /// [Nm] [@range -100..100] [@invalid NaN] Torque of the steering wheel on the driver's hands,
    /// positive turns it to the left.
    pub steering_feedback_nm: f64,
    /// [-] [@range 0..1] [@invalid NaN] How far the anti-lock system is taking brake pressure away.
    pub antilock_ratio: f64,
    /// [m/s] [@frame E] [@range -100..100] [@invalid NaN] Wind at the vehicle.
    pub wind_m_s: Vector3,
    /// [N] [@frame V] [@range -1e6..1e6] [@invalid NaN] Force of the air at the vehicle's origin.
    pub air_force_n: Vector3,
    /// [-] [@range 0..1] [@invalid 0] 1 in the safe stop: the driver's data is too old, and the
    /// vehicle brakes.
    pub safe_stop: u64,
    /// [-] [@range 0..1] [@invalid 0] 1 when the manoeuvre is over: the vehicle brakes and stands.
    pub manoeuvre_over: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Answers of replaced subsystems that did
    /// not come in time.
    pub external_misses: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Times that a tyre carried a load outside
    /// the range for which its file was fitted.
    pub loads_outside: u64,
    /// [-] [@range 0..24] [@invalid 0] How many wheels are in use.
    pub wheel_count: u64,
    /// The wheels, in the order of `/kinematics/`.
    pub wheels: [WheelState; WHEELS_MAX],
}
