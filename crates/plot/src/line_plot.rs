//! Lines in stacked panels over one x axis.

use crate::PlotError;
use crate::axis::Axis;
use crate::canvas::{self, Canvas, Colour, INK, Point, Text, colour};
use crate::decimate::decimate;
use crate::frame::{Frame, LABEL_SIZE};
use std::path::Path;

/// How a series is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineStyle {
    /// A full line: what happened.
    #[default]
    Solid,
    /// A dashed line: what was asked or expected.
    Dashed,
    /// A full line that holds each value until the next: what is counted, as a gear.
    Steps,
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The points (x, y); a point that is not finite makes a gap.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub style: LineStyle,
}

impl Series {
    /// A full line.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Series { name: name.into(), points, style: LineStyle::Solid }
    }

    /// The same line, dashed.
    pub fn dashed(self) -> Self {
        Series { style: LineStyle::Dashed, ..self }
    }

    /// The same line in steps.
    pub fn in_steps(self) -> Self {
        Series { style: LineStyle::Steps, ..self }
    }
}

/// Lines that share a y axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// The label of the y axis, with its unit: `level [cm]`.
    pub y_label: String,
    /// The lines.
    pub series: Vec<Series>,
}

impl Panel {
    /// A panel.
    pub fn new(y_label: impl Into<String>, series: Vec<Series>) -> Self {
        Panel { y_label: y_label.into(), series }
    }
}

/// Panels above each other that share the x axis.
#[derive(Clone, Debug, PartialEq)]
pub struct LinePlot {
    /// The line above everything.
    pub title: String,
    /// The label of the x axis, with its unit: `time (s)`.
    pub x_label: String,
    /// The panels, from the top.
    pub panels: Vec<Panel>,
    /// Whether a unit is as long upwards as along: for paths, where a circle should look like one.
    pub equal_scales: bool,
}

// the layout, in pixels of a report
const WIDTH: f64 = 900.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 56.0;
const PANEL_HEIGHT: f64 = 190.0;
const EQUAL_HEIGHT: [f64; 2] = [140.0, 560.0];
const PANEL_GAP: f64 = 20.0;
const LEGEND_GAP: f64 = 16.0;
const LEGEND_LINE: f64 = 22.0;
const LEGEND_STEP: f64 = 20.0;

impl LinePlot {
    /// A plot of panels.
    pub fn new(title: impl Into<String>, x_label: impl Into<String>, panels: Vec<Panel>) -> Self {
        LinePlot { title: title.into(), x_label: x_label.into(), panels, equal_scales: false }
    }

    /// The same plot with equal scales.
    pub fn with_equal_scales(self) -> Self {
        LinePlot { equal_scales: true, ..self }
    }

    /// Writes the plot to a file, whose name ends in `.svg`.
    pub fn write_svg(&self, path: impl AsRef<Path>) -> Result<(), PlotError> {
        canvas::write_svg(path.as_ref(), &self.to_svg()?)
    }

    /// The plot as the text of an SVG file.
    pub fn to_svg(&self) -> Result<String, PlotError> {
        to_svg(std::slice::from_ref(self))
    }

    /// The x axis and the height of a panel, for what there is to draw.
    fn measured(&self) -> Result<(Axis, f64), PlotError> {
        let empty = || PlotError::Empty { title: self.title.clone(), what: "its panels" };
        let points = self.panels.iter().flat_map(|panel| panel.series.iter().flat_map(|series| &series.points));
        let x = Axis::around(points.filter(|(_, y)| y.is_finite()).map(|(x, _)| *x)).ok_or_else(empty)?;
        Ok(self.layout(if x.min < x.max { x } else { x.padded() }))
    }

    fn height(&self, panel_height: f64) -> f64 {
        let count = self.panels.len() as f64;
        TOP + count * panel_height + (count - 1.0) * PANEL_GAP + BOTTOM
    }

    fn draw(&self, canvas: &mut Canvas, x: Axis, panel_height: f64) {
        canvas.text(&self.title, (LEFT, TOP / 2.0), Text::new(15.0, INK).bold());
        for (index, panel) in self.panels.iter().enumerate() {
            let frame = self.frame(index, panel, x, panel_height);
            self.draw_panel(canvas, &frame, panel, index + 1 == self.panels.len());
        }
    }

    fn frame(&self, index: usize, panel: &Panel, x: Axis, height: f64) -> Frame {
        let (mut y, width) = (y_axis(panel, x), self.panel_width());
        if self.equal_scales {
            y = widened(y, (x.max - x.min) * height / width);
        }
        Frame { left: LEFT, top: TOP + index as f64 * (height + PANEL_GAP), width, height, x, y }
    }

    /// The x axis and the height of a panel. With equal scales the panel is as high as its values
    /// need, and where that is too high the x axis is longer than its values.
    fn layout(&self, x: Axis) -> (Axis, f64) {
        if !self.equal_scales {
            return (x, PANEL_HEIGHT);
        }
        let x = x.padded();
        let tallest = self.panels.iter().map(|panel| {
            let y = y_axis(panel, x);
            y.max - y.min
        });
        let tallest = tallest.fold(0.0, f64::max);
        let [low, high] = EQUAL_HEIGHT;
        let height = (self.panel_width() * tallest / (x.max - x.min)).clamp(low, high);
        (widened(x, tallest * self.panel_width() / height), height)
    }

    fn panel_width(&self) -> f64 {
        WIDTH - LEFT - RIGHT - self.legend_width()
    }

    /// Room for the longest name, within reason.
    fn legend_width(&self) -> f64 {
        let names = self.panels.iter().flat_map(|panel| panel.series.iter().map(|series| &series.name));
        let longest = names.map(|name| name.chars().count()).max().unwrap_or(0);
        let text = 0.56 * LABEL_SIZE * longest as f64;
        (LEGEND_GAP + LEGEND_LINE + 8.0 + text).min(WIDTH / 3.0)
    }

    fn draw_panel(&self, canvas: &mut Canvas, frame: &Frame, panel: &Panel, is_last: bool) {
        frame.draw(canvas, &panel.y_label, is_last);
        let colours = colours(&panel.series);
        for (row, (series, colour)) in panel.series.iter().zip(colours).enumerate() {
            draw_series(canvas, frame, series, colour);
            draw_legend(canvas, frame, series, colour, row);
        }
        if is_last {
            frame.draw_x_label(canvas, &self.x_label);
        }
    }
}

/// Plots below each other in one SVG file.
pub fn to_svg(plots: &[LinePlot]) -> Result<String, PlotError> {
    let layouts = plots.iter().map(LinePlot::measured).collect::<Result<Vec<_>, _>>()?;
    let heights: Vec<f64> = plots.iter().zip(&layouts).map(|(plot, (_, height))| plot.height(*height)).collect();
    let mut canvas = Canvas::new(WIDTH, heights.iter().sum());
    for ((plot, (x, panel_height)), height) in plots.iter().zip(&layouts).zip(&heights) {
        plot.draw(&mut canvas, *x, *panel_height);
        canvas.top += height;
    }
    Ok(canvas.finish())
}

/// Writes plots below each other to a file, whose name ends in `.svg`.
pub fn write_svg(path: impl AsRef<Path>, plots: &[LinePlot]) -> Result<(), PlotError> {
    canvas::write_svg(path.as_ref(), &to_svg(plots)?)
}

fn y_axis(panel: &Panel, x: Axis) -> Axis {
    let values = panel.series.iter().flat_map(|series| series.points.iter().map(|(_, y)| *y));
    let otherwise = Axis { max: 1.0, min: 0.0, ..x };
    Axis::around(values).unwrap_or(otherwise).padded()
}

/// An axis at least as long as asked, about the same middle.
fn widened(axis: Axis, span: f64) -> Axis {
    let more = 0.5 * (span - (axis.max - axis.min)).max(0.0);
    Axis { min: axis.min - more, max: axis.max + more, ..axis }
}

/// Full lines take the palette in order. A dashed line is dark, so that what was asked stands apart
/// from what happened; several of them take the palette too.
fn colours(series: &[Series]) -> Vec<Colour> {
    let dashed_count = series.iter().filter(|series| series.style == LineStyle::Dashed).count();
    let mut next = 0;
    let mut take = || {
        next += 1;
        colour(next - 1)
    };
    let choose = |series: &Series| match series.style {
        LineStyle::Dashed if dashed_count == 1 => INK,
        _ => take(),
    };
    series.iter().map(choose).collect()
}

fn draw_series(canvas: &mut Canvas, frame: &Frame, series: &Series, colour: Colour) {
    let column = |x: f64| (frame.x_at(x) * 2.0) as i64;
    for part in decimate(&series.points, column) {
        let points: Vec<Point> = part.iter().map(|(x, y)| frame.point(*x, *y)).collect();
        draw_line(canvas, &points, series.style, colour);
    }
}

fn draw_line(canvas: &mut Canvas, points: &[Point], style: LineStyle, colour: Colour) {
    match style {
        LineStyle::Solid => canvas.line(points, colour, 1.5),
        LineStyle::Steps => canvas.line(&steps(points), colour, 1.5),
        LineStyle::Dashed => canvas::dashes(points, 6.0, 4.0).iter().for_each(|dash| canvas.line(dash, colour, 1.5)),
    }
}

/// Each value until the place of the next.
fn steps(points: &[Point]) -> Vec<Point> {
    let corners = points.windows(2).flat_map(|pair| [pair[0], (pair[1].0, pair[0].1)]);
    corners.chain(points.last().copied()).collect()
}

fn draw_legend(canvas: &mut Canvas, frame: &Frame, series: &Series, colour: Colour, row: usize) {
    let y = frame.top + 8.0 + row as f64 * LEGEND_STEP;
    let from = frame.right() + LEGEND_GAP;
    let to = from + LEGEND_LINE;
    draw_line(canvas, &[(from, y), (to, y)], series.style, colour);
    canvas.text(&series.name, (to + 6.0, y), Text::new(LABEL_SIZE, INK));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A circle and a flat path: a unit is as long upwards as along, within the bounds of the
    /// height.
    #[test]
    fn equal_scales_are_equal() {
        let circle = (0..=100).map(|k| (0.0628 * f64::from(k)).sin_cos()).collect();
        let flat = vec![(0.0, 0.0), (500.0, 1.0)];
        let tall = vec![(0.0, 0.0), (1.0, 500.0)];
        for points in [circle, flat, tall] {
            let panel = Panel::new("y [m]", vec![Series::new("path", points)]);
            let plot = LinePlot::new("a path", "x [m]", vec![panel]).with_equal_scales();
            let points = &plot.panels[0].series[0].points;
            let x = Axis::around(points.iter().map(|(x, _)| *x)).expect("points");
            let (x, height) = plot.layout(x);
            let frame = plot.frame(0, &plot.panels[0], x, height);
            let along = frame.width / (frame.x.max - frame.x.min);
            let upwards = frame.height / (frame.y.max - frame.y.min);
            assert!((along / upwards - 1.0).abs() < 1e-9, "{along} {upwards}");
        }
    }
}
