//! Lines, shapes and texts as SVG, in units of a report's pixel.
//!
//! Places are written as whole numbers of a fifth of a unit, which keeps files small and slow
//! curves smooth; the head of the file says how large that is.

use crate::PlotError;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Written units per unit of layout.
const SCALE: f64 = 5.0;

/// A colour as SVG writes it.
pub(crate) type Colour = &'static str;

pub(crate) const INK: Colour = "#282828";
pub(crate) const GREY: Colour = "#6e6e6e";
pub(crate) const GRID: Colour = "#d6d6d6";
pub(crate) const FAINT_GRID: Colour = "#ececec";

/// Okabe and Ito's colours without yellow, which is too pale on white.
const PALETTE: [Colour; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#3c3c3c"];

/// The colour of the series with this number.
pub(crate) fn colour(index: usize) -> Colour {
    PALETTE[index % PALETTE.len()]
}

/// A point in units of layout, from the upper left corner.
pub(crate) type Point = (f64, f64);

/// How a text stands.
#[derive(Clone, Copy)]
pub(crate) struct Text {
    size: f64,
    colour: Colour,
    anchor: &'static str,
    bold: bool,
    upwards: bool,
}

impl Text {
    pub fn new(size: f64, colour: Colour) -> Self {
        Text { size, colour, anchor: "start", bold: false, upwards: false }
    }

    pub fn centred(self) -> Self {
        Text { anchor: "middle", ..self }
    }

    pub fn right(self) -> Self {
        Text { anchor: "end", ..self }
    }

    pub fn bold(self) -> Self {
        Text { bold: true, ..self }
    }

    pub fn upwards(self) -> Self {
        Text { upwards: true, ..self }
    }
}

/// What is drawn upon.
pub(crate) struct Canvas {
    svg: String,
    /// Where heights count from.
    pub top: f64,
}

impl Canvas {
    /// A white canvas.
    pub fn new(width: f64, height: f64) -> Self {
        let (wide, high) = (width * SCALE, height * SCALE);
        let svg = format!(
            "<svg width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {wide:.0} {high:.0}\" \
             xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        );
        Canvas { svg, top: 0.0 }
    }

    /// The whole file.
    pub fn finish(self) -> String {
        self.svg + "</svg>\n"
    }

    /// A line through points.
    pub fn line(&mut self, points: &[Point], colour: Colour, width: f64) {
        let (points, width) = (self.places(points), (width * SCALE).round().max(1.0));
        let stroke = format!("stroke=\"{colour}\" stroke-width=\"{width}\"");
        let _ = writeln!(self.svg, "<polyline fill=\"none\" {stroke} points=\"{points}\"/>");
    }

    /// A lightly filled shape.
    pub fn fill(&mut self, points: &[Point], colour: Colour) {
        let points = self.places(points);
        let _ = writeln!(self.svg, "<polygon fill=\"{colour}\" fill-opacity=\"0.18\" points=\"{points}\"/>");
    }

    /// A text; the point is its middle in height.
    pub fn text(&mut self, text: &str, at: Point, how: Text) {
        let ((x, y), size) = (self.place(at), how.size * SCALE);
        let weight = if how.bold { " font-weight=\"bold\"" } else { "" };
        let turn = if how.upwards { format!(" transform=\"rotate(270, {x}, {y})\"") } else { String::new() };
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let (anchor, colour) = (how.anchor, how.colour);
        let _ = writeln!(
            self.svg,
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.5ex\" text-anchor=\"{anchor}\" font-size=\"{size}\"{weight} \
             fill=\"{colour}\"{turn}>\n{text}\n</text>"
        );
    }

    fn place(&self, (x, y): Point) -> (i32, i32) {
        ((x * SCALE).round() as i32, ((self.top + y) * SCALE).round() as i32)
    }

    fn places(&self, points: &[Point]) -> String {
        let places = points.iter().map(|point| self.place(*point));
        places.map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ")
    }
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
