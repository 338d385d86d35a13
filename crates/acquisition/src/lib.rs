//! From hardware, streams and recordings to the driver's inputs.
//!
//! A [`Source`] delivers [`Sample`]s: raw numbers with the time at which they were measured. A
//! channel takes one of these numbers through its calibration, its plausibility checks and its
//! differentiator, and the result has a place in a shared block. Which sources and channels there
//! are says one file.
//!
//! This crate knows no shared memory and no scheduling: `daq-service` has those.

pub mod calibration;
#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
pub mod differentiation;
mod pipeline;
pub mod plan;
mod plausibility;
mod sample;
mod source;
pub mod sources;
pub mod stream;

use files::{FileError, Source as Text};
pub use pipeline::{Pipeline, Reading};
pub use plan::Plan;
pub use sample::{RAW_MAX, Sample};
pub(crate) use source::opportunity;
pub use source::{Clock, Counters, OpenError, Opening, Source, State};
use toml::Spanned;

/// Nanoseconds of a second.
pub const NANOSECONDS_PER_SECOND: f64 = 1e9;

/// A time of a file (s): zero to a day.
type Seconds = files::ranges::Within<0, 86_400>;

fn nanoseconds(time: Seconds) -> u64 {
    (*time * NANOSECONDS_PER_SECOND).round() as u64
}

/// A file says first in which format it is.
fn check_format(found: &Spanned<String>, expected: &str, text: &Text<'_>) -> Result<(), FileError> {
    if found.get_ref() == expected {
        return Ok(());
    }
    text.fail(found.span(), format!("expected \"{expected}\", found \"{}\"", found.get_ref()))
}

/// A finite number of a file, of any size: raw numbers may be as large as a counter's.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(try_from = "f64")]
struct Number(f64);

impl TryFrom<f64> for Number {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        let number = value.is_finite().then_some(Self(value));
        number.ok_or_else(|| format!("expected a finite number, found {value}"))
    }
}
