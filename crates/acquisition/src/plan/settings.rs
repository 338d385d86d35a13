//! What stands in a `[[source]]` beside its name and kind: the settings of that kind.

use std::ops::Range;
use std::path::Path;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use super::kinds;
use crate::Opening;
use crate::text::{Text, TextError};

/// Where the settings were found.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The name of the source.
    pub source: &'a str,
    /// The folder of the file, from which relative paths count; none for a shipped file.
    pub folder: Option<&'a Path>,
}

/// Why settings make no source.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingsError {
    /// Where, as `toml::Spanned` tells it; none for the source as a whole.
    pub place: Option<Range<usize>>,
    /// What was found and what was expected.
    pub problem: String,
}

impl<T: Into<String>> From<T> for SettingsError {
    fn from(problem: T) -> Self {
        Self { place: None, problem: problem.into() }
    }
}

/// The settings of one kind of source. They should refuse keys that they do not know
/// (`deny_unknown_fields`).
pub trait Settings: DeserializeOwned {
    /// A source that can be opened. Does not touch the hardware.
    fn opening(self, place: Place<'_>) -> Result<Box<dyn Opening>, SettingsError>;
}

/// The settings of a source, not yet read.
pub struct SourceTable<'a> {
    text: &'a Text,
    source: String,
    kind: Spanned<String>,
    place: Range<usize>,
    table: DeTable<'a>,
}

impl SourceTable<'_> {
    /// Reads them as those of a kind.
    pub fn read<S: Settings>(self) -> Result<Box<dyn Opening>, TextError> {
        let table = Spanned::new(self.place.clone(), self.table);
        let settings = S::deserialize(Deserializer::from(table))
            .map_err(|error| self.text.toml_fault(&error, self.place.clone()))?;
        let place = Place { source: &self.source, folder: self.text.folder.as_deref() };
        let made = settings.opening(place);
        made.map_err(|error| self.text.fault(error.place.unwrap_or(self.place), error.problem))
    }

    /// The kind is not there.
    pub(super) fn unknown_kind(self) -> TextError {
        let known = kinds::NAMES.join(", ");
        let kind = self.kind.get_ref();
        let problem = if kinds::NAMES.contains(&kind.as_str()) {
            format!("sources of kind `{kind}` are not built in")
        } else {
            format!("`{kind}` is no kind of source; expected one of {known}")
        };
        self.text.fault(self.kind.span(), problem)
    }
}

/// Name and kind of a source, and the rest.
pub(super) fn take_apart<'a>(
    table: Spanned<DeValue<'a>>,
    text: &'a Text,
) -> Result<(Spanned<String>, Spanned<String>, SourceTable<'a>), TextError> {
    let place = table.span();
    let DeValue::Table(mut table) = table.into_inner() else {
        return Err(text.fault(place, "expected a table with name and kind"));
    };
    let name = take_text(&mut table, "name", &place, text)?;
    let kind = take_text(&mut table, "kind", &place, text)?;
    let rest = SourceTable { text, source: name.get_ref().clone(), kind: kind.clone(), place, table };
    Ok((name, kind, rest))
}

fn take_text(
    table: &mut DeTable<'_>,
    key: &str,
    place: &Range<usize>,
    text: &Text,
) -> Result<Spanned<String>, TextError> {
    let Some(value) = table.remove(key) else {
        return Err(text.fault(place.clone(), format!("missing field `{key}`")));
    };
    let span = value.span();
    match value.into_inner() {
        DeValue::String(found) if !found.is_empty() => Ok(Spanned::new(span, found.into_owned())),
        _ => Err(text.fault(span, format!("expected a text that is the {key} of the source"))),
    }
}
