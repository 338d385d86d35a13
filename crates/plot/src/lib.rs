//! The project's plots: lines over time, and distributions of latencies, as SVG files.
//!
//! A run of the simulator or of a measurement should end in a picture that can go into a report as
//! it is. So there are two kinds and few choices: [`LinePlot`] stacks panels over one x axis,
//! [`HistogramPlot`] lays distributions over each other with logarithmic counts. Colours stay apart
//! for colour-blind readers (Okabe and Ito's set), legends stand beside the data, and a series of a
//! million points is thinned to what the eye can see before it is written.
//!
//! The SVG is plain text; neither fonts nor system libraries are needed to write it.
//!
//! ```
//! use plot::{LinePlot, Panel, Series};
//!
//! let points = (0..100).map(|step| (f64::from(step), f64::from(step).sqrt())).collect();
//! let panel = Panel::new("root [1]", vec![Series::new("√x", points)]);
//! let svg = LinePlot::new("A root", "x [1]", vec![panel]).to_svg().expect("there is something to draw");
//! assert!(svg.starts_with("<svg"));
//! ```

mod axis;
mod canvas;
mod decimate;
mod distribution;
mod frame;
mod histogram_plot;
mod line_plot;
mod quantities;

pub use canvas::svg_file;
pub use distribution::{Bin, Distribution};
pub use histogram_plot::HistogramPlot;
pub use line_plot::{LinePlot, LineStyle, Panel, Series, to_svg, write_svg};
pub use quantities::{Quantity, axis_title, panels};

use std::path::PathBuf;

/// Why there is no plot.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the names of the fields say what they are")]
pub enum PlotError {
    /// There is nothing to draw.
    #[error("the plot `{title}` has no finite point to draw; expected at least one in {what}")]
    Empty { title: String, what: &'static str },
    /// The name of the file asks for another format.
    #[error(
        "a plot is an SVG: expected a name that ends in .svg, found {path} (`rsvg-convert` and browsers make a PNG of it)"
    )]
    Format { path: PathBuf },
    /// The file cannot be written.
    #[error("cannot write the plot to {path}: {source}; check that the folder exists and can be written")]
    Write { path: PathBuf, source: std::io::Error },
}
