//! The points of a reference line: from headings, and the normals between its intervals.

use super::content::{Content, Course};

/// An interval's way and the scaled normals at its ends.
pub struct Corner {
    pub way: [f64; 2],
    pub start_normal: [f64; 2],
    pub end_normal: [f64; 2],
}

/// The points of a line.
pub fn points(content: &Content) -> Vec<[f64; 2]> {
    let count = content.records();
    match &content.course {
        Course::Positions(points) => points.clone(),
        Course::Straight => integrated(content, &vec![content.start.heading_rad; count]),
        Course::Headings(headings) => {
            let mut points = integrated(content, headings);
            if let (Some(end), Some(reached)) = (content.end_xy_m, points.last().copied()) {
                close_to(&mut points, [end[0] - reached[0], end[1] - reached[1]]);
            }
            points
        }
    }
}

/// Each record's heading leads to its point.
fn integrated(content: &Content, headings: &[f64]) -> Vec<[f64; 2]> {
    let mut sum = [0.0, 0.0];
    let mut points = vec![[content.start.x_m, content.start.y_m]];
    for heading in headings.iter().skip(1) {
        let (sine, cosine) = heading.sin_cos();
        sum[0] += content.increment_m * cosine;
        sum[1] += content.increment_m * sine;
        points.push([content.start.x_m + sum[0], content.start.y_m + sum[1]]);
    }
    points
}

/// Spreads what is missing to the given end evenly over the line.
fn close_to(points: &mut [[f64; 2]], missing: [f64; 2]) {
    let last = (points.len() - 1) as f64;
    for (index, point) in points.iter_mut().enumerate() {
        let part = index as f64 / last;
        point[0] += part * missing[0];
        point[1] += part * missing[1];
    }
}

/// Heights of the reference line.
pub fn heights(content: &Content) -> Vec<f64> {
    let count = content.records();
    let slope = |index: usize| match &content.slopes {
        Some(slopes) => slopes[index],
        None => content.start.slope,
    };
    let mut sum = 0.0;
    let mut heights = vec![content.start.z_m];
    for index in 1..count {
        sum += content.increment_m * slope(index);
        heights.push(content.start.z_m + sum);
    }
    if let (Some(end), true) = (content.end_z_m, content.slopes.is_some()) {
        let missing = end - (content.start.z_m + sum);
        let last = (count - 1) as f64;
        for (index, height) in heights.iter_mut().enumerate() {
            *height += missing * index as f64 / last;
        }
    }
    heights
}

/// The intervals between points, or what is wrong with them: a line whose points coincide, or that
/// turns back on itself, has no normals.
pub fn intervals(points: &[[f64; 2]]) -> Result<Vec<Corner>, String> {
    let way = |from: usize, to: usize| [points[to][0] - points[from][0], points[to][1] - points[from][1]];
    let normal = |way: [f64; 2]| {
        let length = way[0].hypot(way[1]);
        [-way[1] / length, way[0] / length]
    };
    let last = points.len() - 1;
    let mut corners = Vec::with_capacity(last);
    for index in 0..last {
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
        corners.push(Corner { way: way(index, index + 1), start_normal: at(index)?, end_normal: at(index + 1)? });
    }
    Ok(corners)
}

/// Whether all headings are within ε π.
pub fn is_straight(points: &[[f64; 2]], epsilon: f64) -> bool {
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
pub fn mean_direction(points: &[[f64; 2]]) -> [f64; 2] {
    let mut sum = [0.0, 0.0];
    for pair in points.windows(2) {
        let way = [pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]];
        let length = way[0].hypot(way[1]);
        sum[0] += way[0] / length;
        sum[1] += way[1] / length;
    }
    sum
}
