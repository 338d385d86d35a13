//! From a curve with any parameter to poses at equal distances.
//!
//! With u the parameter and c(u) the curve, the parameter as a function of the distance s along it
//! satisfies
//! ```text
//! du/ds = 1 / |c′(u)|                                                             (1)
//! κ = (x′ y″ − y′ x″) / |c′|³                                                     (2)
//! ```
//! Eq. (1) is integrated by the classical Runge–Kutta method.

use super::{Path, Pose};

/// A curve in the plane with a parameter from 0 to [`Curve::end`].
pub trait Curve {
    /// Last value of the parameter.
    fn end(&self) -> f64;
    /// Point, first and second derivative with respect to the parameter.
    fn at(&self, parameter: f64) -> [[f64; 2]; 3];
}

/// Distance between poses (m), unless the path is very long.
const SPACING_M: f64 = 0.5;
/// Most poses of a path.
const POSES_MAX: f64 = 100_000.0;

/// The path along a curve, moved and turned so that its zero point is at `origin_m` and its x-axis
/// along `heading_rad`.
#[must_use]
pub fn sampled(curve: &dyn Curve, closed: bool, origin_m: [f64; 2], heading_rad: f64) -> Path {
    let length = length_of(curve);
    let count = (length / SPACING_M).ceil().clamp(4.0, POSES_MAX);
    let spacing = length / count;
    let mut poses = Vec::with_capacity(count as usize + 1);
    let mut parameter = 0.0;
    for _ in 0..=count as usize {
        poses.push(moved(pose_of(curve, parameter), origin_m, heading_rad));
        parameter = (parameter + advance(curve, parameter, spacing)).min(curve.end());
    }
    if closed {
        poses.pop();
    }
    Path::new(poses, spacing, closed)
}

fn speed(curve: &dyn Curve, parameter: f64) -> f64 {
    let [_, [x, y], _] = curve.at(parameter);
    x.hypot(y).max(1e-9)
}

/// Arc length by Simpson's rule.
fn length_of(curve: &dyn Curve) -> f64 {
    const PANELS: usize = 4000;
    let width = curve.end() / PANELS as f64;
    let sum: f64 = (0..PANELS)
        .map(|panel| {
            let start = panel as f64 * width;
            speed(curve, start) + 4.0 * speed(curve, start + 0.5 * width) + speed(curve, start + width)
        })
        .sum();
    sum * width / 6.0
}

/// Eq. (1) over a distance, in four parts.
fn advance(curve: &dyn Curve, from: f64, distance: f64) -> f64 {
    let step = 0.25 * distance;
    let slope = |parameter: f64| 1.0 / speed(curve, parameter);
    let mut parameter = from;
    for _ in 0..4 {
        let first = slope(parameter);
        let second = slope(parameter + 0.5 * step * first);
        let third = slope(parameter + 0.5 * step * second);
        let fourth = slope(parameter + step * third);
        parameter += step / 6.0 * (first + 2.0 * second + 2.0 * third + fourth);
    }
    parameter - from
}

fn pose_of(curve: &dyn Curve, parameter: f64) -> Pose {
    let [point_m, [x1, y1], [x2, y2]] = curve.at(parameter);
    let length = x1.hypot(y1).max(1e-9);
    Pose {
        point_m,
        tangent: [x1 / length, y1 / length],
        curvature_1_m: (x1 * y2 - y1 * x2) / (length * length * length), // Eq. (2)
    }
}

/// From the axes in which a shape was drawn to the earth's.
pub(super) fn moved(pose: Pose, origin_m: [f64; 2], heading_rad: f64) -> Pose {
    let (sine, cosine) = heading_rad.sin_cos();
    let [x, y] = super::turned(pose.point_m, sine, cosine);
    Pose {
        point_m: [origin_m[0] + x, origin_m[1] + y],
        tangent: super::turned(pose.tangent, sine, cosine),
        curvature_1_m: pose.curvature_1_m,
    }
}
