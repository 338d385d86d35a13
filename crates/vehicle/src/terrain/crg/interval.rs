//! The pieces of a reference line: intervals that bend with their neighbours, and straights beyond
//! the ends.
//!
//! The line is a chain of intervals of equal length. At each inner point stands the normal of the
//! chord between its two neighbours; in an interval with unit normal m it is scaled so that its
//! part along m is 1 (n₁ at the start, n₂ at the end). With t from 0 to 1:
//!
//! ```text
//!   (1)  p(t, v) = (1 − t)(p₁ + v n₁) + t (p₂ + v n₂)
//!   (2)  v = m · (p − p₁)                                     because m · n₁ = m · n₂ = 1
//!   (3)  t = tₐ / (tₐ + t_b),  tₐ = (p − p₁) × n₁ / (e × n₁),  t_b = −(p − p₂) × n₂ / (e × n₂),  e = p₂ − p₁
//! ```
//!
//! so that neighbouring intervals share their borders and (u, v) covers the plane beside the line
//! without gaps, up to the centres of its bends. (The construction is that of the OpenCRG tools.)

use super::course::Corner;

/// A place on the road and how x and y change with u and v there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub u: f64,
    pub v: f64,
    pub x_u: f64,
    pub y_u: f64,
    pub x_v: f64,
    pub y_v: f64,
}

/// An interval: its start, the way to its end, and the normals at both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub x: f64,
    pub y: f64,
    pub dx: f64,
    pub dy: f64,
    pub n1x: f64,
    pub n1y: f64,
    pub n2x: f64,
    pub n2y: f64,
}

/// A straight: a point, its u and its heading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Straight {
    pub u: f64,
    pub x: f64,
    pub y: f64,
    pub cosine: f64,
    pub sine: f64,
}

impl Straight {
    /// From a point, its u and its direction.
    pub fn new(u: f64, [x, y]: [f64; 2], way: [f64; 2]) -> Self {
        let length = way[0].hypot(way[1]);
        Self { u, x, y, cosine: way[0] / length, sine: way[1] / length }
    }

    #[inline]
    pub fn place(&self, x: f64, y: f64) -> Place {
        let (east, north) = (x - self.x, y - self.y);
        Place {
            u: self.u + self.cosine * east + self.sine * north,
            v: self.cosine * north - self.sine * east,
            x_u: self.cosine,
            y_u: self.sine,
            x_v: -self.sine,
            y_v: self.cosine,
        }
    }

    pub fn position(&self, u: f64, v: f64) -> [f64; 2] {
        let along = u - self.u;
        [self.x + self.cosine * along - self.sine * v, self.y + self.sine * along + self.cosine * v]
    }
}

impl Interval {
    /// From its start and its corners.
    pub fn new([x, y]: [f64; 2], corner: &Corner) -> Self {
        Self {
            x,
            y,
            dx: corner.way[0],
            dy: corner.way[1],
            n1x: corner.start_normal[0],
            n1y: corner.start_normal[1],
            n2x: corner.end_normal[0],
            n2y: corner.end_normal[1],
        }
    }

    /// How far (x, y) is behind the border at the end; positive behind it.
    #[inline]
    pub fn past_end(&self, x: f64, y: f64) -> f64 {
        (x - self.x - self.dx) * self.n2y - (y - self.y - self.dy) * self.n2x
    }

    /// How far (x, y) is behind the border at the start; negative before it.
    #[inline]
    pub fn past_start(&self, x: f64, y: f64) -> f64 {
        (x - self.x) * self.n1y - (y - self.y) * self.n1x
    }

    /// Eq. (2) and (3): t and v.
    #[inline]
    pub fn inside(&self, x: f64, y: f64) -> (f64, f64) {
        let length = (self.dx * self.dx + self.dy * self.dy).sqrt();
        let v = (self.dx * (y - self.y) - self.dy * (x - self.x)) / length;
        let from_start = self.past_start(x, y) / (self.n1y * self.dx - self.n1x * self.dy);
        let to_end = -self.past_end(x, y) / (self.n2y * self.dx - self.n2x * self.dy);
        let whole = from_start + to_end;
        let t = if whole > 0.0 { (from_start / whole).clamp(0.0, 1.0) } else { 0.5 };
        (t, v)
    }

    /// Derivatives of eq. (1): along t and along v.
    #[inline]
    pub fn derivatives(&self, t: f64, v: f64) -> ([f64; 2], [f64; 2]) {
        let (turn_x, turn_y) = (self.n2x - self.n1x, self.n2y - self.n1y);
        ([self.dx + v * turn_x, self.dy + v * turn_y], [self.n1x + t * turn_x, self.n1y + t * turn_y])
    }
}
