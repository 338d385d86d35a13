//! A file of calibrations, one table per channel.

use std::collections::BTreeMap;

use files::{FileError, Source as Text};
use serde::Deserialize;
use toml::Spanned;

use super::{Calibration, CalibrationText};

/// The format that this version reads and writes.
pub const CALIBRATION_FORMAT: &str = "rtrd-calibration-1";

/// The folder of the shipped files.
pub const CALIBRATION_FOLDER: &str = "calibrations";

/// Calibrations by the name of the channel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CalibrationFile {
    /// What is calibrated.
    pub channels: BTreeMap<String, Calibration>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileText {
    format: Spanned<String>,
    #[serde(default)]
    channel: BTreeMap<String, CalibrationText>,
}

impl CalibrationFile {
    /// Finds and reads a file, by name (a shipped one) or path; first beside `near`.
    pub fn load(name: &str, near: Option<&std::path::Path>) -> Result<Self, FileError> {
        Self::parse(&files::find(CALIBRATION_FOLDER, name, near)?.source())
    }

    /// Reads a text.
    pub fn parse(text: &Text<'_>) -> Result<Self, FileError> {
        let found: FileText = text.toml()?;
        if found.format.get_ref() != CALIBRATION_FORMAT {
            let problem = format!("expected \"{CALIBRATION_FORMAT}\", found \"{}\"", found.format.get_ref());
            return text.fail(found.format.span(), problem);
        }
        let channels = found.channel.into_iter().map(|(name, calibration)| {
            let checked = calibration.check(text)?;
            Ok((name, checked))
        });
        Ok(Self { channels: channels.collect::<Result<_, FileError>>()? })
    }
}
