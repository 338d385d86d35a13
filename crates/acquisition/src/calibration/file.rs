//! A file of calibrations, one table per channel.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::{Calibration, CalibrationText};
use crate::text::{Kind, Text, TextError};

/// The format that this version reads and writes.
pub const CALIBRATION_FORMAT: &str = "rtrd-calibration-1";

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
    pub fn load(name: &str, near: Option<&std::path::Path>) -> Result<Self, TextError> {
        Self::parse(&Text::find(Kind::Calibration, name, near)?)
    }

    /// Reads a text.
    pub fn parse(text: &Text) -> Result<Self, TextError> {
        let found: FileText = text.toml()?;
        if found.format.get_ref() != CALIBRATION_FORMAT {
            let problem = format!("expected \"{CALIBRATION_FORMAT}\", found \"{}\"", found.format.get_ref());
            return Err(text.fault(found.format.span(), problem));
        }
        let channels = found.channel.into_iter().map(|(name, calibration)| {
            let checked = calibration.check(text)?;
            Ok((name, checked))
        });
        Ok(Self { channels: channels.collect::<Result<_, TextError>>()? })
    }
}
