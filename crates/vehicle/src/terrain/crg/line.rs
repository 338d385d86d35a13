//! The reference line: from (x, y) to (u, v) and back.
//!
//! The line is a chain of intervals ([`Interval`]); a place belongs to the one whose borders it
//! lies between. Before the start and behind the end the line goes on straight; a closed line is
//! joined where these straights meet. Where the line comes near itself, a place belongs to the
//! interval at the nearest point.

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
        let intervals = intervals(&points)?;
        let is_straight = is_straight(&points, epsilon);
        let u_end = u_start + increment * intervals.len() as f64;
        let (first, last) = (intervals[0], intervals[intervals.len() - 1]);
        let mean = mean_direction(&points);
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

/// The pieces of a reference line: intervals that bend with their neighbours, and straights beyond
/// the ends.
///
/// The line is a chain of intervals of equal length. At each inner point stands the normal of the
/// chord between its two neighbours; in an interval with unit normal m it is scaled so that its
/// part along m is 1 (n₁ at the start, n₂ at the end). With t from 0 to 1:
///
/// ```text
///   (1)  p(t, v) = (1 − t)(p₁ + v n₁) + t (p₂ + v n₂)
///   (2)  v = m · (p − p₁)                                     because m · n₁ = m · n₂ = 1
///   (3)  t = tₐ / (tₐ + t_b),  tₐ = (p − p₁) × n₁ / (e × n₁),  t_b = −(p − p₂) × n₂ / (e × n₂),  e = p₂ − p₁
/// ```
///
/// so that neighbouring intervals share their borders and (u, v) covers the plane beside the line
/// without gaps, up to the centres of its bends. (The construction is that of the OpenCRG tools.)
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

/// The intervals between points, or what is wrong with them: a line whose points coincide, or that
/// turns back on itself, has no normals.
fn intervals(points: &[[f64; 2]]) -> Result<Vec<Interval>, String> {
    let way = |from: usize, to: usize| [points[to][0] - points[from][0], points[to][1] - points[from][1]];
    let normal = |way: [f64; 2]| {
        let length = way[0].hypot(way[1]);
        [-way[1] / length, way[0] / length]
    };
    let last = points.len() - 1;
    let mut intervals = Vec::with_capacity(last);
    for (index, [x, y]) in points[..last].iter().copied().enumerate() {
        let own = normal(way(index, index + 1));
        if !(own[0].is_finite() && own[1].is_finite()) {
            return Err(format!("records {} and {} are at the same place", index + 1, index + 2));
        }
        let at = |point: usize| {
            if point == 0 || point == last {
                return Ok(own);
            }
            let chord = normal(way(point - 1, point + 1));
            let share = chord[0] * own[0] + chord[1] * own[1];
            if share > 0.05 {
                return Ok([chord[0] / share, chord[1] / share]);
            }
            Err(format!("the reference line turns too sharply at record {}", point + 1))
        };
        let [dx, dy] = way(index, index + 1);
        let ([n1x, n1y], [n2x, n2y]) = (at(index)?, at(index + 1)?);
        intervals.push(Interval { x, y, dx, dy, n1x, n1y, n2x, n2y });
    }
    Ok(intervals)
}

/// Whether all headings are within ε π.
fn is_straight(points: &[[f64; 2]], epsilon: f64) -> bool {
    let heading = |pair: &[[f64; 2]]| (pair[1][1] - pair[0][1]).atan2(pair[1][0] - pair[0][0]);
    let first = heading(&points[..2]);
    let (mut low, mut high) = (0.0_f64, 0.0_f64);
    for pair in points.windows(2) {
        let (sine, cosine) = (heading(pair) - first).sin_cos();
        let turn = sine.atan2(cosine);
        (low, high) = (low.min(turn), high.max(turn));
    }
    high - low <= epsilon * std::f64::consts::PI
}

/// The mean of the unit directions of the intervals.
fn mean_direction(points: &[[f64; 2]]) -> [f64; 2] {
    let mut sum = [0.0, 0.0];
    for pair in points.windows(2) {
        let way = [pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]];
        let length = way[0].hypot(way[1]);
        sum[0] += way[0] / length;
        sum[1] += way[1] / length;
    }
    sum
}
