//! What can go wrong with a plot.

use std::path::PathBuf;

/// Why there is no plot.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// There is nothing to draw.
    #[error("the plot `{title}` has no finite point to draw; expected at least one in {what}")]
    Empty {
        /// The title of the plot.
        title: String,
        /// What is empty.
        what: &'static str,
    },
    /// The name of the file asks for another format.
    #[error(
        "a plot is an SVG: expected a name that ends in .svg, found {path} (`rsvg-convert` and browsers make a PNG of it)"
    )]
    Format {
        /// The file.
        path: PathBuf,
    },
    /// The drawing library refused.
    #[error("the plot could not be drawn: {0}")]
    Draw(String),
    /// The file cannot be written.
    #[error("cannot write the plot to {path}: {source}; check that the folder exists and can be written")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}
