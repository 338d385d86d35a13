//! A text with the name to use in messages, and what is wrong at a place of it.

use crate::place;
use serde::de::DeserializeOwned;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use toml::Spanned;

/// A file's content with the name to use in messages.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Path or name, for messages.
    pub name: &'a str,
    /// The content.
    pub bytes: &'a [u8],
}

impl<'a> Source<'a> {
    /// A content that is there already.
    pub fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        Self { name, bytes }
    }

    /// A fault of a record or field of a line (counted from 1). Its column is that of the field's
    /// name if the line has it, else of the first character that is not blank.
    pub fn fault(&self, line: usize, field: impl Into<String>, problem: impl Into<String>) -> FileError {
        let field = field.into();
        let bytes = self.bytes.split(|byte| *byte == b'\n').nth(line.saturating_sub(1)).unwrap_or_default();
        let text = String::from_utf8_lossy(bytes);
        let at = text.find(&field).filter(|_| !field.is_empty());
        let at = at.unwrap_or(text.len() - text.trim_start().len());
        let column = text[..at].chars().count() + 1;
        FileError { file: self.name.to_owned(), line, column, field, problem: problem.into() }
    }

    /// A fault at a byte range of a TOML text, as [`Spanned`] tells it; `0..0` for the whole.
    pub fn fault_at(&self, place: Range<usize>, problem: impl ToString) -> FileError {
        let text = String::from_utf8_lossy(self.bytes);
        let (line, column) = place::line_and_column(&text, place.start);
        let field = place::field_at(&text, &place);
        FileError { file: self.name.to_owned(), line, column, field, problem: problem.to_string() }
    }

    /// [`Source::fault_at`] as a result.
    pub fn fail<T>(&self, place: Range<usize>, problem: impl ToString) -> Result<T, FileError> {
        Err(self.fault_at(place, problem))
    }

    /// Line of a place, counted from 1.
    pub fn line(&self, place: &Range<usize>) -> usize {
        place::line_and_column(&String::from_utf8_lossy(self.bytes), place.start).0
    }

    /// `file:line:column` of a place, for what is found out later.
    pub fn place(&self, place: &Range<usize>) -> String {
        let (line, column) = place::line_and_column(&String::from_utf8_lossy(self.bytes), place.start);
        format!("{}:{line}:{column}", self.name)
    }

    /// The content as text.
    pub fn text(&self) -> Result<&'a str, FileError> {
        std::str::from_utf8(self.bytes).map_err(|error| {
            let line = self.bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
            self.fault(line, "text", "expected UTF-8 text; save the file as UTF-8")
        })
    }

    /// The content as TOML of a given shape.
    pub fn toml<T: DeserializeOwned>(&self) -> Result<T, FileError> {
        toml::from_str(self.text()?).map_err(|error| self.toml_fault(&error, 0..0))
    }

    /// What the TOML reader said, with its place; at `near` where it names none.
    pub fn toml_fault(&self, error: &toml::de::Error, near: Range<usize>) -> FileError {
        self.fault_at(error.span().unwrap_or(near), plain_words(error.message()))
    }

    /// A word that its type reads.
    pub fn parse<T: FromStr<Err: ToString>>(&self, text: &Spanned<String>) -> Result<T, FileError> {
        text.get_ref().parse().map_err(|error: T::Err| self.fault_at(text.span(), error))
    }

    /// One of several words.
    pub fn choice<T: Copy>(&self, text: &Spanned<String>, words: &[(&str, T)]) -> Result<T, FileError> {
        let found = words.iter().find(|(word, _)| word == text.get_ref());
        found.map(|(_, value)| *value).ok_or_else(|| {
            let known = words.iter().map(|(word, _)| *word);
            self.fault_at(text.span(), crate::one_of(text.get_ref(), known))
        })
    }

    /// A name: 1 to 64 characters of those that are allowed.
    pub fn name(
        &self,
        name: &Spanned<String>,
        allowed: impl Fn(char) -> bool,
        words: &str,
    ) -> Result<String, FileError> {
        let text = name.get_ref();
        if text.is_empty() || text.len() > 64 || !text.chars().all(allowed) {
            return self.fail(name.span(), format!("expected 1 to 64 {words}, found {text:?}"));
        }
        Ok(text.clone())
    }
}

/// A message of the TOML reader in one line and without the names of Rust's types.
fn plain_words(message: &str) -> String {
    let words = [
        ("expected f64", "expected a number"),
        ("expected u32", "expected a whole number that is not negative"),
        ("expected i64", "expected a whole number"),
        ("a tuple of size 2", "a pair of numbers"),
        ("\n", "; "),
    ];
    words.into_iter().fold(message.to_string(), |message, (from, to)| message.replace(from, to))
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranges::{Fraction, Positive};

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Shape {
        mass_kg: Positive,
        share: Option<Fraction>,
    }

    fn wrong(text: &str) -> String {
        Source::new("car.toml", text.as_bytes()).toml::<Shape>().expect_err("wrong").to_string()
    }

    #[test]
    fn a_fault_names_file_line_column_and_field() {
        let found = wrong("# a car\nmass_kg = \"heavy\"\n");
        assert!(found.starts_with("car.toml:2:11: mass_kg: invalid type"), "{found}");
        let found = wrong("mass_kg = -1\n");
        assert_eq!(found, "car.toml:1:11: mass_kg: expected a number larger than 0, found -1");
        let found = wrong("mass_kg = 1\nshare = nan\n");
        assert_eq!(found, "car.toml:2:9: share: expected a number from 0 to 1, found NaN");
        let read: Shape = Source::new("", b"mass_kg = 2\nshare = 0.5").toml().expect("right");
        assert_eq!((*read.mass_kg, read.share.map(|it| *it)), (2.0, Some(0.5)));
    }

    #[test]
    fn other_formats_have_columns_too() {
        let error = Source::new("t.tir", b"[MODEL]\n  LONGVL = x\n").fault(2, "LONGVL", "expected a number");
        assert_eq!(error.to_string(), "t.tir:2:3: LONGVL: expected a number");
        assert_eq!(Source::new("t", b" \xff a").fault(1, "none", "").column, 2);
    }

    #[test]
    fn text_that_is_not_utf8_names_its_line() {
        assert_eq!(Source::new("x", b"a\nb\xff").text().expect_err("not UTF-8").line, 2);
    }

    #[test]
    fn a_choice_tells_the_words_and_the_nearest() {
        let source = Source::new("x", b"a = \"liner\"");
        let word: std::collections::BTreeMap<String, Spanned<String>> = source.toml().expect("a table");
        let error = source.choice(&word["a"], &[("linear", 1), ("hold", 2)]).expect_err("unknown");
        let expected = "x:1:5: a: `liner` is unknown; expected one of linear, hold; did you mean `linear`?";
        assert_eq!(error.to_string(), expected);
    }
}
