//! The reference line: from (x, y) to (u, v) and back.
//!
//! The line is a chain of intervals (`interval`); a place belongs to the one whose borders it lies
//! between. Before the start and behind the end the line goes on straight; a closed line is joined
//! where these straights meet. Where the line comes near itself, a place belongs to the interval at
//! the nearest point.

use super::course;
use super::interval::{Interval, Place, Straight};
use super::nearest::Nearest;
use crate::terrain::Hint;

/// Where the ends of a closed line meet: u of the crossing before the start and behind the end.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Closure {
    before: f64,
    behind: f64,
}

/// The reference line.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceLine {
    increment: f64,
    start: Straight,
    end: Straight,
    is_straight: bool,
    intervals: Vec<Interval>,
    nearest: Nearest,
    closure: Option<Closure>,
}

impl ReferenceLine {
    /// The line through points that are `increment` apart; `epsilon` says from which bend on it is
    /// not straight. What is wrong with it otherwise.
    pub fn new(u_start: f64, increment: f64, points: Vec<[f64; 2]>, epsilon: f64) -> Result<Self, String> {
        let intervals = course::intervals(&points)?;
        let is_straight = course::is_straight(&points, epsilon);
        let intervals: Vec<Interval> =
            (intervals.iter().zip(&points)).map(|(corner, point)| Interval::new(*point, corner)).collect();
        let u_end = u_start + increment * intervals.len() as f64;
        let (first, last) = (intervals[0], intervals[intervals.len() - 1]);
        let mean = course::mean_direction(&points);
        let way = if is_straight { mean } else { [first.dx, first.dy] };
        let start = Straight::new(u_start, [first.x, first.y], way);
        let end = Straight::new(u_end, [last.x + last.dx, last.y + last.dy], [last.dx, last.dy]);
        Ok(Self { increment, start, end, is_straight, intervals, nearest: Nearest::new(points), closure: None })
    }

    /// Joins the end to the start where the straights beyond them meet; they must lead the same way
    /// within 60°.
    pub fn close(&mut self, tolerance: f64) {
        let (start, end) = (&self.start, &self.end);
        let (x, y) = (start.x - end.x, start.y - end.y);
        let dot = start.cosine * end.cosine + start.sine * end.sine;
        if self.is_straight || dot < 0.5 {
            return;
        }
        let forward = (start.sine * y + start.cosine * x) / dot;
        let backward = -(end.sine * y + end.cosine * x) / dot;
        if forward < -tolerance || backward > tolerance {
            return;
        }
        self.closure = Some(Closure { before: start.u + 0.5 * backward * dot, behind: end.u + 0.5 * forward * dot });
        let cross = start.cosine * end.sine - start.sine * end.cosine;
        if cross.abs() < f64::EPSILON {
            return;
        }
        let forward = (start.cosine * y - start.sine * x) / cross;
        let backward = (end.cosine * y - end.sine * x) / cross;
        if forward >= -tolerance && backward <= tolerance {
            self.closure = Some(Closure { before: start.u + backward, behind: end.u + forward });
        }
    }

    /// Whether it is joined to a loop.
    pub fn is_closed(&self) -> bool {
        self.closure.is_some()
    }

    /// Whether it is straight.
    pub fn is_straight(&self) -> bool {
        self.is_straight
    }

    /// Its points.
    pub fn points(&self) -> &[[f64; 2]] {
        self.nearest.points()
    }

    /// u within one round of a closed line.
    #[inline]
    pub fn wrapped(&self, u: f64) -> f64 {
        match self.closure {
            Some(closure) if closure.behind > closure.before => {
                (u - closure.before).rem_euclid(closure.behind - closure.before) + closure.before
            }
            _ => u,
        }
    }

    /// (x, y) → (u, v).
    #[inline]
    pub fn place(&self, x: f64, y: f64, hint: &mut Hint) -> Place {
        if self.is_straight {
            return self.start.place(x, y);
        }
        let nearest = self.nearest.find(x, y, hint.0);
        hint.0 = nearest;
        let index = self.walk(x, y, nearest.saturating_sub(1).min(self.intervals.len() - 1));
        let interval = &self.intervals[index];
        if index == 0 && interval.past_start(x, y) < 0.0 {
            return self.before(x, y);
        }
        if index + 1 == self.intervals.len() && interval.past_end(x, y) > 0.0 {
            return self.behind(x, y);
        }
        let (t, v) = interval.inside(x, y);
        let (along, across) = interval.derivatives(t, v);
        Place {
            u: self.start.u + (index as f64 + t) * self.increment,
            v,
            x_u: along[0] / self.increment,
            y_u: along[1] / self.increment,
            x_v: across[0],
            y_v: across[1],
        }
    }

    /// From an interval to the one whose borders the place lies between: forwards, or else
    /// backwards.
    #[inline]
    fn walk(&self, x: f64, y: f64, from: usize) -> usize {
        let last = self.intervals.len() - 1;
        let mut index = from;
        while index < last && self.intervals[index].past_end(x, y) > 0.0 {
            index += 1;
        }
        if index > from {
            return index;
        }
        while index > 0 && self.intervals[index].past_start(x, y) < 0.0 {
            index -= 1;
        }
        index
    }

    fn before(&self, x: f64, y: f64) -> Place {
        let place = self.start.place(x, y);
        match self.closure {
            Some(ends) if place.u < ends.before || (place.u > self.end.u && place.u < ends.behind) => {
                self.end.place(x, y)
            }
            _ => place,
        }
    }

    fn behind(&self, x: f64, y: f64) -> Place {
        let place = self.end.place(x, y);
        match self.closure {
            Some(ends) if place.u > ends.behind => self.start.place(x, y),
            _ => place,
        }
    }

    /// (u, v) → (x, y).
    pub fn position(&self, u: f64, v: f64) -> [f64; 2] {
        if self.is_straight {
            return self.start.position(u, v);
        }
        let u = self.wrapped(u);
        let steps = (u - self.start.u) / self.increment;
        if steps < 0.0 {
            return self.start.position(u, v);
        }
        if steps > self.intervals.len() as f64 {
            return self.end.position(u, v);
        }
        let interval = &self.intervals[(steps as usize).min(self.intervals.len() - 1)];
        let t = steps - (steps.floor()).min(self.intervals.len() as f64 - 1.0);
        let (along, _) = interval.derivatives(t, v);
        // Eq. (1)
        [interval.x + v * interval.n1x + t * along[0], interval.y + v * interval.n1y + t * along[1]]
    }

    /// Heading at u (rad).
    pub fn heading(&self, u: f64) -> f64 {
        if self.is_straight {
            return self.start.sine.atan2(self.start.cosine);
        }
        let steps = (self.wrapped(u) - self.start.u) / self.increment;
        let interval = &self.intervals[(steps.max(0.0) as usize).min(self.intervals.len() - 1)];
        interval.dy.atan2(interval.dx)
    }
}
