//! What steers a vehicle: the displacement of a rack, or the angle of its wheels.

use bytemuck::{Pod, Zeroable};

use crate::Layout;

/// A coordinate with its derivatives: m, m/s, m/s² for a rack; rad, rad/s, rad/s² for an angle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coordinate {
    /// The coordinate.
    pub value: f64,
    /// Its rate.
    pub rate: f64,
    /// Its acceleration.
    pub acceleration: f64,
}

impl Coordinate {
    /// At rest.
    pub const fn at_rest(value: f64) -> Self {
        Self { value, rate: 0.0, acceleration: 0.0 }
    }
}

/// By what a vehicle is steered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SteeredBy {
    /// A rack, which the linkage follows.
    #[default]
    Rack,
    /// The angle of the steered wheels.
    Angle,
}

/// Motion of what steers the vehicle, positive to the left. A vehicle has one of both; the other is
/// not known.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, Layout)]
#[repr(C)]
pub struct SteeringMotion {
    /// [m] [@frame V] [@range -0.3..0.3] [@invalid NaN] Displacement of the steering rack.
    pub rack_displacement_m: f64,
    /// [m/s] [@frame V] [@range -20..20] [@invalid NaN] Velocity of the steering rack.
    pub rack_velocity_m_s: f64,
    /// [m/s²] [@frame V] [@range -1000..1000] [@invalid NaN] Acceleration of the steering rack.
    pub rack_acceleration_m_s2: f64,
    /// [rad] [@frame V] [@range -1.5..1.5] [@invalid NaN] Angle of the steered wheels.
    pub angle_rad: f64,
    /// [rad/s] [@frame V] [@range -20..20] [@invalid NaN] Rate of that angle.
    pub rate_rad_s: f64,
    /// [rad/s²] [@frame V] [@range -1000..1000] [@invalid NaN] Acceleration of that angle.
    pub acceleration_rad_s2: f64,
}

impl SteeringMotion {
    /// Neither is known.
    pub const UNKNOWN: Self = Self {
        rack_displacement_m: f64::NAN,
        rack_velocity_m_s: f64::NAN,
        rack_acceleration_m_s2: f64::NAN,
        angle_rad: f64::NAN,
        rate_rad_s: f64::NAN,
        acceleration_rad_s2: f64::NAN,
    };

    /// The motion of one of both.
    #[inline]
    pub fn of(by: SteeredBy, Coordinate { value, rate, acceleration }: Coordinate) -> Self {
        match by {
            SteeredBy::Rack => Self {
                rack_displacement_m: value,
                rack_velocity_m_s: rate,
                rack_acceleration_m_s2: acceleration,
                ..Self::UNKNOWN
            },
            SteeredBy::Angle => {
                Self { angle_rad: value, rate_rad_s: rate, acceleration_rad_s2: acceleration, ..Self::UNKNOWN }
            }
        }
    }

    /// The largest magnitudes that the declaration of the fields allows.
    pub fn limits(by: SteeredBy) -> Coordinate {
        let first = if by == SteeredBy::Rack { 0 } else { 3 };
        let [value, rate, acceleration] = [0, 1, 2].map(|field| Self::FIELDS[first + field].bounds()[1]);
        Coordinate { value, rate, acceleration }
    }

    /// The coordinate of a vehicle that is steered by this.
    #[inline]
    pub fn coordinate(&self, by: SteeredBy) -> Coordinate {
        let [value, rate, acceleration] = match by {
            SteeredBy::Rack => [self.rack_displacement_m, self.rack_velocity_m_s, self.rack_acceleration_m_s2],
            SteeredBy::Angle => [self.angle_rad, self.rate_rad_s, self.acceleration_rad_s2],
        };
        Coordinate { value, rate, acceleration }
    }

    /// The coordinate, if it is known.
    #[inline]
    pub fn known(&self, by: SteeredBy) -> Option<Coordinate> {
        Some(self.coordinate(by)).filter(|coordinate| coordinate.value.is_finite())
    }
}
