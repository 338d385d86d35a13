//! The acquisition file: which sources there are, which channels take from them, and where their
//! values go.
//!
//! `docs/calibration.md` has every key. A file is read and checked as a whole, and a mistake is
//! reported with file, line, column, field and what was expected; what remains to be checked when a
//! source is opened is whether it has the numbers that its channels ask for.

mod channel;
mod derivative;
mod kinds;
mod target;

use std::ops::Range;
use std::path::{Path, PathBuf};

use files::{FileError, Found, Source as Text};
use serde::Deserialize;
use signals::blocks::SOURCES_MAX;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use crate::calibration::CalibrationFile;
use crate::{Opening, check_format};
use channel::ChannelText;
pub use channel::{ChannelPlan, Derivative};
use kinds::SourceTable;
#[cfg(any(test, feature = "conformance"))]
pub use kinds::opening;
pub use kinds::{Settings, SourceKind};
use target::StopText;
pub(crate) use target::{Quantity, StopPlan};

pub(crate) const FOLDER: &str = "acquisition";

/// The file as it is written, without its sources.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileText {
    format: Spanned<String>,
    calibration: Option<Spanned<String>>,
    #[serde(default)]
    channel: Vec<Spanned<ChannelText>>,
    #[serde(default)]
    stop: Vec<StopText>,
}

/// A source that the file names.
pub struct SourcePlan {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// How it is opened.
    pub opening: Box<dyn Opening>,
}

/// A checked acquisition file.
pub struct Plan {
    /// The file, for messages.
    pub file: String,
    /// Its folder; none for a shipped file.
    pub folder: Option<PathBuf>,
    /// The calibration file that it names.
    pub calibration: Option<String>,
    /// The sources, in the order of the file.
    pub sources: Vec<SourcePlan>,
    /// The channels, in the order of the file.
    pub channels: Vec<ChannelPlan>,
    /// What is written when a stop is asked for.
    pub stops: Vec<StopPlan>,
    /// Every signal that is written, each once.
    pub signals: Vec<String>,
}

impl Plan {
    /// Finds and reads a file, by name (a shipped one) or path; first beside `near`. The kinds of
    /// sources are those of this crate and `more`.
    pub fn load(name: &str, near: Option<&Path>, more: &[SourceKind]) -> Result<Self, FileError> {
        Self::parse(&files::find(FOLDER, name, near)?, more)
    }

    /// Reads a text.
    pub fn parse(found: &Found, more: &[SourceKind]) -> Result<Self, FileError> {
        let text = found.source();
        let folder = found.folder.as_deref();
        let mut root = DeTable::parse(text.text()?).map_err(|error| text.toml_fault(&error, 0..0))?;
        let sources = sources(root.get_mut(), text, folder, more)?;
        let file = FileText::deserialize(Deserializer::from(root)).map_err(|error| text.toml_fault(&error, 0..0))?;
        check_format(&file.format, "rtrd-acquisition-1", &text)?;
        let names: Vec<&str> = sources.iter().map(|source| source.name.as_str()).collect();
        let calibrations = match &file.calibration {
            None => CalibrationFile::default(),
            Some(name) => calibrations(name, &text, folder)?,
        };
        let channels = channel::check_all(file.channel, &names, &calibrations, &text)?;
        let stops = target::check_stops(file.stop, &text)?;
        let signals = target::signals(&channels, &stops);
        Ok(Self {
            file: found.name.clone(),
            folder: found.folder.clone(),
            calibration: file.calibration.map(Spanned::into_inner),
            sources,
            channels,
            stops,
            signals,
        })
    }
}

/// A file that is named but not found is a fault of the place that names it; one that is wrong
/// names its own place.
fn calibrations(name: &Spanned<String>, text: &Text<'_>, folder: Option<&Path>) -> Result<CalibrationFile, FileError> {
    CalibrationFile::load(name.get_ref(), folder).map_err(|error| match error.line {
        0 => text.fault_at(name.span(), error.problem),
        _ => error,
    })
}

fn sources<'a>(
    root: &mut DeTable<'a>,
    text: Text<'a>,
    folder: Option<&'a Path>,
    more: &[SourceKind],
) -> Result<Vec<SourcePlan>, FileError> {
    let expected = "expected [[source]] tables, at least one";
    let Some(found) = root.remove("source") else {
        return text.fail(0..0, expected);
    };
    let place = found.span();
    let DeValue::Array(tables) = found.into_inner() else {
        return text.fail(place, expected);
    };
    if tables.is_empty() || tables.len() > SOURCES_MAX {
        let problem = format!("expected 1 to {SOURCES_MAX} sources, found {}", tables.len());
        return text.fail(place, problem);
    }
    let mut sources: Vec<SourcePlan> = Vec::new();
    for table in tables {
        let table = SourceTable::new(table, text, folder)?;
        let (name, kind) = (table.name.get_ref().clone(), table.kind.get_ref().clone());
        if sources.iter().any(|source| source.name == name) {
            return Err(already(&text, table.name.span(), "source", &name));
        }
        sources.push(SourcePlan { name, kind, opening: table.opening(more)? });
    }
    Ok(sources)
}

fn already(text: &Text<'_>, place: Range<usize>, what: &str, name: &str) -> FileError {
    text.fault_at(place, format!("there is already a {what} `{name}`; expected another name"))
}

#[cfg(test)]
pub(crate) mod tests;
