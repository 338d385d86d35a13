//! The acquisition file as it is written, without its sources.

use files::ranges::Finite;
use files::{FileError, Source as Text};
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, Deserializer};

use super::ACQUISITION_FORMAT;
use super::derivative::DerivativeText;
use crate::Seconds;
use crate::calibration::CalibrationText;
use crate::plausibility::RulesText;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileText {
    format: Spanned<String>,
    pub calibration: Option<Spanned<String>>,
    #[serde(default)]
    pub channel: Vec<Spanned<ChannelText>>,
    #[serde(default)]
    pub stop: Vec<Spanned<StopText>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChannelText {
    pub name: Spanned<String>,
    pub source: Spanned<String>,
    pub raw: Spanned<String>,
    pub target: Option<Spanned<String>>,
    pub rate_target: Option<Spanned<String>>,
    pub acceleration_target: Option<Spanned<String>>,
    #[serde(default)]
    pub only_changes: bool,
    pub calibration: Option<CalibrationText>,
    pub derivative: Option<Spanned<DerivativeText>>,
    #[serde(default)]
    pub plausibility: RulesText,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StopText {
    pub target: Spanned<String>,
    pub value: Finite,
    pub ramp_s: Seconds,
}

/// Reads what is left of the file when its sources have been taken out.
pub(super) fn read(root: Spanned<DeTable<'_>>, text: &Text<'_>) -> Result<FileText, FileError> {
    let file = FileText::deserialize(Deserializer::from(root)).map_err(|error| text.toml_fault(&error, 0..0))?;
    if file.format.get_ref() == ACQUISITION_FORMAT {
        Ok(file)
    } else {
        let problem = format!("expected \"{ACQUISITION_FORMAT}\", found \"{}\"", file.format.get_ref());
        text.fail(file.format.span(), problem)
    }
}
