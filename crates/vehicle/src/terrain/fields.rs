//! The fields of a TOML table, taken one by one: each fault knows its place, and a field that
//! nobody took is a fault too.

use std::ops::Range;
use std::path::PathBuf;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::files::{FileError, Source};
use crate::library::{Kind, find};

/// Largest number that is believed: slopes and their squares then stay finite.
pub const LARGEST: f64 = 1e9;
/// Smallest length that is believed.
pub const SMALLEST: f64 = 1e-6;

/// A number with its place in the text.
#[derive(Clone, Debug)]
pub struct Number {
    /// The value; finite.
    pub value: f64,
    /// Its place, for faults found later.
    pub place: Range<usize>,
}

/// A table whose fields are taken one by one.
pub struct Fields<'a> {
    source: &'a Source<'a>,
    table: &'a DeTable<'a>,
    place: Range<usize>,
    taken: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    /// The fields of a table at a place.
    pub fn new(source: &'a Source<'a>, table: &'a DeTable<'a>, place: Range<usize>) -> Self {
        Self { source, table, place, taken: Vec::new() }
    }

    /// A fault of the whole table.
    pub fn fault(&self, problem: impl ToString) -> FileError {
        self.source.fault_at(self.place.clone(), problem)
    }

    /// A fault at a place of the text.
    pub fn fault_at(&self, place: &Range<usize>, problem: impl ToString) -> FileError {
        self.source.fault_at(place.clone(), problem)
    }

    /// A field of any kind, if it is there.
    pub fn value(&mut self, name: &'static str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.taken.push(name);
        self.table.iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| value)
    }

    fn missing(&self, name: &str) -> FileError {
        let mut fault = self.fault(format!("expected `{name}`, found none; add it"));
        fault.field = name.to_owned();
        fault
    }

    /// A finite number, if it is there.
    pub fn number_if_any(&mut self, name: &'static str) -> Result<Option<Number>, FileError> {
        match self.value(name) {
            Some(value) => Ok(Some(self.number_of(value)?)),
            None => Ok(None),
        }
    }

    /// A finite number that must be there.
    pub fn number(&mut self, name: &'static str) -> Result<f64, FileError> {
        let number = self.number_if_any(name)?;
        number.map(|number| number.value).ok_or_else(|| self.missing(name))
    }

    /// A finite number with a default.
    pub fn number_or(&mut self, name: &'static str, default: f64) -> Result<f64, FileError> {
        Ok(self.number_if_any(name)?.map_or(default, |number| number.value))
    }

    /// A number above zero that must be there.
    pub fn positive(&mut self, name: &'static str) -> Result<f64, FileError> {
        let number = self.number_if_any(name)?.ok_or_else(|| self.missing(name))?;
        if number.value >= SMALLEST {
            return Ok(number.value);
        }
        Err(self.fault_at(
            &number.place,
            format!("expected a number above 0 (1e-6 or more), found {}", number.value),
        ))
    }

    /// A friction factor, 0 or more, with a default.
    pub fn factor_or(&mut self, name: &'static str, default: f64) -> Result<f64, FileError> {
        let Some(number) = self.number_if_any(name)? else {
            return Ok(default);
        };
        self.factor_of(&number)
    }

    /// A friction factor that must be there.
    pub fn factor(&mut self, name: &'static str) -> Result<f64, FileError> {
        let number = self.number_if_any(name)?.ok_or_else(|| self.missing(name))?;
        self.factor_of(&number)
    }

    /// A number that must not be negative.
    pub fn factor_of(&self, number: &Number) -> Result<f64, FileError> {
        if number.value >= 0.0 {
            return Ok(number.value);
        }
        Err(self.fault_at(&number.place, format!("expected a factor of 0 or more, found {}", number.value)))
    }

    /// A text, if it is there.
    pub fn text_if_any(&mut self, name: &'static str) -> Result<Option<(&'a str, Range<usize>)>, FileError> {
        let Some(value) = self.value(name) else {
            return Ok(None);
        };
        match value.get_ref() {
            DeValue::String(text) => Ok(Some((text.as_ref(), value.span()))),
            other => {
                Err(self.fault_at(&value.span(), format!("expected a text, found {}", other.type_str())))
            }
        }
    }

    /// A text that must be there.
    pub fn text(&mut self, name: &'static str) -> Result<(&'a str, Range<usize>), FileError> {
        self.text_if_any(name)?.ok_or_else(|| self.missing(name))
    }

    /// Two numbers in rising order, if they are there; `±∞` otherwise.
    pub fn range_or_all(&mut self, name: &'static str) -> Result<[f64; 2], FileError> {
        let Some(value) = self.value(name) else {
            return Ok([f64::NEG_INFINITY, f64::INFINITY]);
        };
        let numbers = self.numbers_of(value)?;
        match numbers[..] {
            [first, last] if first < last => Ok([first, last]),
            _ => Err(self.fault_at(&value.span(), "expected two numbers, the smaller one first: [from, to]")),
        }
    }

    /// The numbers of an array.
    pub fn numbers_of(&self, value: &Spanned<DeValue<'_>>) -> Result<Vec<f64>, FileError> {
        let DeValue::Array(array) = value.get_ref() else {
            return Err(self.fault_at(
                &value.span(),
                format!("expected a list of numbers, found {}", value.get_ref().type_str()),
            ));
        };
        array.iter().map(|element| Ok(self.number_of(element)?.value)).collect()
    }

    fn number_of(&self, value: &Spanned<DeValue<'_>>) -> Result<Number, FileError> {
        let number = match value.get_ref() {
            DeValue::Float(float) => float.as_str().parse::<f64>().ok(),
            DeValue::Integer(integer) => {
                i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(|integer| integer as f64)
            }
            other => {
                let problem = format!("expected a number, found {}", other.type_str());
                return Err(self.fault_at(&value.span(), problem));
            }
        };
        match number {
            Some(number) if number.abs() <= LARGEST => Ok(Number { value: number, place: value.span() }),
            _ => Err(self.fault_at(&value.span(), "expected a finite number within ±1e9")),
        }
    }

    /// The tables of an array of tables (`[[name]]`), each as fields; none when it is absent.
    pub fn tables(&mut self, name: &'static str) -> Result<Vec<Fields<'a>>, FileError> {
        let Some(value) = self.value(name) else {
            return Ok(Vec::new());
        };
        let expected = || self.fault_at(&value.span(), format!("expected tables: [[{name}]]"));
        let array = value.get_ref().as_array().ok_or_else(expected)?;
        let fields = |element: &'a Spanned<DeValue<'a>>| match element.get_ref() {
            DeValue::Table(table) => Ok(Fields::new(self.source, table, element.span())),
            _ => Err(expected()),
        };
        array.iter().map(fields).collect()
    }

    /// Ends the reading: a field that nobody took is a fault.
    pub fn done(self) -> Result<(), FileError> {
        let unknown = |key: &&Spanned<_>| !self.taken.iter().any(|name| key.get_ref() == name);
        match self.table.keys().find(unknown) {
            Some(key) => {
                Err(self
                    .fault_at(&key.span(), format!("unknown field; known here: {}", self.taken.join(", "))))
            }
            None => Ok(()),
        }
    }

    /// The content of the file that a field names, looked for beside the source, with its path.
    pub fn file(&mut self, name: &'static str) -> Result<(String, Vec<u8>), FileError> {
        let (text, place) = self.text(name)?;
        read_beside(self.source.name, text).map_err(|problem| self.fault_at(&place, problem))
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
