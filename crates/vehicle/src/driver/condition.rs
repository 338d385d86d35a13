//! When a phase ends, or the manoeuvre.

use super::read::{SPEED_ABOVE, SPEED_BELOW};
use super::speed::STANDSTILL_M_S;
use crate::Kinematics;
use crate::fields::Fields;
use crate::files::FileError;

/// Any one of these; those that are `None` never hold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Condition {
    /// This time has passed (s).
    pub time_s: Option<f64>,
    /// This distance has been driven (m).
    pub distance_m: Option<f64>,
    /// The forward speed has reached this (m/s).
    pub speed_above_m_s: Option<f64>,
    /// The forward speed has fallen to this (m/s).
    pub speed_below_m_s: Option<f64>,
    /// The vehicle's origin has passed this x in E, forwards (m).
    pub x_above_m: Option<f64>,
    /// The vehicle's origin has passed this x in E, backwards (m).
    pub x_below_m: Option<f64>,
    /// The lateral acceleration of the origin has reached this, to either side (m/s²).
    pub lateral_above_m_s2: Option<f64>,
    /// The vehicle stands.
    pub standstill: bool,
}

/// What has passed since the beginning of a phase or of the manoeuvre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Passed {
    /// Time (s).
    pub time_s: f64,
    /// Distance (m).
    pub distance_m: f64,
}

/// Half of the least step that anybody would take, so that sums of steps count as the time that
/// they mean (s).
const TIME_TOLERANCE_S: f64 = 1e-7;

impl Condition {
    /// Reads what ends a phase (`until`) or the manoeuvre (`[stop]`): any of the conditions, at
    /// least one.
    pub(super) fn read(fields: &Fields<'_>) -> Result<Self, FileError> {
        let number = |name| Ok::<_, FileError>(fields.number(name)?.map(|found| found.value));
        let condition = Self {
            time_s: number("time_s")?,
            distance_m: number("distance_m")?,
            speed_above_m_s: fields.quantity(SPEED_ABOVE)?.map(|found| found.value),
            speed_below_m_s: fields.quantity(SPEED_BELOW)?.map(|found| found.value),
            x_above_m: number("x_above_m")?,
            x_below_m: number("x_below_m")?,
            lateral_above_m_s2: number("lateral_above_m_s2")?,
            standstill: fields.flag("standstill")?,
        };
        fields.finish()?;
        if condition.is_empty() {
            return Err(fields.fault("expected at least one condition, such as time_s = 3.0"));
        }
        Ok(condition)
    }

    /// Whether any one holds.
    #[must_use]
    pub fn holds(&self, passed: Passed, motion: &Kinematics) -> bool {
        let above = |limit: Option<f64>, value: f64| limit.is_some_and(|limit| value >= limit);
        let below = |limit: Option<f64>, value: f64| limit.is_some_and(|limit| value <= limit);
        let speed = motion.velocity_m_s.x;
        above(self.time_s, passed.time_s + TIME_TOLERANCE_S)
            || above(self.distance_m, passed.distance_m)
            || above(self.speed_above_m_s, speed)
            || below(self.speed_below_m_s, speed)
            || above(self.x_above_m, motion.position_m.x)
            || below(self.x_below_m, motion.position_m.x)
            || above(self.lateral_above_m_s2, motion.acceleration_m_s2.y.abs())
            || (self.standstill && speed.hypot(motion.velocity_m_s.y) < STANDSTILL_M_S)
    }

    /// Whether it can ever hold.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
