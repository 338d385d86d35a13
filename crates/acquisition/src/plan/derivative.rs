//! The derivative of a channel as it is written, and what has to hold for it.

use files::ranges::{Positive, Whole};
use files::{FileError, Source as Text};
use serde::Deserialize;
use toml::Spanned;

use super::Derivative;
use crate::calibration::Calibration;
use crate::differentiation::{BACKWARD_POINTS_MAX, Method, SMOOTH_LENGTH_MAX, SMOOTH_LENGTH_MIN};
use crate::{Seconds, nanoseconds};

/// A longer silence begins a new history, unless the file says otherwise (ns).
const GAP_NS: u64 = 250_000_000;
/// A counter's step as a standard deviation: uniform between the steps.
const STEP_DEVIATION: f64 = 0.288_675_134_594_812_9;

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum MethodName {
    Smooth,
    Backward,
    AlphaBetaGamma,
    Kalman,
    Measured,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DerivativeText {
    method: MethodName,
    length: Option<Spanned<Whole<{ SMOOTH_LENGTH_MIN as i64 }, { SMOOTH_LENGTH_MAX as i64 }>>>,
    points: Option<Spanned<Whole<1, { BACKWARD_POINTS_MAX as i64 }>>>,
    time_constant_s: Option<Spanned<Positive>>,
    jerk_density: Option<Spanned<Positive>>,
    noise: Option<Spanned<Positive>>,
    rate: Option<Spanned<String>>,
    gap_s: Option<Spanned<Seconds>>,
}

/// Checks the keys of the method, and that there are no others. Of a measured rate, the other
/// channel is still a name.
pub(super) fn check(
    derivative: Spanned<DerivativeText>,
    calibration: &Calibration,
    text: &Text<'_>,
) -> Result<(Derivative, Option<Spanned<String>>), FileError> {
    let place = derivative.span();
    let found = derivative.into_inner();
    no_others(&found, text)?;
    let missing = |key: &str| text.fault_at(place.clone(), format!("missing field `{key}`"));
    let number = |key: &str, given: &Option<Spanned<Positive>>| {
        given.as_ref().map(|number| **number.get_ref()).ok_or_else(|| missing(key))
    };
    let method = match found.method {
        MethodName::Smooth => {
            let length = found.length.ok_or_else(|| missing("length"))?.into_inner().get();
            Method::Smooth { length: length as usize }
        }
        MethodName::Backward => {
            let points = found.points.ok_or_else(|| missing("points"))?.into_inner().get();
            Method::Backward { points: points as usize }
        }
        MethodName::AlphaBetaGamma => {
            Method::FadingMemory { time_constant_s: number("time_constant_s", &found.time_constant_s)? }
        }
        MethodName::Kalman => Method::Kalman {
            jerk_density: number("jerk_density", &found.jerk_density)?,
            noise: found.noise.map_or(calibration.resolution() * STEP_DEVIATION, |noise| **noise.get_ref()),
        },
        MethodName::Measured => return Ok((Derivative::None, Some(found.rate.ok_or_else(|| missing("rate"))?))),
    };
    let gap_ns = found.gap_s.map_or(GAP_NS, |gap_s| nanoseconds(gap_s.into_inner()));
    Ok((Derivative::Method { method, gap_ns }, None))
}

/// A key that the method does not use is a mistake, not a decoration.
fn no_others(found: &DerivativeText, text: &Text<'_>) -> Result<(), FileError> {
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
    let unused = keys.into_iter().find(|(key, place)| place.is_some() && !used.contains(key));
    unused.map_or(Ok(()), |(key, place)| {
        let problem = format!("this method does not use `{key}`; expected {}", used.join(", "));
        text.fail(place.unwrap_or_default(), problem)
    })
}
