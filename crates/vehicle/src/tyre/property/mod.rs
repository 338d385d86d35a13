//! Property files of the tyre trade (`.tir`, TeimOrbit): sections in brackets, `KEY = value`,
//! tables.
//!
//! ```text
//! $ a comment            ! another
//! [UNITS]
//! LENGTH = 'meter'       $ quoted text
//! [VERTICAL]
//! FNOMIN = 4000          $ a number
//! [SHAPE]
//! {radial width}         a table's head
//!  1.0 0.4               a table's row
//! ```
//! Names are compared without case. What is not asked for is no fault: [`PropertyFile::notes`] has
//! it. Files are often Latin-1 in their comments, so bytes that are not UTF-8 are tolerated.

mod parse;
mod units;

use crate::files::{FileError, Source};
use std::cell::{Cell, RefCell};
pub(super) use units::{Dimension, Units};

/// Coefficients beyond this are mistakes, and could make forces overflow.
const NUMBER_MAX: f64 = 1.0e12;
const COEFFICIENT_MAX: f64 = 1.0e6;

#[derive(Debug)]
pub(super) enum Value {
    Number(f64),
    Text(String),
}

#[derive(Debug)]
pub(super) struct Entry {
    key: String,
    line: usize,
    value: Value,
    used: Cell<bool>,
}

#[derive(Debug)]
pub(super) struct Section {
    name: String,
    line: usize,
    entries: Vec<Entry>,
    rows: Vec<(usize, Vec<f64>)>,
}

/// A property file, taken apart.
#[derive(Debug)]
pub(super) struct PropertyFile<'a> {
    source: Source<'a>,
    sections: Vec<Section>,
    line_count: usize,
    units: Units,
    notes: RefCell<Vec<FileError>>,
}

impl<'a> PropertyFile<'a> {
    /// Takes a file apart and reads its units.
    pub fn read(source: &Source<'a>) -> Result<Self, FileError> {
        let mut file = parse::parse(source)?;
        file.require("UNITS")?;
        file.units = Units::read(&file)?;
        Ok(file)
    }

    /// The section's line, or the fault that it is missing.
    pub fn require(&self, section: &str) -> Result<usize, FileError> {
        match self.section(section) {
            Some(found) => Ok(found.line),
            None => {
                let problem = "expected this section, but it is missing";
                Err(self.source.fault(self.line_count, format!("[{section}]"), problem))
            }
        }
    }

    /// A text, in upper case, with its line.
    pub fn text(&self, section: &str, key: &str) -> Option<(String, usize)> {
        let entry = self.entry(section, key)?;
        let text = match &entry.value {
            Value::Text(text) => text.to_uppercase(),
            Value::Number(number) => number.to_string(),
        };
        Some((text, entry.line))
    }

    /// The line of a key; the last one where there is none.
    pub fn line(&self, section: &str, key: &str) -> usize {
        self.entry(section, key).map_or(self.line_count, |entry| entry.line)
    }

    /// A number as it stands.
    pub fn number(&self, section: &str, key: &str) -> Result<Option<f64>, FileError> {
        let Some(entry) = self.entry(section, key) else {
            return Ok(None);
        };
        match &entry.value {
            Value::Number(number) if number.abs() <= NUMBER_MAX => Ok(Some(*number)),
            Value::Number(number) => {
                Err(self.source.fault(entry.line, key, format!("expected a plausible number, found {number}")))
            }
            Value::Text(text) => Err(self.source.fault(entry.line, key, format!("expected a number, found '{text}'"))),
        }
    }

    /// A coefficient without unit, or a default.
    pub fn coefficient(&self, section: &str, key: &str, default: f64) -> Result<f64, FileError> {
        match self.number(section, key)? {
            None => Ok(default),
            Some(value) if value.abs() <= COEFFICIENT_MAX => Ok(value),
            Some(value) => {
                let line = self.entry(section, key).map_or(self.line_count, |entry| entry.line);
                let problem = format!("expected a coefficient of at most {COEFFICIENT_MAX:e}, found {value:e}");
                Err(self.source.fault(line, key, problem))
            }
        }
    }

    /// A coefficient without unit that must be there.
    pub fn required(&self, section: &str, key: &str) -> Result<f64, FileError> {
        if self.entry(section, key).is_none() {
            return Err(self.missing(section, key));
        }
        self.coefficient(section, key, 0.0)
    }

    /// A quantity in SI units, if it is there.
    pub fn quantity(&self, section: &str, key: &str, dimension: Dimension) -> Result<Option<f64>, FileError> {
        Ok(self.number(section, key)?.map(|number| number * self.units.factor(dimension)))
    }

    /// A quantity in SI units, or a default in SI units.
    pub fn quantity_or(&self, section: &str, key: &str, dimension: Dimension, default: f64) -> Result<f64, FileError> {
        Ok(self.quantity(section, key, dimension)?.unwrap_or(default))
    }

    /// A quantity in SI units that must be there and lie within a range.
    pub fn within(
        &self,
        section: &str,
        key: &str,
        dimension: Dimension,
        (least, most): (f64, f64),
    ) -> Result<f64, FileError> {
        let Some(value) = self.quantity(section, key, dimension)? else {
            return Err(self.missing(section, key));
        };
        if (least..=most).contains(&value) {
            return Ok(value);
        }
        let line = self.entry(section, key).map_or(self.line_count, |entry| entry.line);
        let problem = format!("expected {least} to {most} in SI units, found {value}: check the number and [UNITS]");
        Err(self.source.fault(line, key, problem))
    }

    /// The rows of a table that has two columns, with their lines.
    pub fn pairs(&self, section: &str) -> Vec<(usize, f64, f64)> {
        let rows = self.section(section).map_or(&[][..], |found| &found.rows);
        rows.iter().filter_map(|(line, row)| Some((*line, *row.first()?, *row.get(1)?))).collect()
    }

    pub fn units(&self) -> &Units {
        &self.units
    }

    pub fn has(&self, section: &str) -> bool {
        self.section(section).is_some()
    }

    pub fn fault(&self, line: usize, field: &str, problem: impl Into<String>) -> FileError {
        self.source.fault(line, field, problem)
    }

    /// Adds something that the user may want to know.
    pub fn note(&self, line: usize, field: &str, text: impl Into<String>) {
        self.notes.borrow_mut().push(self.source.fault(line, field, text));
    }

    /// What was noted, and the keys that were not asked for and are not among the words of
    /// `ignored`.
    pub fn notes(self, ignored: &str) -> Vec<FileError> {
        let ignored: Vec<&str> = ignored.split(' ').collect();
        let mut notes = self.notes.take();
        for section in self.sections.iter().filter(|section| section.name != "MDI_HEADER") {
            for entry in section.entries.iter().filter(|entry| !entry.used.get()) {
                if !ignored.contains(&entry.key.as_str()) {
                    notes.push(self.source.fault(entry.line, &entry.key, "unknown key, not used"));
                }
            }
        }
        notes
    }

    fn missing(&self, section: &str, key: &str) -> FileError {
        match self.section(section) {
            Some(found) => {
                let problem = format!("expected in section [{section}], but it is missing");
                self.source.fault(found.line, key, problem)
            }
            None => {
                let problem = format!("expected in section [{section}], but that section is missing");
                self.source.fault(self.line_count, key, problem)
            }
        }
    }

    fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// The entry in its section; failing that, in any other: versions differ in where they put a
    /// key.
    fn entry(&self, section: &str, key: &str) -> Option<&Entry> {
        let elsewhere = self.sections.iter().filter(|other| section != "UNITS" && other.name != "UNITS");
        let found = self.sections.iter().filter(|other| other.name == section).chain(elsewhere);
        let entry = found.flat_map(|section| section.entries.iter().rev()).find(|entry| entry.key == key)?;
        entry.used.set(true);
        Some(entry)
    }
}
