//! The surface over (u, v): the grid's heights, the slope and the banking of the reference line,
//! and what is beyond the edges.
//!
//! ```text
//!   (1)  z(u, v) = h(u, v) + z_ref(u) + v b(u)         h bilinear on the grid, z_ref and b linear between records
//!   (2)  beyond an end or a side: the border mode; zero and offset as the options say
//!   (3)  in a smoothing zone of length s: z ← z₀ + w (z − z₀), w = distance to the end / s, z₀ = z_ref at that end
//! ```

use super::content::{Border, Options};

/// Height and derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Height {
    pub z: f64,
    pub z_u: f64,
    pub z_v: f64,
}

/// The reference line's height and banking at a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record {
    pub z: f64,
    pub banking: f64,
}

/// The surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    u_start: f64,
    u_end: f64,
    per_increment: f64,
    v: Vec<f64>,
    per_v: Option<f64>,
    records: Vec<Record>,
    heights: Vec<f64>,
    options: Options,
}

/// A cell along one direction.
#[derive(Clone, Copy)]
struct Cell {
    index: usize,
    /// From 0 to 1.
    part: f64,
    per_step: f64,
    outside: bool,
    /// −1 where the grid is mirrored.
    sign: f64,
}

/// Repeats or mirrors a coordinate into the range; with the sign of its direction.
#[inline]
fn wrapped(value: f64, low: f64, high: f64, border: Border) -> (f64, f64) {
    let length = high - low;
    match border {
        Border::Repeat => ((value - low).rem_euclid(length) + low, 1.0),
        Border::Reflect => {
            let round = (value - low).rem_euclid(2.0 * length);
            if round > length { (2.0 * length - round + low, -1.0) } else { (round + low, 1.0) }
        }
        _ => (value, 1.0),
    }
}

impl Surface {
    /// The surface of a grid without gaps.
    pub fn new(
        u_start: f64,
        increment: f64,
        v: Vec<f64>,
        records: Vec<Record>,
        heights: Vec<f64>,
        options: Options,
    ) -> Self {
        let last = (v.len() - 1) as f64;
        let step = (v[v.len() - 1] - v[0]) / last;
        let even = |(index, position): (usize, &f64)| (position - v[0] - step * index as f64).abs() < 1e-9;
        Self {
            u_start,
            u_end: u_start + increment * (records.len() - 1) as f64,
            per_increment: 1.0 / increment,
            per_v: v.iter().enumerate().all(even).then_some(1.0 / step),
            v,
            records,
            heights,
            options,
        }
    }

    /// Range along u (m).
    pub fn u_range(&self) -> [f64; 2] {
        [self.u_start, self.u_end]
    }

    /// Positions of the long sections (m).
    pub fn v(&self) -> &[f64] {
        &self.v
    }

    /// The height of the reference line at a record.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    #[inline]
    fn cell_u(&self, u: f64) -> Cell {
        let (u, sign) = wrapped(u, self.u_start, self.u_end, self.options.border_u);
        let steps = (u - self.u_start) * self.per_increment;
        let index = (steps.max(0.0) as usize).min(self.records.len() - 2);
        let part = steps - index as f64;
        let held = part.clamp(0.0, 1.0);
        Cell { index, part: held, per_step: self.per_increment, outside: held != part, sign }
    }

    #[inline]
    fn cell_v(&self, v: f64) -> (Cell, f64) {
        let (low, high) = (self.v[0], self.v[self.v.len() - 1]);
        let (v, sign) = wrapped(v, low, high, self.options.border_v);
        let (index, part, per_step) = match self.per_v {
            Some(per_step) => {
                let steps = (v - low) * per_step;
                let index = (steps.max(0.0) as usize).min(self.v.len() - 2);
                (index, steps - index as f64, per_step)
            }
            None => {
                let above = self.v.partition_point(|position| *position <= v);
                let index = above.saturating_sub(1).min(self.v.len() - 2);
                let per_step = 1.0 / (self.v[index + 1] - self.v[index]);
                (index, (v - self.v[index]) * per_step, per_step)
            }
        };
        let held = part.clamp(0.0, 1.0);
        let cell = Cell { index, part: held, per_step, outside: held != part, sign };
        (cell, v.clamp(low, high))
    }

    /// Height and derivatives at a place.
    #[inline]
    pub fn at(&self, u: f64, v: f64) -> Height {
        let along = self.cell_u(u);
        let (across, held_v) = self.cell_v(v);
        let mut height = self.inside(&along, &across, held_v);
        if along.outside {
            height.z_u = 0.0;
            beyond(&mut height, self.options.border_u, self.options.border_offset_u_m);
        }
        if across.outside {
            height.z_v = 0.0;
            beyond(&mut height, self.options.border_v, self.options.border_offset_v_m);
        }
        let u = wrapped(u, self.u_start, self.u_end, self.options.border_u).0;
        if self.options.smooth_start_m > 0.0 {
            let level = self.records[0].z;
            fade(&mut height, u - self.u_start, self.options.smooth_start_m, level, 1.0);
        }
        if self.options.smooth_end_m > 0.0 {
            let level = self.records[self.records.len() - 1].z;
            fade(&mut height, self.u_end - u, self.options.smooth_end_m, level, -1.0);
        }
        height.z_u *= along.sign;
        height.z_v *= across.sign;
        height
    }

    /// Eq. (1).
    #[inline]
    fn inside(&self, along: &Cell, across: &Cell, v: f64) -> Height {
        let width = self.v.len();
        let corner = along.index * width + across.index;
        let (z00, z01) = (self.heights[corner], self.heights[corner + 1]);
        let (z10, z11) = (self.heights[corner + width], self.heights[corner + width + 1]);
        let (t, s) = (along.part, across.part);
        let twist = z11 - z10 - z01 + z00;
        let rise = twist * s + z10 - z00;
        let (from, to) = (self.records[along.index], self.records[along.index + 1]);
        let (climb, turn) = (to.z - from.z, to.banking - from.banking);
        let banking = from.banking + t * turn;
        Height {
            z: rise * t + (z01 - z00) * s + z00 + from.z + t * climb + v * banking,
            z_u: (rise + climb + v * turn) * along.per_step,
            z_v: (twist * t + z01 - z00) * across.per_step + banking,
        }
    }
}

/// Eq. (2).
#[inline]
fn beyond(height: &mut Height, border: Border, offset: f64) {
    match border {
        Border::Zero => *height = Height { z: offset, z_u: 0.0, z_v: 0.0 },
        Border::Keep | Border::None => height.z += offset,
        Border::Repeat | Border::Reflect => {}
    }
}

/// Eq. (3), `inwards` m from an end; `sign` is the direction of u that leads inwards.
#[inline]
fn fade(height: &mut Height, inwards: f64, length: f64, level: f64, sign: f64) {
    let held = inwards.max(0.0);
    if held >= length {
        return;
    }
    let weight = held / length;
    let drift = if inwards > 0.0 { sign * (height.z - level) / length } else { 0.0 };
    height.z_u = weight * height.z_u + drift;
    height.z_v *= weight;
    height.z = level + weight * (height.z - level);
}
