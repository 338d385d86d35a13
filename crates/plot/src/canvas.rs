//! A thin layer over the drawing library: colours, fonts, and lines in units of a report's pixel.
//!
//! The library rounds to whole pixels, which shows in slow curves. The canvas is therefore drawn
//! several times as large as it is meant ([`SCALE`]), and the head of the file says how large that
//! is.

use crate::PlotError;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::path::{Path, PathBuf};

/// Pixels per unit of layout.
const SCALE: f64 = 5.0;
/// Plotters divides font sizes by this before it writes them.
const FONT_FACTOR: f64 = 1.24;

pub(crate) const INK: RGBColor = RGBColor(40, 40, 40);
pub(crate) const GREY: RGBColor = RGBColor(110, 110, 110);
pub(crate) const GRID: RGBColor = RGBColor(214, 214, 214);
pub(crate) const FAINT_GRID: RGBColor = RGBColor(236, 236, 236);

/// Okabe and Ito's colours without yellow, which is too pale on white.
const PALETTE: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(60, 60, 60),
];

/// The colour of the series with this number.
pub(crate) fn colour(index: usize) -> RGBColor {
    PALETTE[index % PALETTE.len()]
}

/// A point in units of layout, from the upper left corner.
pub(crate) type Point = (f64, f64);

/// How a text stands.
#[derive(Clone, Copy)]
pub(crate) struct Text {
    pub size: f64,
    pub colour: RGBColor,
    pub anchor: HPos,
    pub bold: bool,
    pub upwards: bool,
}

impl Text {
    pub fn new(size: f64, colour: RGBColor) -> Self {
        Text { size, colour, anchor: HPos::Left, bold: false, upwards: false }
    }

    pub fn centred(self) -> Self {
        Text { anchor: HPos::Center, ..self }
    }

    pub fn right(self) -> Self {
        Text { anchor: HPos::Right, ..self }
    }

    pub fn bold(self) -> Self {
        Text { bold: true, ..self }
    }

    pub fn upwards(self) -> Self {
        Text { upwards: true, ..self }
    }
}

/// What is drawn upon.
pub(crate) struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
    /// Where heights count from.
    top: f64,
}

/// Draws on a white canvas and gives the SVG.
pub(crate) fn draw_svg(
    width: f64,
    height: f64,
    draw: impl FnOnce(&Canvas<'_>) -> Result<(), PlotError>,
) -> Result<String, PlotError> {
    let mut svg = String::new();
    let size = ((width * SCALE) as u32, (height * SCALE) as u32);
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    area.fill(&WHITE).map_err(refused)?;
    let canvas = Canvas { area, top: 0.0 };
    draw(&canvas)?;
    canvas.area.present().map_err(refused)?;
    drop(canvas);
    let (drawn, meant) = (size_attributes(size.0, size.1), size_attributes(width as u32, height as u32));
    Ok(svg.replacen(&drawn, &meant, 1))
}

/// How the head of the file gives its size.
fn size_attributes(width: u32, height: u32) -> String {
    format!("width=\"{width}\" height=\"{height}\"")
}

/// Writes an SVG to a file.
pub(crate) fn write_svg(path: &Path, svg: &str) -> Result<(), PlotError> {
    if !is_svg(path) {
        return Err(PlotError::Format { path: path.into() });
    }
    std::fs::write(path, svg).map_err(|source| PlotError::Write { path: path.into(), source })
}

fn is_svg(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"))
}

/// The file of a plot as a command line names it.
pub fn svg_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if is_svg(&path) { Ok(path) } else { Err(PlotError::Format { path }.to_string()) }
}

impl Canvas<'_> {
    /// The same canvas, where heights count from another place.
    pub fn from(&self, top: f64) -> Self {
        Canvas { area: self.area.clone(), top }
    }

    /// A line through points.
    pub fn line(&self, points: &[Point], colour: RGBAColor, width: f64) -> Result<(), PlotError> {
        let stroke = (width * SCALE).round().max(1.0) as u32;
        let path = PathElement::new(self.pixels(points), colour.stroke_width(stroke));
        self.area.draw(&path).map_err(refused)
    }

    /// A filled shape.
    pub fn fill(&self, points: &[Point], colour: RGBAColor) -> Result<(), PlotError> {
        self.area.draw(&Polygon::new(self.pixels(points), colour)).map_err(refused)
    }

    /// A text; the point is its middle in height.
    pub fn text(&self, text: &str, at: Point, how: Text) -> Result<(), PlotError> {
        let style = if how.bold { FontStyle::Bold } else { FontStyle::Normal };
        let font = FontDesc::new(FontFamily::SansSerif, how.size * SCALE * FONT_FACTOR, style);
        let font = if how.upwards { font.transform(FontTransform::Rotate270) } else { font };
        let style = TextStyle::from(font).color(&how.colour).pos(Pos::new(how.anchor, VPos::Center));
        self.area.draw(&plotters::element::Text::new(text.to_string(), self.pixel(at), style)).map_err(refused)
    }

    fn pixel(&self, (x, y): Point) -> (i32, i32) {
        ((x * SCALE).round() as i32, ((self.top + y) * SCALE).round() as i32)
    }

    fn pixels(&self, points: &[Point]) -> Vec<(i32, i32)> {
        points.iter().map(|point| self.pixel(*point)).collect()
    }
}

fn refused(error: impl std::fmt::Display) -> PlotError {
    PlotError::Draw(error.to_string())
}

/// The pieces of a line that are drawn when it is dashed.
pub(crate) fn dashes(points: &[Point], on: f64, off: f64) -> Vec<Vec<Point>> {
    let mut pieces = Vec::new();
    let mut piece: Vec<Point> = points.first().copied().into_iter().collect();
    let (mut drawing, mut left) = (true, on);
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        let mut length = (to.0 - from.0).hypot(to.1 - from.1);
        while length > left {
            let part = left / length;
            from = (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1));
            length -= left;
            if drawing {
                piece.push(from);
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece = vec![from];
            }
            drawing = !drawing;
            left = if drawing { on } else { off };
        }
        left -= length;
        if drawing {
            piece.push(to);
        }
    }
    if drawing && piece.len() > 1 {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_cover_their_share() {
        let pieces = dashes(&[(0.0, 0.0), (100.0, 0.0), (100.0, 100.0)], 6.0, 4.0);
        let length = |piece: &Vec<Point>| {
            piece.windows(2).map(|pair| (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1)).sum::<f64>()
        };
        assert_eq!(pieces.len(), 20);
        assert!((pieces.iter().map(length).sum::<f64>() - 120.0).abs() < 1e-6);
    }
}
