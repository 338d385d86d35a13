//! The road: height, normal and friction at a place.
//!
//! A road is a **base** (a plane, a height map or an OpenCRG road) with **features** on it (bumps,
//! waves, ramps, whose heights add) and **friction patches** painted over it (the last one that
//! covers a place counts). All of it is in E: x and y in the plane, z up. The normal is the
//! gradient of the very surface that gives the height, so force and motion belong together:
//!
//! ```text
//!   z = h(x, y)     n = (−∂h/∂x, −∂h/∂y, 1) / √(1 + (∂h/∂x)² + (∂h/∂y)²)
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `road` | the base, the features and the patches together: what [`read`] returns |
//! | `feature` | bumps, waves, ramps |
//! | `friction` | patches of another friction |
//! | [`height_map`] | heights on a grid |
//! | [`crg`] | OpenCRG files: reading, evaluating, writing |
//! | [`make`] | roads to order: roughness after ISO 8608 on straights, bends and circuits |
//!
//! The files are described in `docs/roads.md`.

use crate::Vector3;
use crate::files::{FileError, Source};

pub mod crg;
mod feature;
mod friction;
pub mod height_map;
pub mod make;

mod road;

pub use road::Road;

/// Beyond this distance from the origin (m) a road goes on as it is there: it keeps every result
/// finite.
pub const REACH_M: f64 = 1e9;

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

/// Where a wheel was found last: a hint that makes the next search short. It never changes the
/// result.
///
/// Keep one per wheel. It holds the index of the nearest point of a reference line; any value is
/// allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hint(pub usize);

/// A road. Finite for every finite place; neither allocates nor panics.
pub trait Terrain: Send + Sync {
    /// The road under (x, y) in E (m).
    fn at(&self, x_m: f64, y_m: f64, hint: &mut Hint) -> Ground;

    /// The road under (x, y), where it is one plane with one friction for a distance (m) all
    /// around; `None` where it is not, or where that is not known. It spares a wheel on an even
    /// road the search for its patch.
    fn even_at(&self, _x_m: f64, _y_m: f64, _within_m: f64, _hint: &mut Hint) -> Option<Ground> {
        None
    }
}

/// Height and gradient of a surface: what bases and features add up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Relief {
    /// Height (m).
    pub height_m: f64,
    /// ∂h/∂x.
    pub slope_x: f64,
    /// ∂h/∂y.
    pub slope_y: f64,
}

impl Relief {
    /// The unit normal of the surface.
    #[inline]
    pub fn normal(&self) -> Vector3 {
        let scale = 1.0 / (1.0 + self.slope_x * self.slope_x + self.slope_y * self.slope_y).sqrt();
        Vector3::new(-self.slope_x * scale, -self.slope_y * scale, scale)
    }
}

/// Reads a road: a `.crg` file, or a TOML file with `kind`.
///
/// What the file refers to (grids, `.crg` files) is looked for beside it: the source's name is then
/// taken as a path.
pub fn read(source: &Source<'_>) -> Result<Box<dyn Terrain>, FileError> {
    Ok(Box::new(read_road(source)?))
}

/// Reads a road like [`read`], as the type that can be asked more.
pub fn read_road(source: &Source<'_>) -> Result<Road, FileError> {
    if crg::is_crg(source) {
        return Ok(Road::from(crg::Crg::read(source)?));
    }
    road::from_toml(source)
}
