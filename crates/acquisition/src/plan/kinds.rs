//! The kinds of sources: one line each.

use super::SourceTable;
use crate::Opening;
use crate::text::TextError;

/// Every kind that a file may name, whether or not it is built in.
pub(super) const NAMES: [&str; 8] =
    ["stream", "emulator", "iio", "comedi", "can", "evdev", "replay", "scripted"];

/// A source of a kind that can be opened.
pub(super) fn opening(kind: &str, table: SourceTable<'_>) -> Result<Box<dyn Opening>, TextError> {
    match kind {
        "emulator" => table.read::<crate::board::Settings>(),
        "stream" => table.read::<crate::sources::stream::StreamSettings>(),
        "replay" => table.read::<crate::sources::replay::ReplaySettings>(),
        "scripted" => table.read::<crate::sources::scripted::ScriptedSettings>(),
        "can" => table.read::<crate::sources::can::Settings>(),
        "evdev" => table.read::<crate::sources::evdev::Settings>(),
        "iio" => table.read::<crate::sources::iio::Settings>(),
        "comedi" => table.read::<crate::sources::comedi::Settings>(),
        _ => Err(table.unknown_kind()),
    }
}
