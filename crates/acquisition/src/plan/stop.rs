//! What is written when a channel asks for a stop: each signal goes to a value in a given time,
//! whatever its channel says.

use files::{FileError, Source as Text};
use toml::Spanned;

use super::schema::StopText;
use super::{already, target};
use crate::nanoseconds;

/// A signal that goes to a value when a stop is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct StopPlan {
    /// The name of the signal, with its block.
    pub signal: String,
    /// Where it goes, in the unit of the signal.
    pub value: f64,
    /// In what time (ns).
    pub ramp_ns: u64,
}

pub(super) fn check_all(stops: Vec<Spanned<StopText>>, text: &Text<'_>) -> Result<Vec<StopPlan>, FileError> {
    let mut checked: Vec<StopPlan> = Vec::new();
    for StopText { target, value, ramp_s } in stops.into_iter().map(Spanned::into_inner) {
        target::name(&target, text)?;
        if checked.iter().any(|earlier| earlier.signal == *target.get_ref()) {
            return Err(already(text, target.span(), "stop of", target.get_ref()));
        }
        checked.push(StopPlan { signal: target.into_inner(), value: *value, ramp_ns: nanoseconds(ramp_s) });
    }
    Ok(checked)
}
