//! Plain drag: against the relative wind, whatever its direction, and a lift.
//!
//! ```text
//! F = −½ ρ A C_D |v| v + ½ ρ A C_L |v|² z                                                      (1)
//! M = r × F                                                                                    (2)
//! ```
//! v is the velocity of the vehicle against the air in its own plane (x, y), r the place where the
//! force acts.

use super::{Aerodynamics, believed};
use crate::Vector3;

/// Parameters of eq. (1) and (2).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Drag {
    /// ½ ρ A C_D (kg/m).
    pub(super) drag: f64,
    /// ½ ρ A C_L (kg/m).
    pub(super) lift: f64,
    /// r (m).
    pub(super) point: Vector3,
}

impl Aerodynamics for Drag {
    fn wrench(&self, air_speed: Vector3) -> (Vector3, Vector3) {
        let v = believed(air_speed);
        let speed = v.x.hypot(v.y);
        let force = Vector3::new(-self.drag * speed * v.x, -self.drag * speed * v.y, self.lift * speed * speed);
        (force, self.point.cross(force))
    }
}
