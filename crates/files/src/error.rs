//! What is wrong with a file, and where.

use std::fmt;

/// What is wrong with a file: `car.toml:3:11: plant.mass_kg: expected a number larger than 0, found
/// -1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// Path or name of the file.
    pub file: String,
    /// Counted from 1; 0 for the file as a whole.
    pub line: usize,
    /// Counted from 1, in characters; 0 for the file as a whole.
    pub column: usize,
    /// The field with its path, the section or the record; `top level` for the whole text.
    pub field: String,
    /// What was expected, what was found, what to do.
    pub problem: String,
}

impl FileError {
    /// Something about the file as a whole: it cannot be read, or there is none.
    pub fn whole(file: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { file: file.into(), line: 0, column: 0, field: String::new(), problem: problem.into() }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, field, problem } = self;
        match line {
            0 => write!(formatter, "{file}: {problem}"),
            _ => write!(formatter, "{file}:{line}:{column}: {field}: {problem}"),
        }
    }
}

impl std::error::Error for FileError {}
