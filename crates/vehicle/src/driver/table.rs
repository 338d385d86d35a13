//! Points over time, joined by straight lines or smoothly.

use super::signal::{plus, smooth, times};
use crate::Coordinate;

/// How the points of a table are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// By straight lines: the rate jumps at the points, the acceleration there is not told.
    Linear,
    /// By fifth-order polynomials that rest at the points: rate and acceleration are continuous.
    #[default]
    Smooth,
}

/// Points over time; constant before the first and after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    points: Vec<[f64; 2]>,
    interpolation: Interpolation,
}

impl Table {
    /// From rows of time (s, rising) and value; at least one. Without any the table is zero.
    #[must_use]
    pub fn new(points: Vec<[f64; 2]>, interpolation: Interpolation) -> Self {
        Self { points, interpolation }
    }

    /// Always the same value.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self::new(vec![[0.0, value]], Interpolation::Linear)
    }

    /// As many times as much.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        self.points.iter_mut().for_each(|point| point[1] *= factor);
        self
    }

    /// Value and derivatives at a time (s).
    #[inline]
    #[must_use]
    pub fn at(&self, time_s: f64) -> Coordinate {
        let next = self.points.partition_point(|point| point[0] <= time_s);
        let (Some(before), Some(after)) =
            (next.checked_sub(1).and_then(|at| self.points.get(at)), self.points.get(next))
        else {
            let end = if next == 0 { self.points.first() } else { self.points.last() };
            return Coordinate::at_rest(end.map_or(0.0, |point| point[1]));
        };
        let (length, rise) = (after[0] - before[0], after[1] - before[1]);
        let since = time_s - before[0];
        let share = match self.interpolation {
            Interpolation::Linear => Coordinate { value: since / length, rate: 1.0 / length, acceleration: 0.0 },
            Interpolation::Smooth => smooth(since, length),
        };
        plus(Coordinate::at_rest(before[1]), times(share, rise))
    }
}
