//! Numbers whose type says what they may be. A field of such a type is checked while the file is
//! read, and a number outside is an error with its place like any other.
//!
//! ```
//! #[derive(serde::Deserialize)]
//! struct Wheel { radius_m: files::ranges::Positive, slip: files::ranges::Within<-1, 1> }
//! let source = files::Source::new("wheel.toml", b"radius_m = 0.3\nslip = 2");
//! let error = source.toml::<Wheel>().err().expect("outside");
//! assert_eq!(error.to_string(), "wheel.toml:2:8: slip: expected a number from -1 to 1, found 2");
//! ```
//!
//! TOML knows `nan` and `inf`; no type here takes them. Sizes are limited, so that sums and
//! products of checked numbers are finite.

use crate::{FileError, Source};
use serde::de::{Deserialize, Deserializer, Error};
use std::ops::Deref;
use toml::Spanned;

/// Largest size of a number.
pub const LARGEST: f64 = 1e9;

/// A number of a file that knows its place.
pub type Number = Spanned<f64>;

/// A list of numbers of a file that knows its place.
pub type NumberList = Spanned<Vec<Number>>;

/// The problem of a number that is not between two limits.
fn outside(value: f64, low: f64, high: f64) -> Option<String> {
    let inside = value >= low && value <= high;
    (!inside).then(|| format!("expected a number from {low} to {high}, found {value}"))
}

fn not_positive(value: f64) -> Option<String> {
    let positive = value > 0.0 && value <= LARGEST;
    (!positive).then(|| format!("expected a number larger than 0, found {value}"))
}

macro_rules! range {
    ($(#[$doc:meta])* $name:ident $(<$(const $limit:ident),*>)?, $check:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
        pub struct $name $(<$(const $limit: i64),*>)? (f64);

        impl $(<$(const $limit: i64),*>)? Deref for $name $(<$($limit),*>)? {
            type Target = f64;

            fn deref(&self) -> &f64 {
                &self.0
            }
        }

        impl<'de $($(, const $limit: i64)*)?> Deserialize<'de> for $name $(<$($limit),*>)? {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = f64::deserialize(deserializer)?;
                ($check)(value).map_or(Ok(Self(value)), |problem| Err(D::Error::custom(problem)))
            }
        }
    };
}

range!(
    /// A number of a size up to [`LARGEST`].
    Finite, |value| outside(value, -LARGEST, LARGEST));
range!(
    /// Larger than zero.
    Positive, not_positive);
range!(
    /// Zero or larger.
    NotNegative, |value| outside(value, 0.0, LARGEST));
range!(
    /// From 0 to 1.
    Fraction, |value| outside(value, 0.0, 1.0));
range!(
    /// From the first limit to the second.
    Within<const LOW, const HIGH>, |value| outside(value, LOW as f64, HIGH as f64));

/// A whole number from the first limit to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Whole<const LOW: i64, const HIGH: i64>(i64);

impl<const LOW: i64, const HIGH: i64> Whole<LOW, HIGH> {
    /// The number.
    pub fn get(self) -> i64 {
        self.0
    }
}

impl<'de, const LOW: i64, const HIGH: i64> Deserialize<'de> for Whole<LOW, HIGH> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = i64::deserialize(deserializer)?;
        if (LOW..=HIGH).contains(&value) {
            return Ok(Self(value));
        }
        Err(D::Error::custom(format!("{value} is impossible; expected a whole number {LOW}..{HIGH}")))
    }
}

fn checked(source: &Source<'_>, number: &Number, check: impl Fn(f64) -> Option<String>) -> Result<f64, FileError> {
    let value = *number.get_ref();
    check(value).map_or(Ok(value), |problem| source.fail(number.span(), problem))
}

/// The number, not larger than [`LARGEST`].
pub fn finite(source: &Source<'_>, number: &Number) -> Result<f64, FileError> {
    within(source, number, -LARGEST, LARGEST)
}

/// The number, larger than zero.
pub fn positive(source: &Source<'_>, number: &Number) -> Result<f64, FileError> {
    checked(source, number, not_positive)
}

/// The number, zero or larger.
pub fn not_negative(source: &Source<'_>, number: &Number) -> Result<f64, FileError> {
    within(source, number, 0.0, LARGEST)
}

/// The number between two limits that only the rest of the file tells.
pub fn within(source: &Source<'_>, number: &Number, low: f64, high: f64) -> Result<f64, FileError> {
    checked(source, number, |value| outside(value, low, high))
}

/// An optional number, checked; the default where it is missing.
pub fn or_default(
    source: &Source<'_>,
    number: Option<&Number>,
    default: f64,
    check: impl Fn(&Source<'_>, &Number) -> Result<f64, FileError>,
) -> Result<f64, FileError> {
    number.map_or(Ok(default), |number| check(source, number))
}

/// All numbers of a list, checked.
pub fn all(
    source: &Source<'_>,
    list: &NumberList,
    check: impl Fn(&Source<'_>, &Number) -> Result<f64, FileError>,
) -> Result<Vec<f64>, FileError> {
    list.get_ref().iter().map(|number| check(source, number)).collect()
}
