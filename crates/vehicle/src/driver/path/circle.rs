//! Straight entry, transition curve, circle without end.
//!
//! In the transition the curvature rises in proportion to the distance (a clothoid), so that the
//! steering wheel can be turned at a steady rate. Its position is ∫ (cos ½κ′s², sin ½κ′s²) ds, by
//! Gauss's two-point rule on short pieces.

use super::{Path, Pose};

/// A circle with its entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Radius (m), positive to the left, negative to the right.
    pub radius_m: f64,
    /// Length of the straight entry (m).
    pub entry_m: f64,
    /// Length of the transition curve (m); above zero.
    pub transition_m: f64,
}

impl Circle {
    /// The path from a point in a direction.
    #[must_use]
    pub fn path(&self, origin_m: [f64; 2], heading_rad: f64) -> Path {
        const SPACING_M: f64 = 0.5;
        let count = ((self.entry_m + self.transition_m) / SPACING_M).ceil().max(1.0);
        let spacing = (self.entry_m + self.transition_m) / count;
        let (sine, cosine) = heading_rad.sin_cos();
        let mut pose = Pose { point_m: origin_m, tangent: [cosine, sine], curvature_1_m: 0.0 };
        let mut poses = vec![pose];
        for index in 0..count as usize {
            pose = self.next(pose, index as f64 * spacing, spacing, heading_rad);
            poses.push(pose);
        }
        Path::new(poses, spacing, false)
    }

    fn curvature(&self, along_m: f64) -> f64 {
        ((along_m - self.entry_m) / self.transition_m).clamp(0.0, 1.0) / self.radius_m
    }

    /// Angle that the path has turned through, in entry and transition.
    fn angle(&self, along_m: f64) -> f64 {
        0.5 * (along_m - self.entry_m).max(0.0) * self.curvature(along_m)
    }

    fn next(&self, from: Pose, along_m: f64, spacing_m: f64, heading_rad: f64) -> Pose {
        const GAUSS: [f64; 2] = [0.211_324_865_405_187_1, 0.788_675_134_594_812_9];
        let mut pose = from;
        for part in GAUSS {
            let (sine, cosine) = (heading_rad + self.angle(along_m + part * spacing_m)).sin_cos();
            pose.point_m[0] += 0.5 * spacing_m * cosine;
            pose.point_m[1] += 0.5 * spacing_m * sine;
        }
        let end = along_m + spacing_m;
        let (sine, cosine) = (heading_rad + self.angle(end)).sin_cos();
        Pose { tangent: [cosine, sine], curvature_1_m: self.curvature(end), ..pose }
    }
}
