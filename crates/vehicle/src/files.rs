//! Characteristic files: where they come from and how their faults are told.
//!
//! Every subsystem reads a file of its own (TOML, or a format of the trade such as `.tir` and `.crg`). A fault names the file, the line, the
//! field and what was expected.

use serde::de::DeserializeOwned;
use std::ops::Range;

/// A file's content with the name to use in messages.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Path or name, for messages.
    pub name: &'a str,
    /// The content.
    pub bytes: &'a [u8],
}

/// What is wrong with a characteristic file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{file}:{line}: {field}: {problem}")]
pub struct FileError {
    /// Path or name of the file.
    pub file: String,
    /// Line, counted from 1.
    pub line: usize,
    /// The field, section or record.
    pub field: String,
    /// What was expected, what was found, what to do.
    pub problem: String,
}

impl<'a> Source<'a> {
    /// A text that is there already.
    #[must_use]
    pub fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        Self { name, bytes }
    }

    /// A fault at a line (counted from 1).
    pub fn fault(&self, line: usize, field: impl Into<String>, problem: impl Into<String>) -> FileError {
        FileError {
            file: self.name.to_owned(),
            line,
            field: field.into(),
            problem: problem.into(),
        }
    }

    /// A fault at a byte range of a TOML text, as `toml::Spanned` tells it.
    pub fn fault_at(&self, place: Range<usize>, problem: impl Into<String>) -> FileError {
        let text = String::from_utf8_lossy(self.bytes);
        let (line, _) = locate::line_and_column(&text, place.start);
        self.fault(line, locate::field_at(&text, &place), problem)
    }

    /// The content as text.
    pub fn text(&self) -> Result<&'a str, FileError> {
        std::str::from_utf8(self.bytes).map_err(|error| {
            let line = self.bytes[..error.valid_up_to()]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count()
                + 1;
            self.fault(line, "text", "expected UTF-8 text; save the file as UTF-8")
        })
    }

    /// The content as TOML of a given shape.
    pub fn toml<T: DeserializeOwned>(&self) -> Result<T, FileError> {
        let text = self.text()?;
        toml::from_str(text).map_err(|error| self.fault_at(error.span().unwrap_or(0..0), error.message()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Shape {
        #[allow(dead_code)]
        mass_kg: f64,
    }

    #[test]
    fn a_fault_names_file_line_and_field() {
        let wrong = Source::new("car.toml", b"# a car\nmass_kg = \"heavy\"\n");
        let error = wrong.toml::<Shape>().expect_err("not a number");
        assert_eq!((error.line, error.field.as_str()), (2, "mass_kg"));
        assert!(error.to_string().starts_with("car.toml:2: mass_kg: "), "{error}");
    }

    #[test]
    fn text_that_is_not_utf8_names_its_line() {
        let error = Source::new("x", b"a\nb\xff").text().expect_err("not UTF-8");
        assert_eq!(error.line, 2);
    }
}
