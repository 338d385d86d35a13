//! `/kinematics/`: where the vehicle and its wheels are and how they move. It is what the subsystem
//! models answer to.

use bytemuck::{Pod, Zeroable};

use crate::blocks::SteeredBy;
use crate::{Layout, Quaternion, Stamp, Vector3};

/// Most wheels of a vehicle.
pub const WHEELS_MAX: usize = 24;

/// Motion of one wheel's centre and of its carrier; its spin is in `/vehicle/`, whose models
/// integrate it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable, Layout)]
#[repr(C)]
pub struct WheelKinematics {
    /// [m] [@frame E] [@range -1e6..1e6] [@invalid NaN] Position of the wheel's centre.
    pub position_m: Vector3,
    /// [m/s] [@frame E] [@range -300..300] [@invalid NaN] Velocity of the wheel's centre.
    pub velocity_m_s: Vector3,
    /// [-] [@frame E] [@range -1..1] [@invalid NaN] Unit vector of the axle, pointing left.
    pub axle: Vector3,
    /// [rad/s] [@frame E] [@range -100..100] [@invalid NaN] Angular velocity of the wheel carrier.
    pub carrier_rate_rad_s: Vector3,
}

/// Where the vehicle is and how it moves, at the beginning of a step.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, Layout)]
#[layout(count = "wheel_count", tail = "wheels")]
#[repr(C)]
pub struct Kinematics {
    /// When and for which step.
    pub stamp: Stamp,
    /// [s] [@range 0..1e12] [@invalid NaN] Simulated time.
    pub time_s: f64,
    /// [-] [@range 0..18446744073709551615] [@invalid 18446744073709551615] What the last step
    /// reported; 0 = all is well.
    pub status: u64,
    /// [m] [@frame E] [@range -1e6..1e6] [@invalid NaN] Position of the vehicle's origin.
    pub position_m: Vector3,
    /// [-] [@frame E] [@range -1..1] [@invalid NaN] Orientation of the vehicle, quaternion from V
    /// to E.
    pub orientation: Quaternion,
    /// [m/s] [@frame V] [@range -300..300] [@invalid NaN] Velocity of the vehicle's origin.
    pub velocity_m_s: Vector3,
    /// [rad/s] [@frame V] [@range -100..100] [@invalid NaN] Angular velocity of the vehicle: roll,
    /// pitch and yaw rate.
    pub rate_rad_s: Vector3,
    /// [m/s²] [@frame V] [@range -1000..1000] [@invalid NaN] Acceleration of the vehicle's origin,
    /// without gravity.
    pub acceleration_m_s2: Vector3,
    /// [N] [@frame V] [@range -1e6..1e6] [@invalid NaN] Force of the linkage on the driven rack,
    /// positive to the left; not known where the wheels are steered by an angle.
    pub rack_force_n: f64,
    /// [Nm] [@frame V] [@range -1e6..1e6] [@invalid NaN] Torque of the wheels against the angle
    /// that steers them, positive to the left; not known where a rack steers.
    pub steer_torque_nm: f64,
    /// [-] [@range 0..24] [@invalid 0] How many wheels are in use.
    pub wheel_count: u64,
    /// The wheels, front left, front right, and so on backwards.
    pub wheels: [WheelKinematics; WHEELS_MAX],
}

impl Kinematics {
    /// What the linkage does to that which steers the vehicle (N or Nm); zero before it is known.
    #[inline]
    pub fn steering_load(&self, by: SteeredBy) -> f64 {
        let load = match by {
            SteeredBy::Rack => self.rack_force_n,
            SteeredBy::Angle => self.steer_torque_nm,
        };
        if load.is_finite() { load } else { 0.0 }
    }

    /// Heading about the vertical, positive to the left (rad).
    pub fn yaw_rad(&self) -> f64 {
        let forward = self.orientation.rotate(Vector3::AXES[0]);
        forward.y.atan2(forward.x)
    }

    /// Pitch, positive nose down (rad).
    pub fn pitch_rad(&self) -> f64 {
        (-self.orientation.rotate(Vector3::AXES[0]).z).clamp(-1.0, 1.0).asin()
    }

    /// Roll, positive when leaning to the right (rad).
    pub fn roll_rad(&self) -> f64 {
        let [left, up] = [1, 2].map(|axis| self.orientation.rotate(Vector3::AXES[axis]).z);
        left.atan2(up)
    }
}
