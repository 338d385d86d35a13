//! Finds values of a section and tells what is wrong with them.

use super::description::{Number, Numbers, Points};
use crate::files::{Curve, CurveError, Ends, FileError, Source};
use std::ops::Range;
use toml::Spanned;

/// A section of the file with its name and place.
pub struct Section<'a, T> {
    source: &'a Source<'a>,
    name: &'a str,
    place: Range<usize>,
    /// What stands in it.
    pub file: &'a T,
}

impl<'a, T> Section<'a, T> {
    pub fn new(source: &'a Source<'a>, name: &'a str, file: &'a Spanned<T>) -> Self {
        Self { source, name, place: file.span(), file: file.get_ref() }
    }

    /// A part of this section.
    pub fn inside<'b, U>(&'b self, name: &'b str, file: &'b Spanned<U>) -> Section<'b, U> {
        Section::new(self.source, name, file)
    }

    /// A fault of a value.
    pub fn fault<U>(&self, value: &Spanned<U>, problem: impl ToString) -> FileError {
        self.source.fault_at(value.span(), problem)
    }

    /// A fault of the section: a field is missing.
    pub fn missing(&self, field: &str, why: &str) -> FileError {
        let line = self.source.line(&self.place);
        let name = self.name;
        self.source.fault(line, format!("{name}.{field}"), format!("missing: {why}; add it"))
    }

    /// A value that must be there.
    pub fn need<'v, U>(
        &self,
        value: &'v Option<Spanned<U>>,
        field: &str,
        why: &str,
    ) -> Result<&'v Spanned<U>, FileError> {
        value.as_ref().ok_or_else(|| self.missing(field, why))
    }

    /// A positive number that must be there.
    pub fn positive(&self, value: &Number, field: &str, why: &str) -> Result<f64, FileError> {
        self.is_positive(self.need(value, field, why)?)
    }

    /// A positive number, or this one.
    pub fn positive_or(&self, value: &Number, default: f64) -> Result<f64, FileError> {
        value.as_ref().map_or(Ok(default), |it| self.is_positive(it))
    }

    /// A number that is not negative, or 0.
    pub fn not_negative(&self, value: &Number) -> Result<f64, FileError> {
        match value {
            Some(it) if it.get_ref().is_finite() && *it.get_ref() >= 0.0 => Ok(*it.get_ref()),
            Some(it) => Err(self.fault(it, format!("expected a number from 0 up, found {}; correct it", it.get_ref()))),
            None => Ok(0.0),
        }
    }

    /// A number above 0 and up to 1, or this one.
    pub fn fraction_or(&self, value: &Number, default: f64) -> Result<f64, FileError> {
        match value {
            Some(it) if *it.get_ref() > 0.0 && *it.get_ref() <= 1.0 => Ok(*it.get_ref()),
            Some(it) => Err(self.fault(it, format!("expected a number above 0 and at most 1, found {}", it.get_ref()))),
            None => Ok(default),
        }
    }

    /// A positive number.
    pub fn is_positive(&self, value: &Spanned<f64>) -> Result<f64, FileError> {
        let number = *value.get_ref();
        if number.is_finite() && number > 0.0 {
            Ok(number)
        } else {
            Err(self.fault(value, format!("expected a positive number, found {number}; correct it")))
        }
    }

    /// Finite numbers that must be there.
    pub fn numbers(&self, values: &Numbers, field: &str, why: &str) -> Result<Vec<f64>, FileError> {
        let values = self.need(values, field, why)?;
        let wrong = values.get_ref().iter().find(|it| !it.get_ref().is_finite());
        match wrong {
            Some(wrong) => Err(self.fault(wrong, "expected a finite number")),
            None if values.get_ref().is_empty() => Err(self.fault(values, "expected at least one number")),
            None => Ok(values.get_ref().iter().map(|it| *it.get_ref()).collect()),
        }
    }

    /// A table that must be there.
    pub fn table(&self, points: &Points, field: &str, why: &str) -> Result<Curve, FileError> {
        let points = self.need(points, field, why)?;
        let row: Vec<[f64; 2]> = points.get_ref().iter().map(|it| *it.get_ref()).collect();
        Curve::new(row, Ends::Level).map_err(|error| match error {
            CurveError::TooFew => self.fault(points, error.to_string()),
            CurveError::NotRising(at) | CurveError::NotFinite(at) => {
                self.fault(&points.get_ref()[at], error.to_string())
            }
        })
    }

    /// Which of the words it is.
    pub fn choice(&self, word: &Spanned<String>, words: &[&str]) -> Result<usize, FileError> {
        let found = word.get_ref().as_str();
        words.iter().position(|it| *it == found).ok_or_else(|| {
            let expected = words.join("\", \"");
            self.fault(word, format!("expected one of \"{expected}\", found \"{found}\""))
        })
    }
}
