//! The names under which a manoeuvre file may give a quantity, with the factor to SI units.

use crate::fields::Unit;

const DEG: f64 = std::f64::consts::PI / 180.0;
const KM_H: f64 = 1.0 / 3.6;
const MPH: f64 = 0.44704;

/// A speed.
pub const SPEED: &[Unit] = &[("speed_m_s", 1.0), ("speed_km_h", KM_H), ("speed_mph", MPH)];
/// A speed that is to be exceeded.
pub const SPEED_ABOVE: &[Unit] = &[("speed_above_m_s", 1.0), ("speed_above_km_h", KM_H), ("speed_above_mph", MPH)];
/// A speed to fall below.
pub const SPEED_BELOW: &[Unit] = &[("speed_below_m_s", 1.0), ("speed_below_km_h", KM_H), ("speed_below_mph", MPH)];
/// What is steered, and by how much.
pub const STEER: &[Unit] = &[
    ("angle_deg", DEG),
    ("angle_rad", 1.0),
    ("rack_mm", 1e-3),
    ("road_wheel_deg", DEG),
    ("lock_ratio", 1.0),
    ("lateral_m_s2", 1.0),
];
/// How fast it is steered, in the same order.
pub const STEER_RATE: &[Unit] = &[
    ("rate_deg_s", DEG),
    ("rate_rad_s", 1.0),
    ("rate_rack_mm_s", 1e-3),
    ("rate_road_wheel_deg_s", DEG),
    ("rate_lock_ratio_s", 1.0),
    ("rate_lateral_m_s3", 1.0),
];
/// Largest rate of the steering wheel.
pub const STEER_RATE_LIMIT: &[Unit] = &[("rate_limit_deg_s", DEG), ("rate_limit_rad_s", 1.0)];
/// A direction.
pub const HEADING: &[Unit] = &[("heading_deg", DEG), ("heading_rad", 1.0)];
/// Direction that the wind blows to.
pub const DIRECTION: &[Unit] = &[("direction_deg", DEG), ("direction_rad", 1.0)];
/// Understeer gradient: angle at the road wheels per lateral acceleration.
pub const UNDERSTEER: &[Unit] = &[("understeer_deg_g", DEG / 9.81), ("understeer_rad_s2_m", 1.0)];
