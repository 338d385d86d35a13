//! The rate as the board measures it, on a recording of its counts.
//!
//! `CTRATE` of `con_dap_rate.dap` looks back over 20 values of 1 ms. A reader that looks at the board
//! less often finds the same rates:
//!
//! ```text
//! r(t) = (c(t) − c(t − w)) / w        w = 20 ms                                              (1)
//! ```
//!
//! so the recording's own samples will do, as far as they are even. It is the mean of the true rate
//! over w, and late by w/2. The acceleration is had from the measured rates as in
//! `models/acquisition/buggy-rate.toml`.

use acquisition::NANOSECONDS_PER_SECOND;
use acquisition::differentiation::{Differentiator, Estimate, Method};

use super::Recording;
use crate::{Rate, script::Width};

/// How far `CTRATE` looks back (s).
const BACK_S: f64 = 0.02;
/// The differentiator that makes the acceleration.
const ACCELERATION: Method = Method::Smooth { length: 4 };

/// Rates and accelerations of a recording that was counted in steps.
pub(super) fn estimates(recording: &Recording, step: f64) -> Vec<Estimate> {
    let times_ns = recording.times_ns();
    let span_ns = times_ns.last().zip(times_ns.first()).map_or(0, |(last, first)| last - first);
    let period_s = span_ns as f64 / NANOSECONDS_PER_SECOND / times_ns.len().saturating_sub(1).max(1) as f64;
    let values = (BACK_S / period_s).round().max(1.0) as usize;
    let mut rate = Rate::new(Width::Long, values, period_s);
    let mut differentiator = Differentiator::new(ACCELERATION, NANOSECONDS_PER_SECOND as u64);
    let estimate = |(ns, value): (&u64, &f64)| {
        // Eq. (1)
        let rate = f64::from(rate.next((value / step).round() as i32)) * step;
        Estimate { rate, acceleration: differentiator.push(*ns, rate).rate }
    };
    times_ns.iter().zip(recording.values()).map(estimate).collect()
}
