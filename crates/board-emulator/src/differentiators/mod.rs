//! What each method costs: its delay and its noise on a recorded manoeuvre, against derivatives
//! that also look ahead (Gallo 2012, §4.2.2).
//!
//! With r the two-sided reference and y what a method gives,
//!
//! ```text
//! delay d    the shift for which the root mean square of y(t) − r(t − d) is least                (1)
//! noise      that root mean square: what is wrong besides being late                             (2)
//! error      the root mean square of y(t) − r(t): what the simulator gets                        (3)
//! ```

mod figures;
mod manoeuvre;
mod recording;
mod reference;

pub use figures::Figures;
pub use manoeuvre::{ENCODER_STEP_DEG, MANOEUVRE_S, test_manoeuvre, test_manoeuvre_deg};
pub use recording::Recording;
pub use reference::two_sided;

use acquisition::NANOSECONDS_PER_SECOND;
use acquisition::differentiation::{Differentiator, Estimate, Method};

use crate::script::Width;
use crate::tasks::Rate;

/// How far `CTRATE` looks back (s).
const BACK_S: f64 = 0.02;
/// The differentiator that makes the acceleration of a measured rate.
const ACCELERATION: Method = Method::Smooth { length: 4 };

/// Where derivatives come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Approach {
    /// From past samples.
    Samples(Method),
    /// The rate from the board itself, in counts of this many units (`CTRATE`).
    Board {
        /// A count (unit).
        step: f64,
    },
}

/// A way on the recording.
#[derive(Clone, Debug)]
pub struct Row {
    /// What it is called in tables.
    pub name: String,
    /// What it is.
    pub way: Approach,
    /// Its estimates, one for each sample.
    pub estimates: Vec<Estimate>,
    /// Of the rate (unit/s).
    pub rate: Figures,
    /// Of the acceleration (unit/s²).
    pub acceleration: Figures,
}

/// Ways beside each other.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The two-sided derivatives, one for each sample.
    pub reference: Vec<Estimate>,
    /// The ways.
    pub rows: Vec<Row>,
}

/// A recording that is too short to compare on.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the recording is too short; expected at least ten samples more than {needed_s} s")]
pub struct TooShort {
    /// What the ends need (s).
    pub needed_s: f64,
}

/// The methods of §4.2.2 and those that it lacks. `step` is the resolution of the signal (unit).
pub fn usual_methods(step: f64) -> Vec<(String, Approach)> {
    let backward = (1..=4).map(|points| (format!("backward {points}"), Method::Backward { points }));
    let smooth = (2..=10).map(|length| (format!("smooth {length}"), Method::Smooth { length }));
    let memories_ms = [5, 10, 20, 40];
    let fading = memories_ms.map(|memory_ms| {
        let time_constant_s = 0.001 * f64::from(memory_ms);
        (format!("α-β-γ {memory_ms} ms"), Method::FadingMemory { time_constant_s })
    });
    // The filter's own time is (σ/q)^(2/5).
    let kalman = memories_ms.map(|memory_ms| {
        let noise = step / 12_f64.sqrt();
        let jerk_density = noise / (0.001 * f64::from(memory_ms)).powf(2.5);
        (format!("Kalman {memory_ms} ms"), Method::Kalman { jerk_density, noise })
    });
    let samples = backward.chain(smooth).chain(fading).chain(kalman);
    let samples = samples.map(|(name, method)| (name, Approach::Samples(method)));
    let measured = ("measured (CTRATE)".to_owned(), Approach::Board { step });
    samples.chain([measured]).collect()
}

/// Runs the ways over a recording. Reference windows reach `window_s` to both sides.
pub fn compare(recording: &Recording, ways: Vec<(String, Approach)>, window_s: f64) -> Result<Comparison, TooShort> {
    let times_s = recording.times_s();
    let inner = figures::inner(&times_s, window_s).ok_or(TooShort { needed_s: figures::margin_s(window_s) * 2.0 })?;
    let reference = two_sided(&times_s, recording.values(), window_s);
    let rates: Vec<f64> = reference.iter().map(|estimate| estimate.rate).collect();
    let accelerations: Vec<f64> = reference.iter().map(|estimate| estimate.acceleration).collect();
    let rows = ways.into_iter().map(|(name, way)| {
        let estimates = match way {
            Approach::Samples(method) => estimates(recording, method),
            Approach::Board { step } => measured(recording, step),
        };
        let rate: Vec<f64> = estimates.iter().map(|estimate| estimate.rate).collect();
        let acceleration: Vec<f64> = estimates.iter().map(|estimate| estimate.acceleration).collect();
        Row {
            name,
            way,
            rate: Figures::of(&times_s, &rates, &rate, inner.clone()),
            acceleration: Figures::of(&times_s, &accelerations, &acceleration, inner.clone()),
            estimates,
        }
    });
    Ok(Comparison { rows: rows.collect(), reference })
}

fn estimates(recording: &Recording, method: Method) -> Vec<Estimate> {
    let mut differentiator = Differentiator::new(method, NANOSECONDS_PER_SECOND as u64);
    let samples = recording.times_ns().iter().zip(recording.values());
    samples.map(|(ns, value)| differentiator.push(*ns, *value)).collect()
}

/// The rate as the board measures it, on a recording that was counted in steps.
///
/// `CTRATE` of `con_dap_rate.dap` looks back over 20 values of 1 ms. A reader that looks at the
/// board less often finds the same rates:
///
/// ```text
/// r(t) = (c(t) − c(t − w)) / w        w = 20 ms                                              (4)
/// ```
///
/// so the recording's own samples will do, as far as they are even. It is the mean of the true rate
/// over w, and late by w/2. The acceleration is had from the measured rates as in
/// `models/acquisition/buggy-rate.toml`.
fn measured(recording: &Recording, step: f64) -> Vec<Estimate> {
    let times_ns = recording.times_ns();
    let span_ns = times_ns.last().zip(times_ns.first()).map_or(0, |(last, first)| last - first);
    let period_s = span_ns as f64 / NANOSECONDS_PER_SECOND / times_ns.len().saturating_sub(1).max(1) as f64;
    let values = (BACK_S / period_s).round().max(1.0) as usize;
    let mut rate = Rate::new(Width::Long, values, period_s);
    let mut differentiator = Differentiator::new(ACCELERATION, NANOSECONDS_PER_SECOND as u64);
    let estimate = |(ns, value): (&u64, &f64)| {
        // Eq. (4)
        let rate = f64::from(rate.next((value / step).round() as i32)) * step;
        Estimate { rate, acceleration: differentiator.push(*ns, rate).rate }
    };
    times_ns.iter().zip(recording.values()).map(estimate).collect()
}

#[cfg(test)]
mod tests;
