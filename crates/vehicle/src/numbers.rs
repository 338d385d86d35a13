//! Numbers within bounds, in files and in steps.

pub(crate) use crate::files::ranges::{Number, NumberList, all, finite, not_negative, or_default, positive, within};

/// Zero or more and not larger than `most`; zero also for what is not a number.
#[inline]
pub(crate) fn clamped(value: f64, most: f64) -> f64 {
    if value > 0.0 { value.min(most) } else { 0.0 }
}

/// Between −`most` and `most`; zero for what is not a number.
#[inline]
pub(crate) fn bounded(value: f64, most: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-most, most) }
}
