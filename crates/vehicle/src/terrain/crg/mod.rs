//! OpenCRG roads: a reference line in the plane, and heights on a grid that is bent along it.
//!
//! A road is asked at (x, y). The reference line says which (u, v) that is (u along the line, v to
//! its left), the surface over (u, v) gives the height and its derivatives, and the chain rule
//! turns these into the gradient:
//!
//! ```text
//!   (1)  | ∂z/∂u |   | x_u  y_u | | ∂z/∂x |
//!        | ∂z/∂v | = | x_v  y_v | | ∂z/∂y |
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `header`, `channels`, `records`, `decode` | from bytes to [`Content`] |
//! | `write` | from [`Content`] to bytes |
//! | `shape`, `modifiers` | from [`Content`] to points and heights, changed as the file's modifiers ask |
//! | `line`, `nearest` | (x, y) → (u, v) |
//! | `surface` | (u, v) → z |
//!
//! The format and the evaluation follow OpenCRG 1.1 as its tools (the C library of ASAM, pyopencrg)
//! implement them.

mod channels;
mod content;
mod decode;
mod header;
mod line;
mod modifiers;
mod nearest;
mod records;
mod shape;
mod surface;
mod write;

use super::{Hint, Relief};
use crate::files::{FileError, Source};
pub use content::{Border, Content, Course, Format, Options, Start};
use line::ReferenceLine;
use shape::Shape;
use surface::{Record, Surface};
pub use write::write;

/// Smallest share of the area that (u, v) keeps in (x, y): nearer to the centre of a bend the
/// gradient is held.
const AREA_MIN: f64 = 1e-3;

/// Smallest distance of records and of long sections (m).
const SPACING_MIN: f64 = 1e-9;

/// An OpenCRG road, ready to be asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Crg {
    line: ReferenceLine,
    surface: Surface,
}

/// Whether a source is a `.crg` file, by its name or by how it begins.
#[must_use]
pub fn is_crg(source: &Source<'_>) -> bool {
    source.name.to_lowercase().ends_with(".crg") || source.bytes.starts_with(b"$")
}

/// What a `.crg` file says, before it becomes a road.
pub fn decode(source: &Source<'_>) -> Result<Content, FileError> {
    decode::read(source)
}

impl Crg {
    /// Reads a `.crg` file.
    pub fn read(source: &Source<'_>) -> Result<Self, FileError> {
        let content = decode::read(source)?;
        let mut shape = Shape::new(&content);
        let line_of = |name: &str| {
            let keywords = content.modifiers.as_ref();
            let keyword = keywords.and_then(|keywords| keywords.find(name));
            keyword.map_or(content.modifiers_line.max(1), |keyword| keyword.line)
        };
        modifiers::apply(&mut shape, content.modifiers.as_ref())
            .map_err(|fault| source.fault(line_of(fault.name), fault.name, fault.problem))?;
        Self::from_shape(shape).map_err(|problem| source.fault(1, "reference line", problem))
    }

    /// A road from its content (its modifiers are applied), or what is wrong with it.
    pub fn new(content: &Content) -> Result<Self, String> {
        let mut shape = Shape::new(content);
        modifiers::apply(&mut shape, content.modifiers.as_ref())
            .map_err(|fault| format!("{}: {}", fault.name, fault.problem))?;
        Self::from_shape(shape)
    }

    fn from_shape(shape: Shape) -> Result<Self, String> {
        let finite = |values: &[f64]| values.iter().all(|value| value.abs() < 1e12);
        let points_fit = shape.points.iter().all(|point| finite(point));
        let others = [&shape.levels, &shape.bankings, &shape.v, &shape.heights];
        if !points_fit || !others.iter().all(|values| finite(values)) || !finite(&[shape.increment]) {
            return Err("expected positions and heights within ±1e12, found larger ones; look at its modifiers".into());
        }
        if shape.increment < SPACING_MIN || shape.v.windows(2).any(|pair| pair[1] - pair[0] < SPACING_MIN) {
            return Err("expected distances of records and long sections from 1e-9 m on, found smaller ones".into());
        }
        let mut line = ReferenceLine::new(shape.u_start, shape.increment, shape.points, shape.options.epsilon)?;
        if shape.options.closed {
            line.close(shape.options.tolerance_m);
        }
        let records = (shape.levels.iter().zip(&shape.bankings))
            .map(|(z, banking)| Record { z: *z, banking: *banking })
            .collect();
        let surface = Surface::new(shape.u_start, shape.increment, shape.v, records, shape.heights, shape.options);
        Ok(Self { line, surface })
    }

    /// Height and gradient at (x, y).
    #[inline]
    pub(super) fn relief(&self, x: f64, y: f64, hint: &mut Hint) -> Relief {
        let place = self.line.place(x, y, hint);
        let height = self.surface.at(self.line.wrapped(place.u), place.v);
        // Eq. (1), solved.
        let area = (place.x_u * place.y_v - place.y_u * place.x_v).max(AREA_MIN);
        Relief {
            height_m: height.z,
            slope_x: (height.z_u * place.y_v - place.y_u * height.z_v) / area,
            slope_y: (place.x_u * height.z_v - height.z_u * place.x_v) / area,
        }
    }

    /// (x, y) → (u, v) (m).
    #[must_use]
    pub fn road_coordinates_m(&self, x_m: f64, y_m: f64, hint: &mut Hint) -> [f64; 2] {
        let place = self.line.place(x_m, y_m, hint);
        [place.u, place.v]
    }

    /// (u, v) → (x, y) (m).
    #[must_use]
    pub fn position_m(&self, u_m: f64, v_m: f64) -> [f64; 2] {
        self.line.position(u_m, v_m)
    }

    /// Height at (u, v) (m).
    #[must_use]
    pub fn height_m(&self, u_m: f64, v_m: f64) -> f64 {
        self.surface.at(self.line.wrapped(u_m), v_m).z
    }

    /// Heading of the reference line at u (rad).
    #[must_use]
    pub fn heading_rad(&self, u_m: f64) -> f64 {
        self.line.heading(u_m)
    }

    /// Range along the reference line (m).
    #[must_use]
    pub fn u_range_m(&self) -> [f64; 2] {
        self.surface.u_range()
    }

    /// Positions of the long sections (m), rising.
    #[must_use]
    pub fn v_m(&self) -> &[f64] {
        self.surface.v()
    }

    /// Points of the reference line (m).
    #[must_use]
    pub fn line_m(&self) -> &[[f64; 2]] {
        self.line.points()
    }

    /// Height of the reference line and banking at each record.
    pub fn levels(&self) -> impl Iterator<Item = (f64, f64)> {
        self.surface.records().iter().map(|record| (record.z, record.banking))
    }

    /// Whether the reference line is straight.
    #[must_use]
    pub fn is_straight(&self) -> bool {
        self.line.is_straight()
    }

    /// Whether the end of the reference line is joined to its start.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.line.is_closed()
    }
}
