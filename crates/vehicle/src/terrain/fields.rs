//! What the files of roads ask of a field, besides what all files do.

use crate::fields::{Fields, Placed};
use crate::files::FileError;
use crate::library::{Kind, find};
use std::path::PathBuf;

/// Smallest length that is believed.
pub const SMALLEST: f64 = 1e-6;

impl<'a> Fields<'a> {
    fn needed<T>(&self, name: &'static str, found: Option<T>) -> Result<T, FileError> {
        found.ok_or_else(|| {
            let problem = format!("expected `{name}`, found none; add it");
            FileError { field: name.to_owned(), ..self.fault(problem) }
        })
    }

    /// A text that must be there.
    pub fn needed_text(&self, name: &'static str) -> Result<Placed<&'a str>, FileError> {
        self.needed(name, self.text(name)?)
    }

    /// A finite number that must be there.
    pub fn needed_number(&self, name: &'static str) -> Result<f64, FileError> {
        Ok(self.needed(name, self.number(name)?)?.value)
    }

    /// A finite number with a default.
    pub fn number_or(&self, name: &'static str, default: f64) -> Result<f64, FileError> {
        Ok(self.number(name)?.map_or(default, |number| number.value))
    }

    /// A number above zero that must be there.
    pub fn positive(&self, name: &'static str) -> Result<f64, FileError> {
        let Placed { value, place, .. } = self.needed(name, self.number(name)?)?;
        if value >= SMALLEST {
            return Ok(value);
        }
        Err(self.fault_at(&place, format!("expected a number above 0 (1e-6 or more), found {value}")))
    }

    /// A friction factor, 0 or more, that must be there.
    pub fn factor(&self, name: &'static str) -> Result<f64, FileError> {
        let Placed { value, place, .. } = self.needed(name, self.number(name)?)?;
        if value >= 0.0 {
            return Ok(value);
        }
        Err(self.fault_at(&place, format!("expected a factor of 0 or more, found {value}")))
    }

    /// Two numbers in rising order, if they are there; `±∞` otherwise.
    pub fn range_or_all(&self, name: &'static str) -> Result<[f64; 2], FileError> {
        let Some(raw) = self.raw(name) else {
            return Ok([f64::NEG_INFINITY, f64::INFINITY]);
        };
        match self.vector(name)? {
            Some([first, last]) if first < last => Ok([first, last]),
            _ => Err(self.fault_at(&raw.span(), "expected two numbers, the smaller one first: [from, to]")),
        }
    }

    /// The content of the file that a field names, looked for beside the source, with its path.
    pub fn file(&self, name: &'static str) -> Result<(String, Vec<u8>), FileError> {
        let Placed { value, place, .. } = self.needed_text(name)?;
        read_beside(self.source().name, value).map_err(|problem| self.fault_at(&place, problem))
    }
}

/// The content of a file that another one refers to, with its path: beside it, or among the shipped
/// roads.
pub fn read_beside(referring: &str, file: &str) -> Result<(String, Vec<u8>), String> {
    let path = beside(referring, file);
    match (std::fs::read(&path), find(Kind::Road, file, None)) {
        (Ok(bytes), _) => Ok((path.display().to_string(), bytes)),
        (Err(_), Ok(found)) => Ok((found.name, found.bytes.into_owned())),
        (Err(error), Err(_)) => Err(format!("cannot read {}: {error}", path.display())),
    }
}

/// The path of a file that another one refers to: beside it.
pub fn beside(referring: &str, file: &str) -> PathBuf {
    let folder = std::path::Path::new(referring).parent().unwrap_or(std::path::Path::new(""));
    folder.join(file)
}
