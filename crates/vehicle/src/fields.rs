//! The fields of a TOML table, asked for by name: each fault knows its place, and a field that was
//! not asked for is a fault too. Manoeuvres and roads are read with it.
//!
//! A quantity may be given in several units; the unit is the end of the field's name (`speed_km_h`,
//! `angle_deg`). Asking for a quantity means asking for all its names at once: two of them in one
//! table contradict each other and are refused.

use crate::files::{FileError, Source};
use crate::library::{Kind, find};
use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A name for a quantity and the factor from its unit to SI.
pub type Unit = (&'static str, f64);

/// Largest number that is believed: squares and products then stay finite.
pub const LARGEST: f64 = 1e9;

/// Smallest length that is believed.
pub const SMALLEST: f64 = 1e-6;

/// Least time between two rows of a course (s).
const TIME_BETWEEN_S: f64 = 1e-6;

/// One table of the file.
#[derive(Debug)]
pub struct Fields<'a> {
    source: Source<'a>,
    table: &'a DeTable<'a>,
    place: Range<usize>,
    asked: RefCell<Vec<&'static str>>,
}

/// A value with its place in the file.
#[derive(Clone, Debug)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Bytes of the file.
    pub place: Range<usize>,
    /// Name of the field.
    pub name: &'static str,
}

/// The top level of a file, by which `read` makes what it describes.
pub fn read<T>(source: &Source<'_>, read: impl FnOnce(&Fields<'_>) -> Result<T, FileError>) -> Result<T, FileError> {
    let text = source.text()?;
    let table = DeTable::parse(text).map_err(|error| source.fault_at(error.span().unwrap_or(0..0), error.message()))?;
    // Missing fields of the whole file have no place of their own.
    let fields = Fields::new(*source, table.get_ref(), 0..0);
    let found = read(&fields)?;
    fields.finish()?;
    Ok(found)
}

impl<'a> Fields<'a> {
    /// The fields of a table that stands at a place of the file.
    pub fn new(source: Source<'a>, table: &'a DeTable<'a>, place: Range<usize>) -> Self {
        Self { source, table, place, asked: RefCell::default() }
    }

    /// A fault of the table as a whole, such as a field that is missing.
    pub fn fault(&self, problem: impl ToString) -> FileError {
        self.source.fault_at(self.place.clone(), problem)
    }

    /// A fault at a place.
    pub fn fault_at(&self, place: &Range<usize>, problem: impl ToString) -> FileError {
        self.source.fault_at(place.clone(), problem)
    }

    /// The file.
    pub fn source(&self) -> &Source<'a> {
        &self.source
    }

    /// A field of any kind, if it is there.
    pub fn raw(&self, name: &'static str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.asked.borrow_mut().push(name);
        self.table.get(name)
    }

    /// A field that must be a text.
    pub fn text(&self, name: &'static str) -> Result<Option<Placed<&'a str>>, FileError> {
        self.value(name, "a text in quotes", |value| value.as_str())
    }

    /// A field that must be true or false; false when it is missing.
    pub fn flag(&self, name: &'static str) -> Result<bool, FileError> {
        let found = self.value(name, "true or false", DeValue::as_bool)?;
        Ok(found.is_some_and(|found| found.value))
    }

    /// A field that must be a finite number.
    pub fn number(&self, name: &'static str) -> Result<Option<Placed<f64>>, FileError> {
        let Some(raw) = self.raw(name) else {
            return Ok(None);
        };
        Ok(Some(Placed { value: self.number_of(raw)?, place: raw.span(), name }))
    }

    /// The finite number that a value must be.
    pub fn number_of(&self, raw: &Spanned<DeValue<'_>>) -> Result<f64, FileError> {
        match (number(raw.get_ref()), raw.get_ref()) {
            (Some(number), _) => Ok(number),
            (None, DeValue::Float(_) | DeValue::Integer(_)) => {
                Err(self.fault_at(&raw.span(), "expected a finite number within ±1e9"))
            }
            (None, _) => Err(self.expected(raw, "a finite number")),
        }
    }

    /// One of several words.
    pub fn choice<T: Copy>(&self, name: &'static str, choices: &[(&str, T)]) -> Result<Option<T>, FileError> {
        let Some(found) = self.text(name)? else {
            return Ok(None);
        };
        match choices.iter().find(|(word, _)| *word == found.value) {
            Some((_, choice)) => Ok(Some(*choice)),
            None => {
                let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
                let problem = format!("expected {}, found \"{}\"", words.join(" or "), found.value);
                Err(self.fault_at(&found.place, problem))
            }
        }
    }

    /// A field that must be a list of numbers, of a given length.
    pub fn vector<const N: usize>(&self, name: &'static str) -> Result<Option<[f64; N]>, FileError> {
        let found = self.value(name, &format!("a list of {N} numbers"), numbers::<N>)?;
        Ok(found.map(|found| found.value))
    }

    /// A field that must be a list of rows of two numbers.
    pub fn rows(&self, name: &'static str) -> Result<Option<Placed<Vec<[f64; 2]>>>, FileError> {
        self.value(name, "rows of two numbers, such as [[0, 0], [1, 5]]", |value| {
            value.as_array()?.iter().map(|row| numbers(row.get_ref())).collect()
        })
    }

    /// A field that must be a table.
    pub fn table(&self, name: &'static str) -> Result<Option<Fields<'a>>, FileError> {
        let Some(raw) = self.raw(name) else {
            return Ok(None);
        };
        match raw.get_ref().as_table() {
            Some(table) => Ok(Some(Self::new(self.source, table, raw.span()))),
            None => Err(self.expected(raw, "a table")),
        }
    }

    /// A field that must be a list of tables (`[[name]]`); empty when it is missing.
    pub fn tables(&self, name: &'static str) -> Result<Vec<Fields<'a>>, FileError> {
        let Some(raw) = self.raw(name) else {
            return Ok(Vec::new());
        };
        let Some(array) = raw.get_ref().as_array() else {
            return Err(self.expected(raw, "a list of tables"));
        };
        let one = |element: &'a Spanned<DeValue<'a>>| match element.get_ref().as_table() {
            Some(table) => Ok(Self::new(self.source, table, element.span())),
            None => Err(self.expected(element, "a table")),
        };
        array.iter().map(one).collect()
    }

    /// A quantity in SI units, under one of its names.
    pub fn quantity(&self, units: &[Unit]) -> Result<Option<Placed<f64>>, FileError> {
        let Some((name, factor)) = self.only_one(units)? else {
            return Ok(None);
        };
        let found = self.number(name)?;
        Ok(found.map(|found| Placed { value: found.value * factor, ..found }))
    }

    /// A quantity that must be there.
    pub fn required(&self, units: &[Unit]) -> Result<Placed<f64>, FileError> {
        self.quantity(units)?.ok_or_else(|| self.missing(units))
    }

    /// A table of time (s) and quantity, under one of its names; a lone number is a constant.
    pub fn course(&self, units: &[Unit]) -> Result<Option<Placed<Vec<[f64; 2]>>>, FileError> {
        let Some((name, factor)) = self.only_one(units)? else {
            return Ok(None);
        };
        if self.table.get(name).is_some_and(|raw| number(raw.get_ref()).is_some()) {
            let found = self.number(name)?;
            return Ok(found.map(|found| Placed {
                value: vec![[0.0, found.value * factor]],
                place: found.place,
                name,
            }));
        }
        let Some(mut found) = self.rows(name)? else {
            return Ok(None);
        };
        found.value.iter_mut().for_each(|row| row[1] *= factor);
        self.check_rising(&found)?;
        Ok(Some(found))
    }

    /// A course that must be there.
    pub fn required_course(&self, units: &[Unit]) -> Result<Placed<Vec<[f64; 2]>>, FileError> {
        self.course(units)?.ok_or_else(|| self.missing(units))
    }

    fn check_rising(&self, found: &Placed<Vec<[f64; 2]>>) -> Result<(), FileError> {
        if found.value.is_empty() {
            return Err(self.fault_at(&found.place, "expected at least one row of time and value"));
        }
        match found.value.windows(2).find(|pair| pair[1][0] - pair[0][0] < TIME_BETWEEN_S) {
            Some(pair) => Err(self.fault_at(
                &found.place,
                format!(
                    "expected rising times, at least a microsecond apart, found {} after {}",
                    pair[1][0], pair[0][0]
                ),
            )),
            None => Ok(()),
        }
    }

    /// One of several words, which must be there.
    pub fn kind<'w>(&self, words: &[&'w str]) -> Result<&'w str, FileError> {
        let choices: Vec<(&str, &str)> = words.iter().map(|word| (*word, *word)).collect();
        self.choice("kind", &choices)?.ok_or_else(|| self.missing(&[("kind", 1.0)]))
    }

    /// A number from one limit to another, if it is there.
    pub fn number_in(&self, name: &'static str, limits: [f64; 2], expected: &str) -> Result<Option<f64>, FileError> {
        self.limited(self.number(name)?, limits, expected)
    }

    /// A quantity in SI units from one limit to another, if it is there.
    pub fn quantity_in(&self, units: &[Unit], limits: [f64; 2], expected: &str) -> Result<Option<f64>, FileError> {
        self.limited(self.quantity(units)?, limits, expected)
    }

    /// A number from one limit to another, or its default.
    pub fn within(&self, name: &'static str, limits: [f64; 2], default: f64) -> Result<f64, FileError> {
        let expected = format!("a number from {} to {}", limits[0], limits[1]);
        Ok(self.number_in(name, limits, &expected)?.unwrap_or(default))
    }

    /// A number above zero, if it is there.
    pub fn above_zero(&self, name: &'static str) -> Result<Option<f64>, FileError> {
        self.number_in(name, [f64::MIN_POSITIVE, LARGEST], "a number above 0")
    }

    fn limited(&self, found: Option<Placed<f64>>, limits: [f64; 2], expected: &str) -> Result<Option<f64>, FileError> {
        match found {
            Some(found) if !(limits[0]..=limits[1]).contains(&found.value) => {
                Err(self.fault_at(&found.place, format!("expected {expected}, found {}", found.value)))
            }
            found => Ok(found.map(|found| found.value)),
        }
    }

    /// Which of the names the table has.
    pub fn only_one(&self, units: &[Unit]) -> Result<Option<Unit>, FileError> {
        let mut present = units.iter().filter(|(name, _)| self.raw(name).is_some());
        let first = present.next().copied();
        match (first, present.next()) {
            (Some((one, _)), Some((other, _))) => {
                Err(self.fault(format!("{one} and {other} say the same thing twice; keep one of them")))
            }
            _ => Ok(first),
        }
    }

    /// The fault of a quantity that is missing.
    pub fn missing(&self, units: &[Unit]) -> FileError {
        let names: Vec<&str> = units.iter().map(|(name, _)| *name).collect();
        self.fault(format!("expected a field {}; add it", names.join(" or ")))
    }

    /// Refuses the fields that were not asked for.
    pub fn finish(&self) -> Result<(), FileError> {
        let asked = self.asked.borrow();
        let unknown = self.table.iter().find(|(key, _)| !asked.contains(&key.get_ref().as_ref()));
        let Some((key, _)) = unknown else { return Ok(()) };
        let mut known: Vec<&str> = asked.iter().copied().filter(|name| *name != "kind").collect();
        known.sort_unstable();
        known.dedup();
        Err(self
            .fault_at(&key.span(), format!("unknown field `{}`; expected one of: {}", key.get_ref(), known.join(", "))))
    }

    /// All numbers of the table, for parameters that are only handed on.
    pub fn other_numbers(&self) -> Result<Vec<(String, f64)>, FileError> {
        let asked = self.asked.borrow();
        let others = self.table.iter().filter(|(key, _)| !asked.contains(&key.get_ref().as_ref()));
        others.map(|(key, value)| Ok((key.get_ref().to_string(), self.number_of(value)?))).collect()
    }

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

    fn value<T>(
        &self,
        name: &'static str,
        expected: &str,
        take: impl Fn(&'a DeValue<'a>) -> Option<T>,
    ) -> Result<Option<Placed<T>>, FileError> {
        let Some(raw) = self.raw(name) else {
            return Ok(None);
        };
        match take(raw.get_ref()) {
            Some(value) => Ok(Some(Placed { value, place: raw.span(), name })),
            None => Err(self.expected(raw, expected)),
        }
    }

    fn expected(&self, raw: &Spanned<DeValue<'_>>, expected: &str) -> FileError {
        let found = raw.get_ref();
        self.fault_at(&raw.span(), format!("expected {expected}, found {}", found.type_str()))
    }
}

fn number(value: &DeValue<'_>) -> Option<f64> {
    let found = match value {
        DeValue::Float(float) => float.as_str().parse().ok()?,
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix()).ok()? as f64,
        _ => return None,
    };
    (found.abs() <= LARGEST).then_some(found)
}

fn numbers<const N: usize>(value: &DeValue<'_>) -> Option<[f64; N]> {
    let found: Vec<f64> = value.as_array()?.iter().map(|element| number(element.get_ref())).collect::<Option<_>>()?;
    found.try_into().ok()
}

/// The content of a file that another one refers to, with its path: beside it, or among the shipped
/// roads.
pub fn read_beside(referring: &str, file: &str) -> Result<(String, Vec<u8>), String> {
    let path = Path::new(referring).parent().unwrap_or(Path::new("")).join(file);
    match (std::fs::read(&path), find(Kind::Road, file, None)) {
        (Ok(bytes), _) => Ok((path.display().to_string(), bytes)),
        (Err(_), Ok(found)) => Ok((found.name, found.bytes.into_owned())),
        (Err(error), Err(_)) => Err(format!("cannot read {}: {error}", path.display())),
    }
}
