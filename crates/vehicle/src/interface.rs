//! What passes between the mechanism, the subsystems and the driver in one step.
//!
//! Frames: E is the earth (z up); V is fixed in the vehicle (x forward, y left, z up). Wheels are
//! counted front left, front right, and so on backwards.

use multibody::math::{Quaternion, Vector3};

/// Most wheels of a vehicle.
pub const WHEELS_MAX: usize = 24;

/// Motion of one wheel's centre and of its carrier; the wheel's own spin belongs to the subsystems.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelMotion {
    /// Position of the wheel's centre in E (m).
    pub centre: Vector3,
    /// Velocity of the wheel's centre in E (m/s).
    pub velocity: Vector3,
    /// Unit vector of the axle in E, pointing left.
    pub axle: Vector3,
    /// Angular velocity of the carrier in E (rad/s).
    pub carrier_rate: Vector3,
}

/// Where the vehicle is and how it moves, at the beginning of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Simulated time (s).
    pub time_s: f64,
    /// Position of the vehicle's origin in E (m).
    pub position: Vector3,
    /// Orientation: turns V into E.
    pub orientation: Quaternion,
    /// Velocity of the origin in V (m/s).
    pub velocity: Vector3,
    /// Angular velocity in V (rad/s).
    pub rate: Vector3,
    /// Acceleration of the origin in V, without gravity (m/s²).
    pub acceleration: Vector3,
    /// Force that the steering linkage puts on the driven rack, positive to the left (N); Nm where
    /// the wheels are steered by an angle.
    pub rack_force_n: f64,
    /// How many wheels are in use.
    pub wheel_count: usize,
    /// The wheels.
    pub wheels: [WheelMotion; WHEELS_MAX],
}

impl Default for Motion {
    fn default() -> Self {
        Self {
            time_s: 0.0,
            position: Vector3::ZERO,
            orientation: Quaternion::IDENTITY,
            velocity: Vector3::ZERO,
            rate: Vector3::ZERO,
            acceleration: Vector3::ZERO,
            rack_force_n: 0.0,
            wheel_count: 0,
            wheels: [WheelMotion::default(); WHEELS_MAX],
        }
    }
}

impl Motion {
    /// Heading about the vertical, positive to the left (rad).
    #[must_use]
    pub fn yaw_rad(&self) -> f64 {
        let forward = self.orientation.rotate(Vector3::AXES[0]);
        forward.y.atan2(forward.x)
    }

    /// Pitch, positive nose down (rad).
    #[must_use]
    pub fn pitch_rad(&self) -> f64 {
        (-self.orientation.rotate(Vector3::AXES[0]).z).clamp(-1.0, 1.0).asin()
    }

    /// Roll, positive when leaning to the right (rad).
    #[must_use]
    pub fn roll_rad(&self) -> f64 {
        let (left, up) =
            (self.orientation.rotate(Vector3::AXES[1]).z, self.orientation.rotate(Vector3::AXES[2]).z);
        left.atan2(up)
    }
}

/// What the driver does during a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Input {
    /// Steering-wheel angle, positive to the left (rad).
    pub steering_angle_rad: f64,
    /// Its rate (rad/s).
    pub steering_rate_rad_s: f64,
    /// Its acceleration (rad/s²).
    pub steering_acceleration_rad_s2: f64,
    /// The rack itself, where a manoeuvre moves it; it then counts instead of the steering wheel,
    /// and the steering system is bypassed.
    pub rack: Option<Rack>,
    /// Throttle pedal, 0 to 1.
    pub throttle: f64,
    /// Brake pedal, 0 to 1.
    pub brake: f64,
    /// Brake line pressure (bar) where it is measured; it then counts instead of the pedal.
    pub brake_pressure_bar: Option<f64>,
    /// Clutch pedal, 0 to 1, 1 = fully pressed.
    pub clutch: f64,
    /// Gear asked for: -1 reverse, 0 neutral, 1 and up; `None` leaves the choice to the gearbox
    /// (drive).
    pub gear: Option<i32>,
    /// Wind in E (m/s).
    pub wind: Vector3,
}

impl Default for Input {
    fn default() -> Self {
        Self {
            steering_angle_rad: 0.0,
            steering_rate_rad_s: 0.0,
            steering_acceleration_rad_s2: 0.0,
            rack: None,
            throttle: 0.0,
            brake: 0.0,
            brake_pressure_bar: None,
            clutch: 0.0,
            gear: None,
            wind: Vector3::ZERO,
        }
    }
}

/// Displacement of the steering rack (m), positive to the left, with its derivatives; rad where the
/// wheels are steered by an angle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rack {
    /// Displacement (m or rad).
    pub displacement: f64,
    /// Its rate.
    pub velocity: f64,
    /// Its acceleration.
    pub acceleration: f64,
}

/// What acts on one wheel carrier during a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelResponse {
    /// Force at the wheel's centre in E (N).
    pub force: Vector3,
    /// Torque on the carrier about the wheel's centre in E (Nm): of the road, of the brake and of
    /// the spinning wheel.
    pub torque: Vector3,
}

/// What the subsystems answer to a motion: held constant during the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response {
    /// Force of the air at the vehicle's origin in V (N).
    pub body_force: Vector3,
    /// Torque of the air and of the driveline on the body in V (Nm).
    pub body_torque: Vector3,
    /// The rack at the end of the step.
    pub rack: Rack,
    /// How many wheels are in use.
    pub wheel_count: usize,
    /// The wheels.
    pub wheels: [WheelResponse; WHEELS_MAX],
}

impl Default for Response {
    fn default() -> Self {
        Self {
            body_force: Vector3::ZERO,
            body_torque: Vector3::ZERO,
            rack: Rack::default(),
            wheel_count: 0,
            wheels: [WheelResponse::default(); WHEELS_MAX],
        }
    }
}
