//! The derivative of a channel as it is written, and what has to hold for it.

use serde::Deserialize;
use toml::Spanned;

use crate::calibration::Calibration;
use crate::differentiation::{BACKWARD_POINTS_MAX, Method, SMOOTH_LENGTH_MAX, SMOOTH_LENGTH_MIN};
use crate::text::{Text, TextError, nanoseconds};

/// A longer silence begins a new history, unless the file says otherwise (ns).
const GAP_NS: u64 = 250_000_000;
/// A counter's step as a standard deviation: uniform between the steps.
const STEP_DEVIATION: f64 = 0.288_675_134_594_812_9;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum MethodName {
    Smooth,
    Backward,
    AlphaBetaGamma,
    Kalman,
    Measured,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DerivativeText {
    method: MethodName,
    length: Option<Spanned<i64>>,
    points: Option<Spanned<i64>>,
    time_constant_s: Option<Spanned<f64>>,
    jerk_density: Option<Spanned<f64>>,
    noise: Option<Spanned<f64>>,
    rate: Option<Spanned<String>>,
    gap_s: Option<Spanned<f64>>,
}

/// A derivative whose other channel is still a name.
pub(super) enum Checked {
    Method { method: Method, gap_ns: u64 },
    Measured { rate: Spanned<String> },
}

/// Checks the keys of the method, and that there are no others.
pub(super) fn check(
    derivative: Spanned<DerivativeText>,
    calibration: &Calibration,
    text: &Text,
) -> Result<Checked, TextError> {
    let place = derivative.span();
    let found = derivative.into_inner();
    let missing = |key: &str| text.fault(place.clone(), format!("missing field `{key}`"));
    no_others(&found, text)?;
    let gap_ns = found.gap_s.as_ref().map_or(Ok(GAP_NS), |gap_s| nanoseconds(gap_s, text))?;
    let method = match found.method {
        MethodName::Smooth => {
            let length = found.length.ok_or_else(|| missing("length"))?;
            Method::Smooth { length: count(&length, SMOOTH_LENGTH_MIN, SMOOTH_LENGTH_MAX, text)? }
        }
        MethodName::Backward => {
            let points = found.points.ok_or_else(|| missing("points"))?;
            Method::Backward { points: count(&points, 1, BACKWARD_POINTS_MAX, text)? }
        }
        MethodName::AlphaBetaGamma => {
            let time_constant_s = found.time_constant_s.ok_or_else(|| missing("time_constant_s"))?;
            Method::FadingMemory { time_constant_s: positive(&time_constant_s, text)? }
        }
        MethodName::Kalman => {
            let jerk_density = found.jerk_density.ok_or_else(|| missing("jerk_density"))?;
            let step = calibration.resolution() * STEP_DEVIATION;
            Method::Kalman {
                jerk_density: positive(&jerk_density, text)?,
                noise: found.noise.map_or(Ok(step), |noise| positive(&noise, text))?,
            }
        }
        MethodName::Measured => {
            let rate = found.rate.ok_or_else(|| missing("rate"))?;
            return Ok(Checked::Measured { rate });
        }
    };
    Ok(Checked::Method { method, gap_ns })
}

/// A key that the method does not use is a mistake, not a decoration.
fn no_others(found: &DerivativeText, text: &Text) -> Result<(), TextError> {
    let keys = [
        ("length", found.length.as_ref().map(Spanned::span)),
        ("points", found.points.as_ref().map(Spanned::span)),
        ("time_constant_s", found.time_constant_s.as_ref().map(Spanned::span)),
        ("jerk_density", found.jerk_density.as_ref().map(Spanned::span)),
        ("noise", found.noise.as_ref().map(Spanned::span)),
        ("rate", found.rate.as_ref().map(Spanned::span)),
        ("gap_s", found.gap_s.as_ref().map(Spanned::span)),
    ];
    let used: &[&str] = match found.method {
        MethodName::Smooth => &["length", "gap_s"],
        MethodName::Backward => &["points", "gap_s"],
        MethodName::AlphaBetaGamma => &["time_constant_s", "gap_s"],
        MethodName::Kalman => &["jerk_density", "noise", "gap_s"],
        MethodName::Measured => &["rate"],
    };
    for (key, place) in keys {
        if let Some(place) = place
            && !used.contains(&key)
        {
            let problem = format!("this method does not use `{key}`; expected {}", used.join(", "));
            return Err(text.fault(place, problem));
        }
    }
    Ok(())
}

fn count(number: &Spanned<i64>, least: usize, most: usize, text: &Text) -> Result<usize, TextError> {
    let found = usize::try_from(*number.get_ref()).ok();
    let valid = found.filter(|found| (least..=most).contains(found));
    valid.ok_or_else(|| {
        let problem = format!("expected {least} to {most}, found {}", number.get_ref());
        text.fault(number.span(), problem)
    })
}

fn positive(number: &Spanned<f64>, text: &Text) -> Result<f64, TextError> {
    let found = *number.get_ref();
    if found.is_finite() && found > 0.0 {
        Ok(found)
    } else {
        Err(text.fault(number.span(), format!("expected a number greater than zero, found {found}")))
    }
}
