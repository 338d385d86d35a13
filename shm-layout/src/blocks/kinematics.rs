//! `/kinematics/`: where the chassis and the wheels are and how they move. It is what the subsystem
//! models answer to.

use bytemuck::{Pod, Zeroable};

use crate::{Layout, Stamp};

/// Most wheels of a vehicle.
pub const WHEELS_MAX: usize = 24;

/// Motion of one wheel's centre and of its carrier; its spin is in `/vehicle/`, whose models
/// integrate it.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[repr(C)]
pub struct WheelKinematics {
    /// [m] [@frame E] [@range -1e6..1e6] [@invalid NaN] Position of the wheel's centre, x.
    pub position_x_m: f64,
    /// [m] [@frame E] [@range -1e6..1e6] [@invalid NaN] Position of the wheel's centre, y.
    pub position_y_m: f64,
    /// [m] [@frame E] [@range -1e6..1e6] [@invalid NaN] Position of the wheel's centre, z.
    pub position_z_m: f64,
    /// [m/s] [@frame E] [@range -300..300] [@invalid NaN] Velocity of the wheel's centre, x.
    pub velocity_x_m_s: f64,
    /// [m/s] [@frame E] [@range -300..300] [@invalid NaN] Velocity of the wheel's centre, y.
    pub velocity_y_m_s: f64,
    /// [m/s] [@frame E] [@range -300..300] [@invalid NaN] Velocity of the wheel's centre, z.
    pub velocity_z_m_s: f64,
    /// [-] [@frame E] [@range -1..1] [@invalid NaN] Unit vector of the axle, pointing left, x.
    pub axle_x: f64,
    /// [-] [@frame E] [@range -1..1] [@invalid NaN] Unit vector of the axle, pointing left, y.
    pub axle_y: f64,
    /// [-] [@frame E] [@range -1..1] [@invalid NaN] Unit vector of the axle, pointing left, z.
    pub axle_z: f64,
    /// [rad/s] [@frame E] [@range -100..100] [@invalid NaN] Angular velocity of the wheel carrier,
    /// x.
    pub carrier_rate_x_rad_s: f64,
    /// [rad/s] [@frame E] [@range -100..100] [@invalid NaN] Angular velocity of the wheel carrier,
    /// y.
    pub carrier_rate_y_rad_s: f64,
    /// [rad/s] [@frame E] [@range -100..100] [@invalid NaN] Angular velocity of the wheel carrier,
    /// z.
    pub carrier_rate_z_rad_s: f64,
}

/// Motion of the chassis and the wheels.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[layout(count = "wheel_count", tail = "wheels")]
#[repr(C)]
pub struct Kinematics {
    /// When and for which step.
    pub stamp: Stamp,
    /// [s] [@range 0..1e12] [@invalid NaN] Simulated time.
    pub time_s: f64,
    /// [m] [@frame E] [@range -1e6..1e6] [@invalid NaN] Position of the vehicle's origin, x.
    pub position_x_m: f64,
    /// [m] [@frame E] [@range -1e6..1e6] [@invalid NaN] Position of the vehicle's origin, y.
    pub position_y_m: f64,
    /// [m] [@frame E] [@range -1e6..1e6] [@invalid NaN] Position of the vehicle's origin, z.
    pub position_z_m: f64,
    /// [-] [@frame E] [@range -1..1] [@invalid NaN] Orientation of the vehicle, quaternion from V
    /// to E, scalar part.
    pub orientation_w: f64,
    /// [-] [@frame E] [@range -1..1] [@invalid NaN] Orientation of the vehicle, quaternion, x.
    pub orientation_x: f64,
    /// [-] [@frame E] [@range -1..1] [@invalid NaN] Orientation of the vehicle, quaternion, y.
    pub orientation_y: f64,
    /// [-] [@frame E] [@range -1..1] [@invalid NaN] Orientation of the vehicle, quaternion, z.
    pub orientation_z: f64,
    /// [m/s] [@frame V] [@range -300..300] [@invalid NaN] Velocity of the vehicle's origin, x.
    pub velocity_x_m_s: f64,
    /// [m/s] [@frame V] [@range -300..300] [@invalid NaN] Velocity of the vehicle's origin, y.
    pub velocity_y_m_s: f64,
    /// [m/s] [@frame V] [@range -300..300] [@invalid NaN] Velocity of the vehicle's origin, z.
    pub velocity_z_m_s: f64,
    /// [rad/s] [@frame V] [@range -100..100] [@invalid NaN] Angular velocity of the vehicle, x
    /// (roll rate).
    pub rate_x_rad_s: f64,
    /// [rad/s] [@frame V] [@range -100..100] [@invalid NaN] Angular velocity of the vehicle, y
    /// (pitch rate).
    pub rate_y_rad_s: f64,
    /// [rad/s] [@frame V] [@range -100..100] [@invalid NaN] Angular velocity of the vehicle, z (yaw
    /// rate).
    pub rate_z_rad_s: f64,
    /// [m/s²] [@frame V] [@range -1000..1000] [@invalid NaN] Acceleration of the vehicle's origin,
    /// x.
    pub acceleration_x_m_s2: f64,
    /// [m/s²] [@frame V] [@range -1000..1000] [@invalid NaN] Acceleration of the vehicle's origin,
    /// y.
    pub acceleration_y_m_s2: f64,
    /// [m/s²] [@frame V] [@range -1000..1000] [@invalid NaN] Acceleration of the vehicle's origin,
    /// z.
    pub acceleration_z_m_s2: f64,
    /// [N] [@frame V] [@range -1e6..1e6] [@invalid NaN] Force of the linkage on the driven rack,
    /// positive to the left.
    pub rack_force_n: f64,
    /// [-] [@range 0..24] [@invalid 0] How many wheels are in use.
    pub wheel_count: u64,
    /// The wheels, front left, front right, and so on backwards.
    pub wheels: [WheelKinematics; WHEELS_MAX],
}

impl Default for Kinematics {
    fn default() -> Self {
        crate::payload::invalid()
    }
}
