//! Forces of the air on the body.

use crate::Vector3;
use crate::files::{FileError, Source};

/// A model of the air. Finite for every finite input; neither allocates nor panics.
pub trait Aerodynamics: Send + Sync {
    /// Force (N) and torque (Nm) at the vehicle's origin in V, from the velocity of the vehicle against the air in V (m/s).
    fn wrench(&self, air_speed: Vector3) -> (Vector3, Vector3);
}

/// Reads a model of the air from TOML.
pub fn read(source: &Source<'_>) -> Result<Box<dyn Aerodynamics>, FileError> {
    Err(source.fault(1, "kind", "no model of the air is known"))
}
