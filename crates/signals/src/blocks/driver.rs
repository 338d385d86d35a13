//! `/driver/`: what the driver of a vehicle does.

use bytemuck::{Pod, Zeroable};

use crate::blocks::SteeringMotion;
use crate::{Layout, Stamp};

/// What the driver does.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, Layout)]
#[repr(C)]
pub struct DriverInput {
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
    /// [bar] [@range 0..200] [@invalid NaN] Brake line pressure; where it is known it counts
    /// instead of the pedal.
    pub brake_pressure_bar: f64,
    /// [-] [@range 0..1] [@invalid NaN] Clutch pedal, 1 = fully pressed.
    pub clutch_ratio: f64,
    /// [-] [@range -1..12] [@invalid -128] Gear asked for: -1 reverse, 0 neutral; where it is not
    /// known the gearbox chooses.
    pub gear: i64,
    /// [ns] [@range 0..18446744073709551615] [@invalid 18446744073709551615] Age at publication:
    /// from the oldest number's sample to `publish_ns`.
    pub age_ns: u64,
    /// Where a manoeuvre moves what steers the wheels: it then counts instead of the steering
    /// wheel.
    pub imposed: SteeringMotion,
}

impl DriverInput {
    /// No gear is asked for.
    pub const GEAR_UNKNOWN: i64 = -128;

    /// Hands and feet off: everything that is measured is known and zero.
    pub const RELEASED: Self = Self {
        stamp: Stamp { step: 0, sample_ns: 0, publish_ns: 0 },
        steering_angle_rad: 0.0,
        steering_rate_rad_s: 0.0,
        steering_acceleration_rad_s2: 0.0,
        steering_torque_nm: f64::NAN,
        throttle_ratio: 0.0,
        brake_ratio: 0.0,
        brake_pressure_bar: f64::NAN,
        clutch_ratio: 0.0,
        gear: Self::GEAR_UNKNOWN,
        age_ns: 0,
        imposed: SteeringMotion::UNKNOWN,
    };

    /// The same, where what is not known is released and what is out of range is at its end.
    pub fn or_released(&self) -> Self {
        let known = |value: f64| if value.is_finite() { value } else { 0.0 };
        Self {
            steering_angle_rad: known(self.steering_angle_rad).clamp(-20.0, 20.0),
            steering_rate_rad_s: known(self.steering_rate_rad_s).clamp(-50.0, 50.0),
            steering_acceleration_rad_s2: known(self.steering_acceleration_rad_s2).clamp(-1000.0, 1000.0),
            steering_torque_nm: self.steering_torque_nm.clamp(-100.0, 100.0),
            throttle_ratio: known(self.throttle_ratio).clamp(0.0, 1.0),
            brake_ratio: known(self.brake_ratio).clamp(0.0, 1.0),
            clutch_ratio: known(self.clutch_ratio).clamp(0.0, 1.0),
            brake_pressure_bar: self.known_pressure_bar().map_or(f64::NAN, |bar| bar.clamp(0.0, 200.0)),
            gear: if (-1..=12).contains(&self.gear) { self.gear } else { Self::GEAR_UNKNOWN },
            ..*self
        }
    }

    /// The gear that is asked for, if one is.
    pub fn gear_asked(&self) -> Option<i32> {
        i32::try_from(self.gear).ok().filter(|_| self.gear != Self::GEAR_UNKNOWN)
    }

    /// The pressure in the brake line, if it is known.
    pub fn known_pressure_bar(&self) -> Option<f64> {
        Some(self.brake_pressure_bar).filter(|pressure| pressure.is_finite())
    }

    /// How old its oldest number is now: its age when it was published and the time since then.
    #[inline]
    pub const fn age_at(&self, now_ns: u64) -> u64 {
        self.age_ns.saturating_add(now_ns.saturating_sub(self.stamp.publish_ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_says_nothing_does_nothing() {
        let released = DriverInput::default().or_released();
        let pedals = [released.throttle_ratio, released.brake_ratio, released.clutch_ratio];
        assert_eq!((released.steering_angle_rad, pedals), (0.0, [0.0; 3]));
        assert_eq!((released.gear_asked(), released.known_pressure_bar()), (None, None));
    }

    #[test]
    fn what_is_known_is_kept_and_what_is_out_of_range_is_at_its_end() {
        let said = DriverInput {
            steering_angle_rad: 0.5,
            throttle_ratio: 0.25,
            brake_ratio: 1.75,
            gear: -1,
            brake_pressure_bar: 12.0,
            ..DriverInput::default()
        };
        let taken = said.or_released();
        assert_eq!((taken.steering_angle_rad, taken.throttle_ratio, taken.brake_ratio), (0.5, 0.25, 1.0));
        assert_eq!((taken.gear_asked(), taken.known_pressure_bar()), (Some(-1), Some(12.0)));
        let wild = DriverInput { steering_angle_rad: -1e308, gear: 13, brake_pressure_bar: 1e9, ..said };
        let taken = wild.or_released();
        assert_eq!((taken.steering_angle_rad, taken.gear_asked()), (-20.0, None));
        assert_eq!(taken.known_pressure_bar(), Some(200.0));
    }
}
