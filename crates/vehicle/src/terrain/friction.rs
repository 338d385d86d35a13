//! Patches of another friction, painted over the road: the last one that covers a place counts.

use crate::fields::{Fields, Placed};
use crate::files::FileError;

/// Which factor a place inside the patch has.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Pattern {
    Plain(f64),
    /// Left and right of the line y = `y`, seen along x.
    Split {
        y: f64,
        left: f64,
        right: f64,
    },
    /// Square tiles whose factors change from one to the next; the tile from (0, 0) up has the
    /// first.
    Checkerboard {
        per_tile: f64,
        first: f64,
        second: f64,
    },
}

/// A rectangle in x and y with a pattern in it. Its lower edges belong to it, its upper edges do
/// not: patches side by side do not overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    x: [f64; 2],
    y: [f64; 2],
    pattern: Pattern,
}

impl Patch {
    /// The factor, where the patch covers the place.
    #[inline]
    pub fn at(&self, x: f64, y: f64) -> Option<f64> {
        let covered = x >= self.x[0] && x < self.x[1] && y >= self.y[0] && y < self.y[1];
        covered.then(|| match self.pattern {
            Pattern::Plain(factor) => factor,
            Pattern::Split { y: middle, left, right } => {
                if y >= middle {
                    left
                } else {
                    right
                }
            }
            Pattern::Checkerboard { per_tile, first, second } => {
                let tile = (x * per_tile).floor() + (y * per_tile).floor();
                if tile % 2.0 == 0.0 { first } else { second }
            }
        })
    }

    /// Whether it covers no place up to a distance.
    #[inline]
    pub fn is_away(&self, x: f64, y: f64, within: f64) -> bool {
        let away = |at: f64, [low, high]: [f64; 2]| at + within < low || at - within >= high;
        away(x, self.x) || away(y, self.y)
    }

    /// Whether it covers all places up to a distance, with one factor.
    #[inline]
    pub fn covers_alike(&self, x: f64, y: f64, within: f64) -> bool {
        let covered = |at: f64, [low, high]: [f64; 2]| at - within >= low && at + within < high;
        let is_alike = match self.pattern {
            Pattern::Plain(_) => true,
            Pattern::Split { y: middle, .. } => (y - middle).abs() > within,
            Pattern::Checkerboard { .. } => false,
        };
        is_alike && covered(x, self.x) && covered(y, self.y)
    }

    /// Reads one `[[friction_patches]]` table.
    pub fn read(fields: &Fields<'_>) -> Result<Self, FileError> {
        let Placed { value: pattern, place, .. } = fields.needed_text("pattern")?;
        let pattern = match pattern {
            "plain" => Pattern::Plain(fields.factor("factor")?),
            "split" => Pattern::Split {
                y: fields.number_or("middle_y_m", 0.0)?,
                left: fields.factor("left")?,
                right: fields.factor("right")?,
            },
            "checkerboard" => Pattern::Checkerboard {
                per_tile: 1.0 / fields.positive("tile_m")?,
                first: fields.factor("first")?,
                second: fields.factor("second")?,
            },
            other => {
                let problem = format!("expected one of: plain, split, checkerboard; found `{other}`");
                return Err(fields.fault_at(&place, problem));
            }
        };
        let (x, y) = (fields.range_or_all("x_m")?, fields.range_or_all("y_m")?);
        fields.finish()?;
        Ok(Self { x, y, pattern })
    }
}
