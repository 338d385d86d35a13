//! What can be wrong with a scenario.

/// Why there is no scenario.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScenarioError {
    /// The file is not there, or something in it is wrong.
    #[error(transparent)]
    File(#[from] files::FileError),
    /// A value that did not come from the text is impossible.
    #[error("{field}: {problem}")]
    Impossible {
        /// The field.
        field: &'static str,
        /// What was found and what was expected.
        problem: String,
    },
}
