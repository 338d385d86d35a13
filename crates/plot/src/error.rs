//! What can go wrong with a plot.

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
    /// The drawing library refused.
    #[error("the plot could not be drawn: {0}")]
    Draw(String),
    /// The file cannot be written.
    #[error("cannot write the plot to {path}: {source}; check that the folder exists and can be written")]
    Write { path: PathBuf, source: std::io::Error },
}
