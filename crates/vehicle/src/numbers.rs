//! Numbers of a characteristic file, checked where they are read.
//!
//! TOML knows `nan` and `inf`, and a model that divides by a number must know that it is not zero. Every check names the line and the
//! field. Sizes are limited, so that sums and products of checked numbers are finite.

use crate::files::{FileError, Source};
use toml::Spanned;

/// A number of a file that knows its place.
pub(crate) type Number = Spanned<f64>;

/// A list of numbers of a file that knows its place.
pub(crate) type NumberList = Spanned<Vec<Number>>;

/// Largest size of a number in a file.
const LARGEST: f64 = 1e9;

/// The number, not larger than [`LARGEST`].
pub(crate) fn finite(source: &Source<'_>, number: &Number) -> Result<f64, FileError> {
    within(source, number, -LARGEST, LARGEST)
}

/// The number, larger than zero.
pub(crate) fn positive(source: &Source<'_>, number: &Number) -> Result<f64, FileError> {
    match *number.get_ref() {
        value if value > 0.0 && value <= LARGEST => Ok(value),
        value => Err(source.fault_at(
            number.span(),
            format!("expected a number larger than 0, found {value}"),
        )),
    }
}

/// The number, zero or larger.
pub(crate) fn not_negative(source: &Source<'_>, number: &Number) -> Result<f64, FileError> {
    within(source, number, 0.0, LARGEST)
}

/// The number between two limits.
pub(crate) fn within(source: &Source<'_>, number: &Number, low: f64, high: f64) -> Result<f64, FileError> {
    match *number.get_ref() {
        value if value >= low && value <= high => Ok(value),
        value => Err(source.fault_at(
            number.span(),
            format!("expected a number from {low} to {high}, found {value}"),
        )),
    }
}

/// An optional number, checked; the default where it is missing.
pub(crate) fn or_default(
    source: &Source<'_>,
    number: Option<&Number>,
    default: f64,
    check: impl Fn(&Source<'_>, &Number) -> Result<f64, FileError>,
) -> Result<f64, FileError> {
    number.map_or(Ok(default), |number| check(source, number))
}

/// All numbers of a list, checked.
pub(crate) fn all(
    source: &Source<'_>,
    list: &NumberList,
    check: impl Fn(&Source<'_>, &Number) -> Result<f64, FileError>,
) -> Result<Vec<f64>, FileError> {
    list.get_ref()
        .iter()
        .map(|number| check(source, number))
        .collect()
}

/// Zero or more and not larger than `most`; zero also for what is not a number.
#[inline]
pub(crate) fn clamped(value: f64, most: f64) -> f64 {
    if value > 0.0 { value.min(most) } else { 0.0 }
}

/// Between −`most` and `most`; zero for what is not a number.
#[inline]
pub(crate) fn bounded(value: f64, most: f64) -> f64 {
    if value.is_nan() {
        0.0
    } else {
        value.clamp(-most, most)
    }
}
