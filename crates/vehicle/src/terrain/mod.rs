//! The road: height, normal and friction at a place.

use crate::Vector3;
use crate::files::{FileError, Source};

/// The road at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Height (m).
    pub height_m: f64,
    /// Unit normal, pointing up.
    pub normal: Vector3,
    /// Friction, as a factor on that of the tyre's file: 1 on the surface on which it was measured.
    pub friction: f64,
}

/// Where a wheel was found last: a hint that makes the next search short. It never changes the result.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hint(pub usize);

/// A road. Finite for every finite place; neither allocates nor panics.
pub trait Terrain: Send + Sync {
    /// The road under (x, y) in E (m).
    fn at(&self, x_m: f64, y_m: f64, hint: &mut Hint) -> Ground;
}

/// Reads a road: a `.crg` file, or a TOML file with `kind`.
pub fn read(source: &Source<'_>) -> Result<Box<dyn Terrain>, FileError> {
    Err(source.fault(1, "kind", "no road is known"))
}
