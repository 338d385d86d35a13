//! Distributions of latencies laid over each other, with logarithmic counts: the bulk and the
//! single worst sample are both seen.

use crate::axis::{Axis, Scale, short_number};
use crate::canvas::{self, Canvas, Colour, GREY, INK, Point, Text, colour};
use crate::distribution::common_edges;
use crate::frame::{Frame, LABEL_SIZE};
use crate::{Distribution, PlotError};
use std::path::Path;

/// Named distributions over one axis in microseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct HistogramPlot {
    /// The line above everything.
    pub title: String,
    /// The label of the x axis, with its unit: `wake-up latency (µs)`.
    pub x_label: String,
    /// Decades of equal width along x, for distributions with a long tail.
    pub log_x: bool,
    /// What is compared.
    pub distributions: Vec<Distribution>,
}

// the layout, in pixels of a report
const WIDTH: f64 = 900.0;
const HEIGHT_MIN: f64 = 430.0;
const LEFT: f64 = 84.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 56.0;
const SUMMARY_WIDTH_MIN: f64 = 190.0;
const SUMMARY_STEP: f64 = 112.0;
/// The count at the foot of the axis: a single sample still stands above it.
const COUNT_MIN: f64 = 0.6;
/// About the number of bins that are drawn.
const BIN_COUNT: usize = 120;
/// The smallest latency on a logarithmic axis (µs).
const LOG_MIN_US: f64 = 0.01;

impl HistogramPlot {
    /// A plot of distributions.
    pub fn new(
        title: impl Into<String>,
        x_label: impl Into<String>,
        log_x: bool,
        distributions: Vec<Distribution>,
    ) -> Self {
        HistogramPlot { title: title.into(), x_label: x_label.into(), log_x, distributions }
    }

    /// Writes the plot to a file.
    pub fn write_svg(&self, path: impl AsRef<Path>) -> Result<(), PlotError> {
        canvas::write_svg(path.as_ref(), &self.to_svg()?)
    }

    /// The plot as the text of an SVG file.
    pub fn to_svg(&self) -> Result<String, PlotError> {
        let empty = || PlotError::Empty { title: self.title.clone(), what: "its distributions" };
        let x = self.x_axis().ok_or_else(empty)?;
        let edges = common_edges(&self.distributions, &x, BIN_COUNT);
        let counts: Vec<Vec<u64>> = self.distributions.iter().map(|each| each.rebinned(&edges)).collect();
        let highest = counts.iter().flatten().copied().max().unwrap_or(1) as f64;
        let y = Axis { scale: Scale::Logarithmic, min: COUNT_MIN, max: (2.0 * highest).max(20.0) };
        let (width, height) = (WIDTH - LEFT - self.summary_width(), self.height() - TOP - BOTTOM);
        let frame = Frame { left: LEFT, top: TOP, width, height, x, y };
        let mut canvas = Canvas::new(WIDTH, self.height());
        canvas.text(&self.title, (LEFT, TOP / 2.0), Text::new(15.0, INK).bold());
        frame.draw(&mut canvas, "samples per bin", true);
        frame.draw_x_label(&mut canvas, &self.x_label);
        for (index, (distribution, counts)) in self.distributions.iter().zip(&counts).enumerate() {
            draw_bins(&mut canvas, &frame, &edges, counts, colour(index));
            draw_summary(&mut canvas, &frame, distribution, index);
        }
        let below = frame.top + 8.0 + self.distributions.len() as f64 * SUMMARY_STEP;
        canvas.text("dashed: p50 and p99", (frame.right() + 40.0, below), Text::new(LABEL_SIZE, GREY));
        Ok(canvas.finish())
    }

    /// Room for the longest name, within reason.
    fn summary_width(&self) -> f64 {
        let names = self.distributions.iter().map(|distribution| distribution.name.chars().count());
        let longest = names.max().unwrap_or(0) as f64;
        (60.0 + 0.64 * LABEL_SIZE * longest).clamp(SUMMARY_WIDTH_MIN, WIDTH / 3.0)
    }

    /// Room for all summaries beside the plot.
    fn height(&self) -> f64 {
        HEIGHT_MIN.max(TOP + self.distributions.len() as f64 * SUMMARY_STEP + BOTTOM)
    }

    /// From the lowest to the highest bin of all, with a little room.
    fn x_axis(&self) -> Option<Axis> {
        let bins = || self.distributions.iter().flat_map(|distribution| &distribution.bins);
        let ends = Axis::around(bins().flat_map(|bin| [bin.from_us, bin.to_us]))?;
        if !self.log_x {
            let room = ends.padded();
            return Some(Axis { min: if ends.min >= 0.0 { room.min.max(0.0) } else { room.min }, ..room });
        }
        let above_zero = bins().map(|bin| if bin.from_us > 0.0 { bin.from_us } else { bin.to_us / 2.0 });
        let min = above_zero.fold(f64::INFINITY, f64::min).max(LOG_MIN_US);
        let max = ends.max.max(2.0 * min);
        Some(Axis { scale: Scale::Logarithmic, min: min / 1.2, max: max * 1.2 })
    }
}

/// The outline of the bins above the foot of the axis, and a light filling.
fn draw_bins(canvas: &mut Canvas, frame: &Frame, edges: &[f64], counts: &[u64], colour: Colour) {
    let filled: Vec<usize> = (0..counts.len()).filter(|index| counts[*index] > 0).collect();
    for run in filled.chunk_by(|left, right| left + 1 == *right) {
        let (first, last) = (run[0], run[run.len() - 1]);
        let mut outline: Vec<Point> = vec![(frame.x_at(edges[first]), frame.bottom())];
        for index in run {
            let y = frame.y_at(counts[*index] as f64);
            outline.extend([(frame.x_at(edges[*index]), y), (frame.x_at(edges[index + 1]), y)]);
        }
        outline.push((frame.x_at(edges[last + 1]), frame.bottom()));
        canvas.fill(&outline, colour);
        canvas.line(&outline, colour, 1.2);
    }
}

/// Name and percentiles beside the plot, and a dashed line at the median and the 99th percentile.
fn draw_summary(canvas: &mut Canvas, frame: &Frame, distribution: &Distribution, index: usize) {
    let (left, top) = (frame.right() + 18.0, frame.top + 8.0 + index as f64 * SUMMARY_STEP);
    let colour = colour(index);
    canvas.line(&[(left, top), (left + 16.0, top)], colour, 4.0);
    canvas.text(&distribution.name, (left + 22.0, top), Text::new(LABEL_SIZE, INK).bold());
    let parts = [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999), ("max", 1.0)];
    for (row, (label, part)) in parts.into_iter().enumerate() {
        let Some(value_us) = distribution.quantile_us(part) else {
            continue;
        };
        let y = top + 17.0 * (row + 1) as f64;
        canvas.text(label, (left + 22.0, y), Text::new(LABEL_SIZE, GREY));
        canvas.text(&microseconds(value_us), (left + 140.0, y), Text::new(LABEL_SIZE, INK).right());
        if part == 0.5 || part == 0.99 {
            let x = frame.x_at(value_us);
            for dash in canvas::dashes(&[(x, frame.top), (x, frame.bottom())], 3.0, 3.0) {
                canvas.line(&dash, colour, 1.0);
            }
        }
    }
    let y = top + 17.0 * (parts.len() + 1) as f64;
    canvas.text("samples", (left + 22.0, y), Text::new(LABEL_SIZE, GREY));
    let count = short_number(distribution.count() as f64);
    canvas.text(&count, (left + 140.0, y), Text::new(LABEL_SIZE, INK).right());
}

/// A latency in the unit that reads best.
fn microseconds(value_us: f64) -> String {
    if value_us >= 1000.0 {
        format!("{} ms", short_number(value_us / 1000.0))
    } else {
        format!("{} µs", short_number(value_us))
    }
}
