//! What can be wrong with a scenario.

/// Why there is no scenario.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScenarioError {
    /// Something in the text.
    #[error("{origin}:{line}:{column}: {field}: {problem}")]
    Text {
        /// The file.
        origin: String,
        /// Counted from 1.
        line: usize,
        /// Counted from 1, in characters.
        column: usize,
        /// The field with its path: `plant.parameters.mass_kg`; `top level` for the whole.
        field: String,
        /// What was found and what was expected.
        problem: String,
    },
    /// The file cannot be read.
    #[error(
        "{origin}: cannot read the scenario: {problem}; expected a TOML file or the name of a shipped scenario"
    )]
    Read {
        /// The file.
        origin: String,
        /// What the system said.
        problem: String,
    },
    /// No such shipped scenario.
    #[error("`{name}` is not a shipped scenario; expected one of {known}")]
    UnknownBuiltin {
        /// The name that was given.
        name: String,
        /// Those that exist.
        known: String,
    },
    /// A value that did not come from the text is impossible.
    #[error("{field}: {problem}")]
    Impossible {
        /// The field.
        field: &'static str,
        /// What was found and what was expected.
        problem: String,
    },
}
