//! The texts that acquisition is told by: where they come from, and how their faults are told.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

/// Folder, file name and content of everything that is shipped.
const SHIPPED: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// What a file is for: the folder of the shipped ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Sources and channels.
    Acquisition,
    /// Calibrations of channels.
    Calibration,
}

impl Kind {
    /// The folder under `models/`.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Acquisition => "acquisition",
            Self::Calibration => "calibrations",
        }
    }

    /// Names of the shipped ones, without extension.
    pub fn shipped(self) -> impl Iterator<Item = &'static str> {
        let of_kind = SHIPPED.iter().filter(move |(folder, ..)| *folder == self.folder());
        of_kind.map(|(_, name, _)| name.trim_end_matches(".toml"))
    }
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TextError {
    /// Something in the text.
    #[error("{file}:{line}:{column}: {field}: {problem}")]
    Text {
        /// Path or name of the file.
        file: String,
        /// Counted from 1.
        line: usize,
        /// Counted from 1, in characters.
        column: usize,
        /// The field with its path: `channel[1].derivative.length`; `top level` for the whole.
        field: String,
        /// What was found and what was expected.
        problem: String,
    },
    /// The file cannot be read.
    #[error("{file}: cannot be read: {problem}")]
    Read {
        /// The file.
        file: String,
        /// What the system said.
        problem: String,
    },
    /// There is no such file.
    #[error("`{name}` is no file and not shipped; expected the path of a file, or one of {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What is shipped.
        known: String,
    },
}

/// A file's text with the name to use in messages.
#[derive(Clone, Debug)]
pub struct Text {
    /// Path or name, for messages.
    pub name: String,
    /// The content.
    pub content: Cow<'static, str>,
    /// Its folder, where files that it names are looked for first; none for a shipped one.
    pub folder: Option<PathBuf>,
}

impl Text {
    /// A text that is there already.
    pub fn new(name: impl Into<String>, content: impl Into<String>) -> Self {
        Self { name: name.into(), content: Cow::Owned(content.into()), folder: None }
    }

    /// Finds a file by name or path: beside `near`, as a path, among the shipped ones.
    pub fn find(kind: Kind, name: &str, near: Option<&Path>) -> Result<Self, TextError> {
        let beside = near.map(|folder| folder.join(name));
        let path = beside.into_iter().chain([PathBuf::from(name)]);
        if let Some(path) = path.into_iter().find(|path| path.is_file()) {
            return Self::read(&path);
        }
        let stem = name.trim_end_matches(".toml");
        let shipped = SHIPPED
            .iter()
            .find(|(folder, file, _)| *folder == kind.folder() && file.trim_end_matches(".toml") == stem);
        let (folder, file, content) = shipped.ok_or_else(|| TextError::Unknown {
            name: name.to_owned(),
            known: kind.shipped().collect::<Vec<_>>().join(", "),
        })?;
        Ok(Self { name: format!("models/{folder}/{file}"), content: Cow::Borrowed(content), folder: None })
    }

    fn read(path: &Path) -> Result<Self, TextError> {
        let content = std::fs::read_to_string(path).map_err(|error| TextError::Read {
            file: path.display().to_string(),
            problem: error.to_string(),
        })?;
        Ok(Self {
            name: path.display().to_string(),
            content: Cow::Owned(content),
            folder: path.parent().map(Path::to_path_buf),
        })
    }

    /// A fault at a byte range, as `toml::Spanned` tells it.
    pub fn fault(&self, place: Range<usize>, problem: impl Into<String>) -> TextError {
        let (line, column) = files::place::line_and_column(&self.content, place.start);
        TextError::Text {
            file: self.name.clone(),
            line,
            column,
            field: files::place::field_at(&self.content, &place),
            problem: problem.into(),
        }
    }

    /// What the TOML reader said, with its place. Faults without a place are put at `near`.
    pub fn toml_fault(&self, error: &toml::de::Error, near: Range<usize>) -> TextError {
        self.fault(error.span().unwrap_or(near), error.message())
    }

    /// The content as TOML of a given shape.
    pub fn toml<T: DeserializeOwned>(&self) -> Result<T, TextError> {
        toml::from_str(&self.content).map_err(|error| self.toml_fault(&error, 0..0))
    }
}

/// Longest time that a file may ask for (s).
const TIME_MAX_S: f64 = 86_400.0;

/// A time in seconds of a file as nanoseconds: zero to a day.
pub(crate) fn nanoseconds(time_s: &toml::Spanned<f64>, text: &Text) -> Result<u64, TextError> {
    let seconds = *time_s.get_ref();
    if (0.0..=TIME_MAX_S).contains(&seconds) {
        Ok((seconds * crate::NANOSECONDS_PER_SECOND).round() as u64)
    } else {
        let problem = format!("expected a time from 0 to {TIME_MAX_S} s, found {seconds}");
        Err(text.fault(time_s.span(), problem))
    }
}
