//! The double lane change of ISO 3888-1: its corridor, and a line through it.
//!
//! With b the width of the vehicle, the standard has lanes between cones:
//!
//! | section | from (m) | to (m) | width (m) | offset of the right edge (m) |
//! | --- | --- | --- | --- | --- |
//! | 1, entry | 0 | 15 | 1.1 b + 0.25 | 0 |
//! | 3, side lane | 45 | 70 | 1.2 b + 0.25 | 3.5 |
//! | 5, exit | 95 | 125 | 1.3 b + 0.25 | 0 |
//!
//! Sections 2 and 4 are free. A line that changes lanes only there would need 1.2 g at 80 km/h. So
//! the line begins to turn while still between the cones, and uses a share of the room that the
//! vehicle has there. A lane change is the polynomial
//! ```text
//! y(x) = y₀ + h p((x − x₀)/l),   p(τ) = 10 τ³ − 15 τ⁴ + 6 τ⁵                       (1)
//! |y″| ≤ 5.77 h/l²                                                                 (2)
//! ```
//! with l as long as the room allows: p(τ₁) h and p(τ₂) h are the offsets from the middles of the
//! lanes at the cones.

use super::{Curve, Path, sampled};
use crate::driver::signal::{smooth, times};

/// One lane between cones, in the axes of the track: x from the first cones on, y to the left from
/// the middle of the first lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// First cones (m).
    pub start_m: f64,
    /// Last cones (m).
    pub end_m: f64,
    /// Middle of the lane (m).
    pub middle_m: f64,
    /// Width (m).
    pub width_m: f64,
}

/// The lanes, and where the track lies in E.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corridor {
    /// Middle of the first pair of cones in E (m).
    pub origin_m: [f64; 2],
    /// Direction of the track in E (rad).
    pub heading_rad: f64,
    /// Entry, side lane, exit.
    pub sections: [Section; 3],
}

/// A double lane change for a vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaneChange {
    /// Width of the vehicle (m).
    pub vehicle_width_m: f64,
    /// Straight line before the first cones (m).
    pub entry_m: f64,
    /// Offset between the right edges of first lane and side lane (m): 3.5 in the standard.
    pub offset_m: f64,
    /// The side lane is on the left; otherwise the track is mirrored.
    pub left: bool,
    /// Share of the room between vehicle and cones that the line uses.
    pub use_of_room: f64,
}

impl LaneChange {
    /// The corridor of a track whose entry begins at a point in a direction.
    #[must_use]
    pub fn corridor(&self, origin_m: [f64; 2], heading_rad: f64) -> Corridor {
        let (sine, cosine) = heading_rad.sin_cos();
        Corridor {
            origin_m: [origin_m[0] + self.entry_m * cosine, origin_m[1] + self.entry_m * sine],
            heading_rad,
            sections: self.sections(),
        }
    }

    /// The line to drive.
    #[must_use]
    pub fn path(&self, origin_m: [f64; 2], heading_rad: f64) -> Path {
        let [entry, side, exit] = self.sections();
        let curve = Line {
            entry_m: self.entry_m,
            end_m: self.entry_m + exit.end_m,
            changes: [self.change(entry, side), self.change(side, exit)],
        };
        sampled(&curve, false, origin_m, heading_rad)
    }

    fn sections(&self) -> [Section; 3] {
        let width = |factor: f64| factor * self.vehicle_width_m + 0.25;
        let [first, second, third] = [width(1.1), width(1.2), width(1.3)];
        let side = if self.left { 1.0 } else { -1.0 };
        // Right edges are aligned (left edges when mirrored), middles follow from the widths.
        let middle = |right_edge: f64, width: f64| side * (right_edge + 0.5 * (width - first));
        let section = |start_m, end_m, right_edge, width_m| Section {
            start_m,
            end_m,
            middle_m: middle(right_edge, width_m),
            width_m,
        };
        [section(0.0, 15.0, 0.0, first), section(45.0, 70.0, self.offset_m, second), section(95.0, 125.0, 0.0, third)]
    }

    fn change(&self, from: Section, to: Section) -> Change {
        let rise_m = to.middle_m - from.middle_m;
        let share = |section: Section| {
            let room = 0.5 * (section.width_m - self.vehicle_width_m).max(0.0);
            inverse_smooth(self.use_of_room * room / rise_m.abs().max(1e-6))
        };
        let (before, after) = (share(from), share(to));
        let length_m = (to.start_m - from.end_m) / (1.0 - before - after);
        Change { start_m: from.end_m - before * length_m, length_m, rise_m }
    }
}

impl Corridor {
    /// Distance from a point in E to the nearest edge of the lane that it is in (m), negative
    /// outside; `None` where there are no cones.
    #[must_use]
    pub fn clearance_m(&self, point_m: [f64; 2]) -> Option<f64> {
        let (sine, cosine) = self.heading_rad.sin_cos();
        let [x, y] = [point_m[0] - self.origin_m[0], point_m[1] - self.origin_m[1]];
        let [along, left] = [x * cosine + y * sine, y * cosine - x * sine];
        let section = self.sections.iter().find(|section| (section.start_m..=section.end_m).contains(&along))?;
        Some(0.5 * section.width_m - (left - section.middle_m).abs())
    }
}

/// Where p(τ) has a value, up to 0.3, by bisection.
fn inverse_smooth(value: f64) -> f64 {
    let (mut low, mut high) = (0.0, 0.3);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if smooth(middle, 1.0).value < value { low = middle } else { high = middle }
    }
    low
}

#[derive(Clone, Copy, Debug)]
struct Change {
    start_m: f64,
    length_m: f64,
    rise_m: f64,
}

/// Eq. (1) twice, as a curve over x.
struct Line {
    entry_m: f64,
    end_m: f64,
    changes: [Change; 2],
}

impl Curve for Line {
    fn end(&self) -> f64 {
        self.end_m
    }

    fn at(&self, parameter: f64) -> [[f64; 2]; 3] {
        let x = parameter - self.entry_m;
        let mut at = [[parameter, 0.0], [1.0, 0.0], [0.0, 0.0]];
        for change in &self.changes {
            let part = times(smooth(x - change.start_m, change.length_m), change.rise_m);
            at[0][1] += part.value;
            at[1][1] += part.rate;
            at[2][1] += part.acceleration;
        }
        at
    }
}
