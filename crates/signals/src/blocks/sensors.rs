//! `/sensors/`: what the sensors of the car measure, in SI units and vehicle axes.

use bytemuck::{Pod, Zeroable};

use crate::blocks::WHEELS_MAX;
use crate::{Layout, Stamp, Vector3};

/// Tri-axial accelerometers on the body.
pub const ACCELEROMETERS: usize = 4;
/// Most further channels.
pub const CHANNELS_MAX: usize = 64;

/// What the sensors of the car measure.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[layout(count = "channel_count", tail = "channels")]
#[repr(C)]
pub struct Sensors {
    /// When and for which step.
    pub stamp: Stamp,
    /// [m/s²] [@frame V] [@range -200..200] [@invalid NaN] Specific force at each accelerometer of
    /// the body.
    pub accelerometers_m_s2: [Vector3; ACCELEROMETERS],
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
