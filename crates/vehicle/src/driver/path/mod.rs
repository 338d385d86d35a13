//! A line on the ground for a driver to follow.
//!
//! Whatever shape it was drawn in, a path is stored as poses at equal distances along it, and
//! between two of them as a cubic that has their positions and tangents. So finding the place
//! beside the vehicle and looking ahead cost no trigonometry. Before its beginning a path goes on
//! straight, after its end with its last curvature: a circle is an entry and an end that never
//! ends. With P(s) the path, t its tangent, κ its curvature, p the vehicle and e its offset to the
//! left, the nearest place is found by
//! ```text
//! s ← s + (p − P)·t / (1 − κ e)                                                   (1)
//! ```
//! from where it was in the last step.

mod circle;
mod iso_3888;
mod sample;
mod spline;

pub use circle::Circle;
pub use iso_3888::{Corridor, LaneChange, Section};
pub use sample::{Curve, sampled};
pub use spline::Spline;

/// A place on a path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// Position in E (m).
    pub point_m: [f64; 2],
    /// Unit vector along the path.
    pub tangent: [f64; 2],
    /// Curvature, positive to the left (1/m).
    pub curvature_1_m: f64,
}

/// A line on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    poses: Vec<Pose>,
    spacing_m: f64,
    closed: bool,
}

impl Pose {
    /// The pose after `distance_m` on an arc of this curvature.
    #[must_use]
    pub fn along_arc(&self, distance_m: f64) -> Self {
        if self.curvature_1_m == 0.0 {
            let [x, y] = self.point_m;
            let point_m = [x + distance_m * self.tangent[0], y + distance_m * self.tangent[1]];
            return Self { point_m, ..*self };
        }
        let angle = self.curvature_1_m * distance_m;
        let (half_sine, half_cosine) = (0.5 * angle).sin_cos();
        // The chord of an arc: 2 sin(α/2)/κ long, turned by α/2.
        let chord = if angle.abs() < 1e-9 { distance_m } else { 2.0 * half_sine / self.curvature_1_m };
        let towards = turned(self.tangent, half_sine, half_cosine);
        let (sine, cosine) = angle.sin_cos();
        Self {
            point_m: [self.point_m[0] + chord * towards[0], self.point_m[1] + chord * towards[1]],
            tangent: turned(self.tangent, sine, cosine),
            curvature_1_m: self.curvature_1_m,
        }
    }

    /// How far a point is ahead of this pose, and how far to its left (m).
    #[inline]
    #[must_use]
    pub fn offset_of(&self, point_m: [f64; 2]) -> [f64; 2] {
        let [x, y] = [point_m[0] - self.point_m[0], point_m[1] - self.point_m[1]];
        let [tx, ty] = self.tangent;
        [x * tx + y * ty, y * tx - x * ty]
    }
}

fn turned([x, y]: [f64; 2], sine: f64, cosine: f64) -> [f64; 2] {
    [x * cosine - y * sine, x * sine + y * cosine]
}

impl Path {
    /// From poses at equal distances; closed when the pose after the last is the first.
    #[must_use]
    pub fn new(poses: Vec<Pose>, spacing_m: f64, closed: bool) -> Self {
        Self { poses, spacing_m, closed }
    }

    /// A straight line.
    #[must_use]
    pub fn straight(point_m: [f64; 2], heading_rad: f64) -> Self {
        let (sine, cosine) = heading_rad.sin_cos();
        let pose = Pose { point_m, tangent: [cosine, sine], curvature_1_m: 0.0 };
        Self::new(vec![pose], 1.0, false)
    }

    /// Length of what was drawn (m).
    #[must_use]
    pub fn length_m(&self) -> f64 {
        let spans = if self.closed { self.poses.len() } else { self.poses.len().saturating_sub(1) };
        spans as f64 * self.spacing_m
    }

    /// Whether it ends where it began.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The same place of a closed path within its first lap; an open path has no laps.
    #[inline]
    #[must_use]
    pub fn within(&self, along_m: f64) -> f64 {
        let length = self.length_m();
        if self.closed && !(0.0..length).contains(&along_m) { along_m.rem_euclid(length) } else { along_m }
    }

    /// The pose at a distance along the path (m).
    #[inline]
    #[must_use]
    pub fn at(&self, along_m: f64) -> Pose {
        let length = self.length_m();
        let along = self.within(along_m);
        if along < 0.0 {
            let first = Pose { curvature_1_m: 0.0, ..self.poses.first().copied().unwrap_or_default() };
            return first.along_arc(along);
        }
        if !self.closed && along >= length {
            return self.poses.last().copied().unwrap_or_default().along_arc(along - length);
        }
        let place = along / self.spacing_m;
        let index = place as usize;
        let next = if index + 1 == self.poses.len() { 0 } else { index + 1 };
        match (self.poses.get(index), self.poses.get(next)) {
            (Some(from), Some(to)) => between(from, to, place - index as f64, self.spacing_m),
            _ => self.poses.first().copied().unwrap_or_default(),
        }
    }

    /// Where along the path a point is, near a place that is known: Eq. (1).
    #[inline]
    #[must_use]
    pub fn project(&self, point_m: [f64; 2], near_m: f64) -> f64 {
        const STEP_MAX_M: f64 = 5.0;
        const CLOSE_M: f64 = 1e-6;
        let mut along = near_m;
        for _ in 0..3 {
            let pose = self.at(along);
            let [ahead, left] = pose.offset_of(point_m);
            let step = ahead / (1.0 - pose.curvature_1_m * left).max(0.2);
            along += step.clamp(-STEP_MAX_M, STEP_MAX_M);
            if step.abs() < CLOSE_M {
                break;
            }
        }
        if along.is_finite() { along } else { near_m }
    }

    /// Where along the path a point is, wherever that may be.
    #[must_use]
    pub fn find(&self, point_m: [f64; 2]) -> f64 {
        let distance = |pose: &Pose| {
            let [x, y] = [point_m[0] - pose.point_m[0], point_m[1] - pose.point_m[1]];
            x * x + y * y
        };
        let nearest =
            self.poses.iter().enumerate().min_by(|(_, one), (_, other)| distance(one).total_cmp(&distance(other)));
        let near = nearest.map_or(0.0, |(index, _)| index as f64 * self.spacing_m);
        self.project(point_m, near)
    }
}

/// Cubic between two poses, at a share of the way.
fn between(from: &Pose, to: &Pose, share: f64, spacing_m: f64) -> Pose {
    let (rest, square) = (1.0 - share, share * share);
    let blend = square * (3.0 - 2.0 * share);
    let (start, end) = (share * rest * rest * spacing_m, square * rest * spacing_m);
    let (slope, start_slope, end_slope) =
        (6.0 * share * rest / spacing_m, rest * (1.0 - 3.0 * share), share * (3.0 * share - 2.0));
    let mut pose = Pose::default();
    for axis in 0..2 {
        let rise = to.point_m[axis] - from.point_m[axis];
        pose.point_m[axis] = from.point_m[axis] + blend * rise + start * from.tangent[axis] - end * to.tangent[axis];
        pose.tangent[axis] = slope * rise + start_slope * from.tangent[axis] + end_slope * to.tangent[axis];
    }
    let length = (pose.tangent[0] * pose.tangent[0] + pose.tangent[1] * pose.tangent[1]).sqrt();
    if length > 1e-12 {
        pose.tangent = pose.tangent.map(|part| part / length);
    }
    pose.curvature_1_m = from.curvature_1_m * rest + to.curvature_1_m * share;
    pose
}
