//! Checks on the numbers of a TOML file, with faults that name the place.

use crate::files::{FileError, Source};
use toml::Spanned;

/// A number above zero.
pub(super) fn positive(source: &Source<'_>, value: &Spanned<f64>) -> Result<f64, FileError> {
    let number = *value.get_ref();
    if number.is_finite() && number > 0.0 {
        return Ok(number);
    }
    Err(source.fault_at(value.span(), format!("expected a number above zero, found {number}")))
}

/// A number that is zero or more.
pub(super) fn not_negative(source: &Source<'_>, value: &Spanned<f64>) -> Result<f64, FileError> {
    let number = *value.get_ref();
    if number.is_finite() && number >= 0.0 {
        return Ok(number);
    }
    Err(source.fault_at(value.span(), format!("expected zero or more, found {number}")))
}

/// Two numbers above zero.
pub(super) fn positive_pair(source: &Source<'_>, value: &Spanned<[f64; 2]>) -> Result<[f64; 2], FileError> {
    let numbers = *value.get_ref();
    if numbers.iter().all(|number| number.is_finite() && *number > 0.0) {
        return Ok(numbers);
    }
    let problem = format!("expected two numbers above zero, found {numbers:?}");
    Err(source.fault_at(value.span(), problem))
}

/// An axis of a table: two values or more that are finite and rise.
pub(super) fn rising(source: &Source<'_>, values: &Spanned<Vec<f64>>) -> Result<Vec<f64>, FileError> {
    let axis = values.get_ref();
    let problem = if axis.len() < 2 {
        format!("expected two values or more, found {}", axis.len())
    } else if axis.iter().any(|value| !value.is_finite()) {
        "expected finite values".to_owned()
    } else if let Some(pair) = axis.windows(2).find(|pair| pair[1] <= pair[0]) {
        format!("expected rising values, but {} follows {}: sort the axis", pair[1], pair[0])
    } else {
        return Ok(axis.clone());
    };
    Err(source.fault_at(values.span(), problem))
}
