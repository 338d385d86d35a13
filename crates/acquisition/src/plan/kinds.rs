//! The kinds of sources: a name in the file, and what reads the settings of that kind.

use std::ops::Range;
use std::path::Path;

use files::{FileError, Source as Text};
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use crate::{Opening, sources};

/// The settings of one kind of source, as they stand in its `[[source]]`. They should refuse keys
/// that they do not know (`deny_unknown_fields`).
pub trait Settings: DeserializeOwned {
    /// A source that can be opened, or what is wrong with the settings. Does not touch the
    /// hardware. `folder` is that of the file, from which relative paths count; none for a shipped
    /// file.
    fn opening(self, folder: Option<&Path>) -> Result<Box<dyn Opening>, String>;
}

/// A kind of source that a file may name.
#[derive(Clone, Copy, Debug)]
pub struct SourceKind {
    /// What the file calls it.
    pub name: &'static str,
    read: fn(SourceTable<'_>) -> Result<Box<dyn Opening>, FileError>,
}

impl SourceKind {
    /// A kind with its settings.
    pub const fn new<S: Settings>(name: &'static str) -> Self {
        Self { name, read: |table| table.read::<S>() }
    }
}

const KINDS: [SourceKind; 7] = [
    SourceKind::new::<sources::stream::StreamSettings>("stream"),
    SourceKind::new::<sources::iio::Settings>("iio"),
    SourceKind::new::<sources::comedi::Settings>("comedi"),
    SourceKind::new::<sources::can::Settings>("can"),
    SourceKind::new::<sources::evdev::Settings>("evdev"),
    SourceKind::new::<sources::played::ReplaySettings>("replay"),
    SourceKind::new::<sources::played::ScriptedSettings>("scripted"),
];

/// A source of one of our kinds from its settings alone, or what is wrong with them.
#[cfg(any(test, feature = "conformance"))]
pub fn opening(kind: &str, settings: &str, folder: Option<&Path>) -> Result<Box<dyn Opening>, String> {
    let text = Text::new("settings", settings.as_bytes());
    let settings = DeTable::parse(settings).map_err(|error| error.to_string())?.into_inner();
    let named = |name: &str| Spanned::new(0..0, name.to_owned());
    let table = SourceTable { name: named("source"), kind: named(kind), text, folder, place: 0..0, settings };
    table.opening(&[]).map_err(|error| error.problem)
}

/// A `[[source]]` whose name and kind are known, and whose settings are not yet read.
pub(super) struct SourceTable<'a> {
    pub name: Spanned<String>,
    pub kind: Spanned<String>,
    text: Text<'a>,
    folder: Option<&'a Path>,
    place: Range<usize>,
    settings: DeTable<'a>,
}

impl<'a> SourceTable<'a> {
    pub fn new(table: Spanned<DeValue<'a>>, text: Text<'a>, folder: Option<&'a Path>) -> Result<Self, FileError> {
        let place = table.span();
        let DeValue::Table(mut settings) = table.into_inner() else {
            return text.fail(place, "expected a table with name and kind");
        };
        let name = take_text(&mut settings, "name", &place, &text)?;
        let kind = take_text(&mut settings, "kind", &place, &text)?;
        Ok(Self { name, kind, text, folder, place, settings })
    }

    /// Reads the settings as those of the kind, one of ours or of `more`.
    pub fn opening(self, more: &[SourceKind]) -> Result<Box<dyn Opening>, FileError> {
        let mut kinds = more.iter().chain(&KINDS);
        if let Some(kind) = kinds.find(|kind| kind.name == self.kind.get_ref()) {
            return (kind.read)(self);
        }
        let known: Vec<&str> = KINDS.iter().chain(more).map(|kind| kind.name).collect();
        let (found, known) = (self.kind.get_ref(), known.join(", "));
        self.text.fail(self.kind.span(), format!("`{found}` is no kind of source; expected one of {known}"))
    }

    fn read<S: Settings>(self) -> Result<Box<dyn Opening>, FileError> {
        let table = Spanned::new(self.place.clone(), self.settings);
        let settings = S::deserialize(Deserializer::from(table));
        let settings = settings.map_err(|error| self.text.toml_fault(&error, self.place.clone()))?;
        settings.opening(self.folder).map_err(|problem| self.text.fault_at(self.place, problem))
    }
}

fn take_text(
    table: &mut DeTable<'_>,
    key: &str,
    place: &Range<usize>,
    text: &Text<'_>,
) -> Result<Spanned<String>, FileError> {
    let Some(value) = table.remove(key) else {
        return text.fail(place.clone(), format!("missing field `{key}`"));
    };
    let span = value.span();
    match value.into_inner() {
        DeValue::String(found) if !found.is_empty() => Ok(Spanned::new(span, found.into_owned())),
        _ => text.fail(span, format!("expected a text that is the {key} of the source")),
    }
}
