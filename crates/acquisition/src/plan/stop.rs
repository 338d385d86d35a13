//! What is written when a channel asks for a stop: each signal goes to a value in a given time,
//! whatever its channel says.

use toml::Spanned;

use super::schema::StopText;
use super::{already, target};
use crate::text::{Text, TextError, nanoseconds};

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

pub(super) fn check_all(stops: Vec<Spanned<StopText>>, text: &Text) -> Result<Vec<StopPlan>, TextError> {
    let mut checked: Vec<StopPlan> = Vec::new();
    for stop in stops.into_iter().map(Spanned::into_inner) {
        target::name(&stop.target, text)?;
        if checked.iter().any(|earlier| earlier.signal == *stop.target.get_ref()) {
            return Err(already(text, stop.target.span(), "stop of", stop.target.get_ref()));
        }
        if !stop.value.get_ref().is_finite() {
            return Err(text.fault(stop.value.span(), "expected a finite number"));
        }
        checked.push(StopPlan {
            ramp_ns: nanoseconds(&stop.ramp_s, text)?,
            signal: stop.target.into_inner(),
            value: stop.value.into_inner(),
        });
    }
    Ok(checked)
}
