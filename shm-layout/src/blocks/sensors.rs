//! `/sensors/`: what the sensors of the car measure, in SI units and vehicle axes.

use bytemuck::{Pod, Zeroable};

use crate::blocks::WHEELS_MAX;
use crate::{Layout, Stamp};

/// Tri-axial accelerometers on the body.
pub const ACCELEROMETERS: usize = 4;
/// Most further channels.
pub const CHANNELS_MAX: usize = 64;

/// One tri-axial accelerometer.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[repr(C)]
pub struct Accelerometer {
    /// [m/s²] [@frame V] [@range -200..200] [@invalid NaN] Specific force along x.
    pub x_m_s2: f64,
    /// [m/s²] [@frame V] [@range -200..200] [@invalid NaN] Specific force along y.
    pub y_m_s2: f64,
    /// [m/s²] [@frame V] [@range -200..200] [@invalid NaN] Specific force along z.
    pub z_m_s2: f64,
}

/// What the sensors of the car measure.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[layout(count = "channel_count", tail = "channels")]
#[repr(C)]
pub struct Sensors {
    /// When and for which step.
    pub stamp: Stamp,
    /// The accelerometers of the body.
    pub accelerometers: [Accelerometer; ACCELEROMETERS],
    /// [rad/s] [@frame V] [@range -10..10] [@invalid NaN] Yaw rate, positive to the left.
    pub yaw_rate_rad_s: f64,
    /// [m/s] [@frame V] [@range -100..100] [@invalid NaN] Forward speed from the Hall sensor.
    pub speed_m_s: f64,
    /// [rad/s] [@frame W] [@range -500..500] [@invalid NaN] Wheel speeds, positive when rolling
    /// forward.
    pub wheel_speed_rad_s: [f64; WHEELS_MAX],
    /// [ns] [@range 0..18446744073709551615] [@invalid 18446744073709551615] Age at publication:
    /// from the oldest number's sample to `publish_ns`.
    pub age_ns: u64,
    /// [-] [@range 0..64] [@invalid 0] How many further channels are in use.
    pub channel_count: u64,
    /// [-] [@range -1e308..1e308] [@invalid NaN] Further channels, in the units and the order of
    /// the configuration.
    pub channels: [f64; CHANNELS_MAX],
}

impl Default for Sensors {
    fn default() -> Self {
        let unknown = Accelerometer { x_m_s2: f64::NAN, y_m_s2: f64::NAN, z_m_s2: f64::NAN };
        Self {
            accelerometers: [unknown; ACCELEROMETERS],
            yaw_rate_rad_s: f64::NAN,
            speed_m_s: f64::NAN,
            wheel_speed_rad_s: [f64::NAN; WHEELS_MAX],
            ..Self::zeroed()
        }
    }
}
