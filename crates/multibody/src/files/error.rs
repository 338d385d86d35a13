//! What can be wrong with model files.

/// Why there is no description.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelFileError {
    /// Something in a text.
    #[error("{origin}:{line}:{column}: {field}: {problem}")]
    Text {
        /// The file.
        origin: String,
        /// Counted from 1.
        line: usize,
        /// Counted from 1, in characters.
        column: usize,
        /// The field with its path: `joints.rack.axis`; `top level` for the whole.
        field: String,
        /// What was found and what was expected.
        problem: String,
    },
    /// A file cannot be read.
    #[error("{origin}: cannot read: {problem}; expected a folder with topology.toml and parameters.toml")]
    Read {
        /// The file.
        origin: String,
        /// What the system said.
        problem: String,
    },
}
