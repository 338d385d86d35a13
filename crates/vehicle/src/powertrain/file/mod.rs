//! Powertrain files: what stands in them and what is checked.
//!
//! A file is read as it is written, every value with its place, so that a fault can name its line.
//! A [`Section`] finds the values and tells what is wrong with them; each module has a part of the
//! file and makes it. The format is described in `docs/powertrain.md`.

mod axles;
mod engine;
mod gearbox;
mod launch;

use super::energy::{Lie, Mounting};
use super::train::{Parts, Train};
use crate::files::{Curve, CurveError, Ends, FileError, Source};
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;

/// A number that may be missing.
pub type Number = Option<Spanned<f64>>;
/// Numbers that may be missing.
pub type Numbers = Option<Spanned<Vec<Spanned<f64>>>>;
/// Points that may be missing.
pub type Points = Option<Spanned<Vec<Spanned<[f64; 2]>>>>;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// "train", which may be left out; [`crate::powertrain::read`] looks at it.
    #[serde(rename = "kind")]
    _kind: Option<Spanned<String>>,
    engine: Spanned<engine::EngineFile>,
    launch: Option<Spanned<launch::LaunchFile>>,
    gearbox: Spanned<gearbox::GearboxFile>,
    axles: axles::AxleFiles,
    centre: Option<Spanned<axles::DifferentialFile>>,
    mounting: Option<Spanned<MountingFile>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MountingFile {
    engine: Spanned<String>,
    final_drive: Spanned<String>,
}

/// Reads a powertrain for a vehicle with so many wheels.
pub(super) fn read(source: &Source<'_>, wheels: usize) -> Result<Train, FileError> {
    let file: File = source.toml()?;
    let engine = engine::build(&Section::new(source, "engine", &file.engine))?;
    let launch = match &file.launch {
        Some(launch) => launch::build(&Section::new(source, "launch", launch))?,
        None => super::launch::Launch::Rigid,
    };
    let geared = gearbox::build(&Section::new(source, "gearbox", &file.gearbox), &engine, &launch)?;
    let axles = axles::build(source, &file.axles, file.centre.as_ref(), wheels)?;
    let mounting = file.mounting.as_ref().map(|it| mounting(&Section::new(source, "mounting", it))).transpose()?;
    Ok(Train::new(Parts {
        engine,
        launch,
        gearbox: geared.gearbox,
        control: geared.control,
        loss: geared.loss,
        output_inertia_kg_m2: geared.output_inertia_kg_m2,
        axles,
        mounting,
    }))
}

fn mounting(section: &Section<'_, MountingFile>) -> Result<Mounting, FileError> {
    let engine = match section.choice(&section.file.engine, &["longitudinal", "transverse"])? {
        0 => Lie::Longitudinal,
        _ => Lie::Transverse,
    };
    let on_body = section.choice(&section.file.final_drive, &["body", "axle"])? == 0;
    Ok(Mounting { engine, final_drive_on_body: on_body })
}

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
        let check = |it| self.checked(it, |number| number >= 0.0, "a number from 0 up", "; correct it");
        value.as_ref().map_or(Ok(0.0), check)
    }

    /// A number above 0 and up to 1, or this one.
    pub fn fraction_or(&self, value: &Number, default: f64) -> Result<f64, FileError> {
        let check = |it| self.checked(it, |number| number > 0.0 && number <= 1.0, "a number above 0 and at most 1", "");
        value.as_ref().map_or(Ok(default), check)
    }

    /// A positive number.
    pub fn is_positive(&self, value: &Spanned<f64>) -> Result<f64, FileError> {
        self.checked(value, |number| number > 0.0, "a positive number", "; correct it")
    }

    fn checked(
        &self,
        value: &Spanned<f64>,
        is_good: fn(f64) -> bool,
        expected: &str,
        hint: &str,
    ) -> Result<f64, FileError> {
        let number = *value.get_ref();
        if number.is_finite() && is_good(number) {
            return Ok(number);
        }
        Err(self.fault(value, format!("expected {expected}, found {number}{hint}")))
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
