//! The acquisition file: which sources there are, which channels take from them, and where their
//! values go.
//!
//! `docs/calibration.md` has every key. A file is read and checked as a whole, and a mistake is
//! told with file, line, column, field and what was expected; what remains to be seen when a source
//! is opened is whether it has the numbers that its channels ask for.

mod channel;
mod derivative;
mod kinds;
mod schema;
mod settings;
mod stop;
mod target;

use std::ops::Range;
use std::path::PathBuf;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub use channel::{ChannelPlan, Derivative};
pub use settings::{Place, Settings, SettingsError, SourceTable};
pub use stop::StopPlan;
pub use target::{Quantity, Target};

use crate::Opening;
use crate::calibration::CalibrationFile;
use crate::text::{Kind, Text, TextError};

/// The format that this version reads.
pub const ACQUISITION_FORMAT: &str = "rtrd-acquisition-1";
/// Most sources of a file.
pub const SOURCES_MAX: usize = 8;
/// Most channels of a file.
pub const CHANNELS_MAX: usize = 32;

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

/// Makes an opening of a source's kind and settings.
pub type MakeOpening<'a> = &'a dyn Fn(&str, SourceTable<'_>) -> Result<Box<dyn Opening>, TextError>;

impl Plan {
    /// Names of the shipped files.
    pub fn shipped() -> impl Iterator<Item = &'static str> {
        Kind::Acquisition.shipped()
    }

    /// Finds and reads a file, by name (a shipped one) or path.
    pub fn load(name: &str) -> Result<Self, TextError> {
        Self::parse(&Text::find(Kind::Acquisition, name, None)?)
    }

    /// Reads a text.
    pub fn parse(text: &Text) -> Result<Self, TextError> {
        Self::parse_with(text, &kinds::opening)
    }

    /// Reads a text whose sources are made by somebody else.
    pub fn parse_with(text: &Text, make: MakeOpening<'_>) -> Result<Self, TextError> {
        let mut root = DeTable::parse(&text.content).map_err(|error| text.toml_fault(&error, 0..0))?;
        let sources = sources(root.get_mut(), text, make)?;
        let file = schema::read(root, text)?;
        let names: Vec<&str> = sources.iter().map(|source| source.name.as_str()).collect();
        let calibrations = match &file.calibration {
            None => CalibrationFile::default(),
            Some(name) => calibrations(name, text)?,
        };
        let channels = channel::check_all(file.channel, &names, &calibrations, text)?;
        let stops = stop::check_all(file.stop, text)?;
        let signals = target::signals(&channels, &stops);
        Ok(Self {
            file: text.name.clone(),
            folder: text.folder.clone(),
            calibration: file.calibration.map(Spanned::into_inner),
            sources,
            channels,
            stops,
            signals,
        })
    }
}

/// A file that is named but cannot be had is a fault of the place that names it; one that is wrong
/// tells of itself.
fn calibrations(name: &Spanned<String>, text: &Text) -> Result<CalibrationFile, TextError> {
    let near = text.folder.as_deref();
    CalibrationFile::load(name.get_ref(), near).map_err(|error| match error {
        TextError::Unknown { .. } => text.fault(name.span(), error.to_string()),
        error => error,
    })
}

fn sources(root: &mut DeTable<'_>, text: &Text, make: MakeOpening<'_>) -> Result<Vec<SourcePlan>, TextError> {
    let expected = "expected [[source]] tables, at least one";
    let Some(found) = root.remove("source") else {
        return Err(text.fault(0..0, expected));
    };
    let place = found.span();
    let DeValue::Array(tables) = found.into_inner() else {
        return Err(text.fault(place, expected));
    };
    if tables.is_empty() || tables.len() > SOURCES_MAX {
        let problem = format!("expected 1 to {SOURCES_MAX} sources, found {}", tables.len());
        return Err(text.fault(place, problem));
    }
    let mut sources: Vec<SourcePlan> = Vec::new();
    for table in tables {
        let (name, kind, table) = settings::take_apart(table, text)?;
        if sources.iter().any(|source| source.name == *name.get_ref()) {
            return Err(already(text, name.span(), "source", name.get_ref()));
        }
        sources.push(SourcePlan {
            opening: make(kind.get_ref(), table)?,
            name: name.into_inner(),
            kind: kind.into_inner(),
        });
    }
    Ok(sources)
}

fn already(text: &Text, place: Range<usize>, what: &str, name: &str) -> TextError {
    text.fault(place, format!("there is already a {what} `{name}`; expected another name"))
}

#[cfg(test)]
pub(crate) mod tests;
