//! `/driver/`: what the driver of a vehicle, or the operator of a plant, asks for.

use bytemuck::{Pod, Zeroable};

use crate::{Layout, Stamp};

/// Most demands that a scenario may have.
pub const DEMANDS_MAX: usize = 64;

/// What the driver of a vehicle, or the operator of a plant, asks for.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[layout(count = "demand_count", tail = "demands")]
#[repr(C)]
pub struct Driver {
    /// When and for which step.
    pub stamp: Stamp,
    /// [rad] [@range -20..20] [@invalid NaN] Steering-wheel angle, positive to the left.
    pub steering_angle_rad: f64,
    /// [rad/s] [@range -50..50] [@invalid NaN] Steering-wheel rate, positive to the left.
    pub steering_rate_rad_s: f64,
    /// [rad/s²] [@range -1000..1000] [@invalid NaN] Steering-wheel acceleration, positive to the
    /// left.
    pub steering_acceleration_rad_s2: f64,
    /// [Nm] [@range -100..100] [@invalid NaN] Torque of the driver on the steering wheel, positive
    /// to the left.
    pub steering_torque_nm: f64,
    /// [-] [@range 0..1] [@invalid NaN] Throttle pedal, 1 = fully pressed.
    pub throttle_ratio: f64,
    /// [-] [@range 0..1] [@invalid NaN] Brake pedal, 1 = fully pressed.
    pub brake_ratio: f64,
    /// [bar] [@range 0..200] [@invalid NaN] Brake line pressure.
    pub brake_pressure_bar: f64,
    /// [-] [@range 0..1] [@invalid NaN] Clutch pedal, 1 = fully pressed.
    pub clutch_ratio: f64,
    /// [-] [@range -1..12] [@invalid -128] Gear asked for: -1 reverse, 0 neutral.
    pub gear: i64,
    /// [ns] [@range 0..18446744073709551615] [@invalid 18446744073709551615] Age at publication:
    /// from the oldest number's sample to `publish_ns`.
    pub age_ns: u64,
    /// [-] [@range 0..64] [@invalid 0] How many demands are in use.
    pub demand_count: u64,
    /// [-] [@range -1e308..1e308] [@invalid NaN] Set-points and direct plant inputs, in the order
    /// of the scenario file.
    pub demands: [f64; DEMANDS_MAX],
}

impl Driver {
    /// How old its oldest number is now: its age when it was published and the time since then. A
    /// writer that says no age measures when it publishes.
    #[inline]
    pub const fn age_at(&self, now_ns: u64) -> u64 {
        let since_ns = now_ns.saturating_sub(self.stamp.publish_ns);
        self.age_ns.saturating_add(since_ns)
    }
}

impl Default for Driver {
    fn default() -> Self {
        Self {
            steering_angle_rad: f64::NAN,
            steering_rate_rad_s: f64::NAN,
            steering_acceleration_rad_s2: f64::NAN,
            steering_torque_nm: f64::NAN,
            throttle_ratio: f64::NAN,
            brake_ratio: f64::NAN,
            brake_pressure_bar: f64::NAN,
            clutch_ratio: f64::NAN,
            gear: -128,
            ..Self::zeroed()
        }
    }
}
