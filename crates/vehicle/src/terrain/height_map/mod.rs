//! Heights on a grid of squares or rectangles, with bilinear or bicubic interpolation between them.
//!
//! With the weights a of the columns and b of the rows around a place, height and gradient come
//! from the same interpolant:
//!
//! ```text
//!   (1)  h = Σ bⱼ Σ aᵢ hⱼᵢ      ∂h/∂x = Σ bⱼ Σ a′ᵢ hⱼᵢ / Δx      ∂h/∂y = Σ b′ⱼ Σ aᵢ hⱼᵢ / Δy
//!   (2)  bilinear: a = (1 − t, t)
//!   (3)  bicubic (Catmull and Rom 1974): a = ½ (−t + 2t² − t³, 2 − 5t² + 3t³, t + 4t² − 3t³, −t² + t³)
//! ```
//!
//! Bilinear surfaces have kinks along the grid lines, bicubic ones have a continuous gradient. Both
//! pass through the heights.

use super::Relief;

mod file;

pub(super) use file::read;

/// How heights are made between those of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Eq. (2).
    Bilinear,
    /// Eq. (3).
    Bicubic,
}

/// What is beyond the grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outside {
    /// The height of the nearest edge goes on.
    Edge,
    /// A level of this height (m).
    Level(f64),
}

/// Heights on a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightMap {
    pub(super) grid: Grid,
    pub(super) interpolation: Interpolation,
    pub(super) outside: Outside,
}

/// The heights: row by row, x rising along a row, y rising from row to row.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Place of the first height (m).
    pub x0_m: f64,
    /// Place of the first height (m).
    pub y0_m: f64,
    /// Distance of the columns (m).
    pub dx_m: f64,
    /// Distance of the rows (m).
    pub dy_m: f64,
    /// Heights in a row, at least 2.
    pub columns: usize,
    /// The heights (m), a whole number of rows, at least 2.
    pub heights_m: Vec<f64>,
}

impl Grid {
    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.heights_m.len() / self.columns.max(1)
    }

    /// A height; the nearest one for an index beyond the edge.
    #[inline]
    fn height(&self, row: isize, column: isize) -> f64 {
        let row = row.clamp(0, self.rows() as isize - 1) as usize;
        let column = column.clamp(0, self.columns as isize - 1) as usize;
        self.heights_m.get(row * self.columns + column).copied().unwrap_or(0.0)
    }
}

/// A place along one direction of the grid.
struct Place {
    /// Index of the height before the place.
    index: usize,
    /// From that height (0) to the next (1).
    part: f64,
    inside: bool,
}

/// Where a coordinate, counted in steps of the grid, lies between `count` heights.
#[inline]
fn place(steps: f64, count: usize) -> Place {
    let last = count.saturating_sub(1) as f64;
    let held = steps.clamp(0.0, last);
    let index = (held as usize).min(count.saturating_sub(2));
    Place { index, part: held - index as f64, inside: held == steps }
}

/// Eq. (3) and its derivative.
#[inline]
fn cubic_weights(t: f64) -> ([f64; 4], [f64; 4]) {
    let weights = [
        0.5 * t * (-1.0 + t * (2.0 - t)),
        0.5 * (2.0 + t * t * (-5.0 + 3.0 * t)),
        0.5 * t * (1.0 + t * (4.0 - 3.0 * t)),
        0.5 * t * t * (t - 1.0),
    ];
    let derivatives = [
        0.5 * (-1.0 + t * (4.0 - 3.0 * t)),
        0.5 * t * (-10.0 + 9.0 * t),
        0.5 * (1.0 + t * (8.0 - 9.0 * t)),
        0.5 * t * (3.0 * t - 2.0),
    ];
    (weights, derivatives)
}

impl HeightMap {
    /// Height and gradient at a place.
    #[inline]
    pub(super) fn relief(&self, x: f64, y: f64) -> Relief {
        let grid = &self.grid;
        let column = place((x - grid.x0_m) / grid.dx_m, grid.columns);
        let row = place((y - grid.y0_m) / grid.dy_m, grid.rows());
        if let Outside::Level(height_m) = self.outside
            && !(column.inside && row.inside)
        {
            return Relief { height_m, ..Relief::default() };
        }
        let (height_m, along, across) = match self.interpolation {
            Interpolation::Bilinear => self.bilinear(&column, &row),
            Interpolation::Bicubic => self.bicubic(&column, &row),
        };
        Relief {
            height_m,
            slope_x: if column.inside { along / grid.dx_m } else { 0.0 },
            slope_y: if row.inside { across / grid.dy_m } else { 0.0 },
        }
    }

    /// Eq. (1) with eq. (2); the derivatives are per step of the grid.
    #[inline]
    fn bilinear(&self, column: &Place, row: &Place) -> (f64, f64, f64) {
        let (i, j) = (column.index as isize, row.index as isize);
        let (s, t) = (column.part, row.part);
        let near = [self.grid.height(j, i), self.grid.height(j, i + 1)];
        let far = [self.grid.height(j + 1, i), self.grid.height(j + 1, i + 1)];
        let (low, high) = (near[0] + s * (near[1] - near[0]), far[0] + s * (far[1] - far[0]));
        let along = (1.0 - t) * (near[1] - near[0]) + t * (far[1] - far[0]);
        (low + t * (high - low), along, high - low)
    }

    /// Eq. (1) with eq. (3); the derivatives are per step of the grid.
    #[inline]
    fn bicubic(&self, column: &Place, row: &Place) -> (f64, f64, f64) {
        let (a, da) = cubic_weights(column.part);
        let (b, db) = cubic_weights(row.part);
        let (mut height, mut along, mut across) = (0.0, 0.0, 0.0);
        for j in 0..4 {
            let (mut sum, mut derivative) = (0.0, 0.0);
            for i in 0..4 {
                let z = self.grid.height(row.index as isize + j as isize - 1, column.index as isize + i as isize - 1);
                sum += a[i] * z;
                derivative += da[i] * z;
            }
            height += b[j] * sum;
            along += b[j] * derivative;
            across += db[j] * sum;
        }
        (height, along, across)
    }

    /// The heights and their grid.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }
}
