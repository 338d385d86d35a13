//! Delay and noise of one series against its reference.

use std::ops::Range;

/// Delays that are looked for (s): some methods are early.
const DELAY_S: Range<f64> = -0.03..0.15;
/// First steps of the search (s); the error has one minimum in a range as wide as this for motions
/// up to some hertz.
const COARSE_S: f64 = 0.005;
/// The golden section shrinks the range by 0.618 each time: this often, to a ten-thousandth.
const SECTIONS: usize = 20;

/// How well a series follows its reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// By how much it is late (s), Eq. (1).
    pub delay_s: f64,
    /// Root mean square of what remains, Eq. (2).
    pub noise: f64,
    /// Root mean square of the whole difference, Eq. (3).
    pub error: f64,
}

impl Figures {
    pub(super) fn of(times_s: &[f64], reference: &[f64], series: &[f64], inner: Range<usize>) -> Self {
        let remaining = |delay_s: f64| remaining(times_s, reference, series, inner.clone(), delay_s);
        let steps = ((DELAY_S.end - DELAY_S.start) / COARSE_S) as usize;
        let coarse = (0..=steps).map(|step| DELAY_S.start + COARSE_S * step as f64);
        let near_s = coarse.min_by(|a, b| remaining(*a).total_cmp(&remaining(*b))).unwrap_or(0.0);
        let delay_s = least(near_s - COARSE_S, near_s + COARSE_S, &remaining);
        Self { delay_s, noise: remaining(delay_s), error: remaining(0.0) }
    }
}

/// How much of both ends is left out (s): no second side, delays beyond, empty histories.
pub(super) fn margin_s(window_s: f64) -> f64 {
    DELAY_S.end + window_s
}

pub(super) fn inner(times_s: &[f64], window_s: f64) -> Option<Range<usize>> {
    let (first_s, last_s) = (*times_s.first()?, *times_s.last()?);
    let from = times_s.partition_point(|time_s| *time_s < first_s + margin_s(window_s));
    let to = times_s.partition_point(|time_s| *time_s < last_s - margin_s(window_s));
    (to >= from + 10).then_some(from..to)
}

/// Root mean square of the series minus the delayed reference.
fn remaining(times_s: &[f64], reference: &[f64], series: &[f64], inner: Range<usize>, delay_s: f64) -> f64 {
    let count = inner.len() as f64;
    let mut above = 1;
    let squares: f64 = inner
        .map(|index| {
            let time_s = times_s[index] - delay_s;
            while above + 1 < times_s.len() && times_s[above] < time_s {
                above += 1;
            }
            let share = (time_s - times_s[above - 1]) / (times_s[above] - times_s[above - 1]);
            let expected = reference[above - 1] + (reference[above] - reference[above - 1]) * share;
            (series[index] - expected).powi(2)
        })
        .sum();
    (squares / count).sqrt()
}

/// The place of a minimum, by golden section.
fn least(mut low: f64, mut high: f64, of: &dyn Fn(f64) -> f64) -> f64 {
    let golden = 0.5 * (5_f64.sqrt() - 1.0);
    for _ in 0..SECTIONS {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if of(left) < of(right) {
            high = right;
        } else {
            low = left;
        }
    }
    0.5 * (low + high)
}
