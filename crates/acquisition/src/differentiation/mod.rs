//! Rates and accelerations of sampled signals, from past samples only.
//!
//! A steering encoder gives an angle in steps of 0.18°; the simulator wants rate and acceleration
//! as well, now. Whatever looks back is late, whatever looks back little is noisy (P. Gallo's
//! thesis, 2012, §4.2.2). The methods:
//!
//! | method | looks at | late by (uniform samples) | exact on |
//! | --- | --- | --- | --- |
//! | [`Method::Smooth`] of length N | N + 1 samples | N·h/2 | ramps |
//! | [`Method::Backward`] of p points | p + 1 samples | nothing at low frequency | polynomials of degree p |
//! | [`Method::FadingMemory`] (α-β-γ) of time constant τ | everything, forgetting | nothing at low frequency | parabolas, after a few τ |
//! | [`Method::Kalman`], constant acceleration | everything, weighted | nothing at low frequency | parabolas, in the end |
//!
//! A measured rate needs none of them: its channel says so. All of them take samples at their true
//! times, keep a history of fixed size and allocate nothing. They start again after a gap.

mod backward;
mod cascade;
mod fading_memory;
mod kalman;
mod smooth;

use crate::NANOSECONDS_PER_SECOND;
pub(crate) use backward::BACKWARD_POINTS_MAX;
use cascade::Cascade;
use fading_memory::FadingMemory;
use kalman::Kalman;
pub use smooth::smooth_coefficients;
pub(crate) use smooth::{SMOOTH_LENGTH_MAX, SMOOTH_LENGTH_MIN};

/// Rate and acceleration of a signal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// First derivative (unit/s).
    pub rate: f64,
    /// Second derivative (unit/s²).
    pub acceleration: f64,
}

/// A method with its settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// One-sided smooth differentiator of length N.
    Smooth {
        /// N, 2 to 10: how many past samples beside the newest.
        length: usize,
    },
    /// Backward difference.
    Backward {
        /// 1 to 4: how many past samples beside the newest.
        points: usize,
    },
    /// α-β-γ filter with the gains of a fading memory.
    FadingMemory {
        /// How far back it remembers (s).
        time_constant_s: f64,
    },
    /// Kalman filter of a constant acceleration.
    Kalman {
        /// Density of the white jerk that drives the acceleration (unit/s^2.5).
        jerk_density: f64,
        /// Standard deviation of a sample (unit).
        noise: f64,
    },
}

/// A differentiator in operation.
#[derive(Clone, Debug)]
pub struct Differentiator {
    method: Method,
    state: State,
    gap_ns: u64,
    newest_ns: Option<u64>,
    estimate: Estimate,
}

#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "it is made anew in the loop, without the heap")]
enum State {
    Cascade(Cascade),
    FadingMemory(FadingMemory),
    Kalman(Kalman),
}

impl State {
    fn new(method: Method) -> Self {
        match method {
            Method::Smooth { length } => {
                Self::Cascade(Cascade::new(smooth::slope, length.clamp(SMOOTH_LENGTH_MIN, SMOOTH_LENGTH_MAX)))
            }
            Method::Backward { points } => {
                Self::Cascade(Cascade::new(backward::slope, points.clamp(1, BACKWARD_POINTS_MAX)))
            }
            Method::FadingMemory { time_constant_s } => Self::FadingMemory(FadingMemory::new(time_constant_s)),
            Method::Kalman { jerk_density, noise } => Self::Kalman(Kalman::new(jerk_density, noise)),
        }
    }
}

impl Differentiator {
    /// A differentiator that starts again when there was no sample for longer than `gap_ns`.
    pub fn new(method: Method, gap_ns: u64) -> Self {
        Self { method, state: State::new(method), gap_ns, newest_ns: None, estimate: Estimate::default() }
    }

    /// Takes a sample at its true time. One that is not newer than the last is left out; one that
    /// is older begins a new history, as a recording does that is played again. Real-time safe.
    pub fn push(&mut self, sample_ns: u64, value: f64) -> Estimate {
        match self.newest_ns {
            Some(newest_ns) if sample_ns == newest_ns => return self.estimate,
            Some(newest_ns) if sample_ns < newest_ns || sample_ns - newest_ns > self.gap_ns => self.reset(),
            _ => {}
        }
        let passed_s = self.newest_ns.map(|newest_ns| (sample_ns - newest_ns) as f64 / NANOSECONDS_PER_SECOND);
        self.estimate = match &mut self.state {
            State::Cascade(cascade) => cascade.push(passed_s, value),
            State::FadingMemory(filter) => filter.push(passed_s, value),
            State::Kalman(filter) => filter.push(passed_s, value),
        };
        self.newest_ns = Some(sample_ns);
        self.estimate
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        *self = Self::new(self.method, self.gap_ns);
    }
}
