//! A road as numbers that can still be changed: what the modifiers of a file work on, before it is
//! made fast to ask.

use super::content::{Content, Course, Options};

/// A road that can still be changed.
#[derive(Clone, Debug)]
pub struct Shape {
    pub u_start: f64,
    pub increment: f64,
    /// Points of the reference line.
    pub points: Vec<[f64; 2]>,
    /// Heights of the reference line.
    pub levels: Vec<f64>,
    pub bankings: Vec<f64>,
    pub v: Vec<f64>,
    /// Heights above the reference line, NaN where there is none.
    pub heights: Vec<f64>,
    pub options: Options,
}

/// How gaps in the grid are filled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fill {
    /// With one height.
    With(f64),
    /// At the sides with the last height plus an offset; between heights along a straight.
    Keep(f64),
}

impl Shape {
    /// The road of a file's content.
    pub fn new(content: &Content) -> Self {
        Self {
            u_start: content.start.u_m,
            increment: content.increment_m,
            points: points(content),
            levels: heights(content),
            bankings: match &content.bankings {
                Some(bankings) => bankings.clone(),
                None => vec![content.start.banking; content.records()],
            },
            v: content.v_m.clone(),
            heights: content.heights_m.clone(),
            options: content.options,
        }
    }

    /// Turns the road about a centre, then moves it.
    pub fn transform(&mut self, by: [f64; 3], turn_rad: f64, centre: [f64; 2]) {
        let (sine, cosine) = turn_rad.sin_cos();
        for point in &mut self.points {
            let (x, y) = (point[0] - centre[0], point[1] - centre[1]);
            *point = [centre[0] + x * cosine - y * sine + by[0], centre[1] + x * sine + y * cosine + by[1]];
        }
        for level in &mut self.levels {
            *level += by[2];
        }
    }

    /// Stretches the road along its line by a factor.
    pub fn stretch(&mut self, factor: f64) {
        let (origin, level_0) = (self.points[0], self.levels[0]);
        self.increment *= factor;
        for point in &mut self.points {
            *point = [origin[0] + factor * (point[0] - origin[0]), origin[1] + factor * (point[1] - origin[1])];
        }
        self.scale_levels(level_0, factor);
    }

    /// Scales the heights of the line above its start.
    pub fn scale_levels(&mut self, origin: f64, factor: f64) {
        for level in &mut self.levels {
            *level = origin + factor * (*level - origin);
        }
    }

    /// Bends the line by a factor: each turn from one interval to the next is scaled.
    pub fn bend(&mut self, factor: f64) {
        let way = |pair: &[[f64; 2]]| (pair[1][1] - pair[0][1]).atan2(pair[1][0] - pair[0][0]);
        let headings: Vec<f64> = self.points.windows(2).map(way).collect();
        let mut heading = headings[0];
        let mut point = self.points[0];
        for index in 0..headings.len() {
            if index > 0 {
                let (sine, cosine) = (headings[index] - headings[index - 1]).sin_cos();
                heading += factor * sine.atan2(cosine);
            }
            let (sine, cosine) = heading.sin_cos();
            point = [point[0] + self.increment * cosine, point[1] + self.increment * sine];
            self.points[index + 1] = point;
        }
    }

    /// Fills the gaps; the number of the first record (from 1) that has no height to go by
    /// otherwise.
    pub fn fill(&mut self, fill: Fill) -> Result<(), usize> {
        for (index, record) in self.heights.chunks_exact_mut(self.v.len()).enumerate() {
            match fill {
                Fill::With(height) => {
                    let gaps = record.iter_mut().filter(|value| value.is_nan());
                    gaps.for_each(|value| *value = height);
                }
                Fill::Keep(offset) => fill_record(record, &self.v, offset).ok_or(index + 1)?,
            }
        }
        Ok(())
    }
}

fn fill_record(record: &mut [f64], v: &[f64], offset: f64) -> Option<()> {
    let first = record.iter().position(|value| !value.is_nan())?;
    let last = record.iter().rposition(|value| !value.is_nan())?;
    let (right, left) = (record[first] + offset, record[last] + offset);
    record[..first].fill(right);
    record[last + 1..].fill(left);
    let mut known = first;
    for index in first + 1..=last {
        if record[index].is_nan() {
            continue;
        }
        for gap in known + 1..index {
            let part = (v[gap] - v[known]) / (v[index] - v[known]);
            record[gap] = record[known] + part * (record[index] - record[known]);
        }
        known = index;
    }
    Some(())
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
