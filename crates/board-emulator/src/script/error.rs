//! Why a script is refused.

/// A place in a script, counted from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

/// Why a script is refused: where, what is wrong, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{origin}:{}:{}: {problem}", place.line, place.column)]
pub struct ScriptError {
    /// The file, or the name of a shipped script.
    pub origin: String,
    /// Where.
    pub place: Place,
    /// What is wrong, and what was expected.
    pub problem: String,
}

/// What is wrong at a place; the file's name comes later.
pub(super) type Problem = (Place, String);
