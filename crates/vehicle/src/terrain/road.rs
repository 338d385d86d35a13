//! The base, the features and the friction patches together.

use super::crg::Crg;
use super::feature::Feature;
use super::friction::Patch;
use super::height_map::{self, HeightMap};
use super::{Ground, Hint, REACH_M, Relief, Terrain};
use crate::fields::{self, Fields, Placed};
use crate::files::{FileError, Source};

/// What the features stand on.
#[derive(Clone, Debug)]
enum Base {
    /// z = height + slope_x · x + slope_y · y.
    Plane(Relief),
    HeightMap(Box<HeightMap>),
    Crg(Box<Crg>),
}

/// A road: what [`super::read`] returns.
#[derive(Clone, Debug)]
pub struct Road {
    base: Base,
    features: Vec<Feature>,
    friction: f64,
    patches: Vec<Patch>,
}

impl Road {
    /// A plane at height 0 with a friction factor.
    #[must_use]
    pub fn flat(friction: f64) -> Self {
        Self::plane(0.0, 0.0, friction)
    }

    /// A plane through the origin that rises by `grade` along x and by `bank` along y (m/m).
    #[must_use]
    pub fn plane(grade: f64, bank: f64, friction: f64) -> Self {
        let relief = Relief { height_m: 0.0, slope_x: grade, slope_y: bank };
        Self::on(Base::Plane(relief), friction)
    }

    fn on(base: Base, friction: f64) -> Self {
        Self { base, features: Vec::new(), friction, patches: Vec::new() }
    }

    /// The OpenCRG road that it stands on, if any.
    #[must_use]
    pub fn crg(&self) -> Option<&Crg> {
        match &self.base {
            Base::Crg(road) => Some(road),
            _ => None,
        }
    }

    /// The height map that it stands on, if any.
    #[must_use]
    pub fn height_map(&self) -> Option<&HeightMap> {
        match &self.base {
            Base::HeightMap(map) => Some(map),
            _ => None,
        }
    }

    /// How many features and friction patches it has.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        (self.features.len(), self.patches.len())
    }

    #[inline]
    fn friction_at(&self, x: f64, y: f64) -> f64 {
        let painted = self.patches.iter().rev().find_map(|patch| patch.at(x, y));
        painted.unwrap_or(self.friction)
    }

    /// Whether all places up to a distance have the same friction: only the last patch that comes
    /// near counts.
    #[inline]
    fn has_one_friction(&self, x: f64, y: f64, within: f64) -> bool {
        let near = self.patches.iter().rev().find(|patch| !patch.is_away(x, y, within));
        near.is_none_or(|patch| patch.covers_alike(x, y, within))
    }
}

impl From<Crg> for Road {
    fn from(road: Crg) -> Self {
        Self::on(Base::Crg(Box::new(road)), 1.0)
    }
}

impl Terrain for Road {
    #[inline]
    fn at(&self, x_m: f64, y_m: f64, hint: &mut Hint) -> Ground {
        let (x, y) = (x_m.clamp(-REACH_M, REACH_M), y_m.clamp(-REACH_M, REACH_M));
        let mut relief = self.base.relief(x, y, hint);
        for feature in &self.features {
            feature.add(x, y, &mut relief);
        }
        Ground { height_m: relief.height_m, normal: relief.normal(), friction: self.friction_at(x, y) }
    }

    #[inline]
    fn even_at(&self, x_m: f64, y_m: f64, within_m: f64, hint: &mut Hint) -> Option<Ground> {
        let is_plane = matches!(self.base, Base::Plane(_))
            && x_m.abs() + within_m <= REACH_M
            && y_m.abs() + within_m <= REACH_M
            && self.features.iter().all(|it| it.is_away(x_m, y_m, within_m))
            && self.has_one_friction(x_m, y_m, within_m);
        is_plane.then(|| self.at(x_m, y_m, hint))
    }
}

impl Base {
    #[inline]
    fn relief(&self, x: f64, y: f64, hint: &mut Hint) -> Relief {
        match self {
            Self::Plane(plane) => Relief { height_m: plane.height_m + plane.slope_x * x + plane.slope_y * y, ..*plane },
            Self::HeightMap(map) => map.relief(x, y),
            Self::Crg(road) => road.relief(x, y, hint),
        }
    }
}

/// Reads a TOML file with `kind`.
pub fn from_toml(source: &Source<'_>) -> Result<Road, FileError> {
    fields::read(source, |fields| {
        let all = |name| fields.tables(name);
        Ok(Road {
            base: base(fields)?,
            friction: if fields.raw("friction").is_some() { fields.factor("friction")? } else { 1.0 },
            features: all("features")?.iter().map(Feature::read).collect::<Result<_, _>>()?,
            patches: all("friction_patches")?.iter().map(Patch::read).collect::<Result<_, _>>()?,
        })
    })
}

fn base(fields: &Fields<'_>) -> Result<Base, FileError> {
    let Placed { value: kind, place, .. } = fields.needed_text("kind")?;
    Ok(match kind {
        "flat" => Base::Plane(Relief { height_m: fields.number_or("height_m", 0.0)?, ..Relief::default() }),
        "slope" => Base::Plane(Relief {
            height_m: fields.number_or("height_m", 0.0)?,
            slope_x: 0.01 * fields.number_or("grade_percent", 0.0)?,
            slope_y: 0.01 * fields.number_or("bank_percent", 0.0)?,
        }),
        "height-map" => Base::HeightMap(Box::new(height_map::read(fields)?)),
        "crg" => {
            let (path, bytes) = fields.file("file")?;
            Base::Crg(Box::new(Crg::read(&Source::new(&path, &bytes))?))
        }
        other => {
            let problem = format!("expected one of: flat, slope, height-map, crg; found `{other}`");
            return Err(fields.fault_at(&place, problem));
        }
    })
}
