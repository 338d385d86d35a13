//! Forces of the air on the body, and the wind.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `coefficients` | plain drag and lift; three forces and three moments over the sideslip of the relative wind |
//! | [`Wind`] | mean wind, gusts, turbulence |
//! | `file` | the characteristic file |

use crate::Vector3;
use crate::files::{FileError, Source};

mod coefficients;
mod file;
mod turbulence;
mod wind;

pub use wind::Wind;

/// A model of the air. Finite for every finite input; neither allocates nor panics.
pub trait Aerodynamics: Send + Sync {
    /// Force (N) and torque (Nm) at the vehicle's origin in V, from the velocity of the vehicle
    /// against the air in V (m/s).
    fn wrench(&self, air_speed: Vector3) -> (Vector3, Vector3);
}

/// Reads a model of the air from TOML.
pub fn read(source: &Source<'_>) -> Result<Box<dyn Aerodynamics>, FileError> {
    file::aerodynamics(source)
}

/// Fastest relative wind that is believed (m/s).
const SPEED_MOST: f64 = 1e3;

/// The relative wind within what the models are made for; not a number counts as calm.
fn believed(speed: Vector3) -> Vector3 {
    let part = |value| crate::numbers::bounded(value, SPEED_MOST);
    Vector3::new(part(speed.x), part(speed.y), part(speed.z))
}
