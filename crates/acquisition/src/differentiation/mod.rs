//! Rates and accelerations of sampled signals, from past samples only.
//!
//! A steering encoder gives an angle in steps of 0.18°; the simulator wants rate and acceleration
//! as well, now. Whatever looks back is late, whatever looks back little is noisy (P. Gallo's
//! thesis, 2012, §4.2.2). The methods:
//!
//! | method | looks at | late by (uniform samples) | exact on |
//! | --- | --- | --- | --- |
//! | [`SmoothDifferentiator`] of length N | N + 1 samples | N·h/2 | ramps |
//! | [`BackwardDifference`] of p points | p + 1 samples | nothing at low frequency | polynomials of degree p |
//! | [`FadingMemory`] (α-β-γ) of time constant τ | everything, forgetting | nothing at low frequency | parabolas, after a few τ |
//! | [`Kalman`], constant acceleration | everything, weighted | nothing at low frequency | parabolas, in the end |
//!
//! A measured rate needs none of them: its channel says so. All of them take samples at their true
//! times, keep a history of fixed size and allocate nothing. They start again after a gap.

mod backward;
mod fading_memory;
mod history;
mod kalman;
mod smooth;

pub use backward::{BACKWARD_POINTS_MAX, BackwardDifference};
pub use fading_memory::FadingMemory;
pub use kalman::Kalman;
pub use smooth::{SMOOTH_LENGTH_MAX, SMOOTH_LENGTH_MIN, SmoothDifferentiator, smooth_coefficients};

use crate::NANOSECONDS_PER_SECOND;

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
    state: State,
    gap_ns: u64,
    newest_ns: Option<u64>,
    estimate: Estimate,
}

#[derive(Clone, Debug)]
enum State {
    Smooth(Cascade<SmoothDifferentiator>),
    Backward(Cascade<BackwardDifference>),
    FadingMemory(FadingMemory),
    Kalman(Kalman),
}

/// A slope, and how long before the newest sample a parabola through the samples would have it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Slant {
    slope: f64,
    lag_s: f64,
}

/// What gives the slope of samples.
pub(crate) trait Slope {
    /// Takes a sample, so long after the one before.
    fn push(&mut self, passed_s: f64, value: f64) -> Slant;
    /// Forgets everything.
    fn reset(&mut self);
}

/// The same differentiator twice: on the values, and on their rate, at the times to which the rates
/// belong.
#[derive(Clone, Debug)]
struct Cascade<S> {
    rate: S,
    acceleration: S,
    /// Of the newest rate (s).
    lag_s: Option<f64>,
}

impl<S: Slope + Clone> Cascade<S> {
    fn new(slope: S) -> Self {
        Self { rate: slope.clone(), acceleration: slope, lag_s: None }
    }

    fn push(&mut self, passed_s: Option<f64>, value: f64) -> Estimate {
        let rate = self.rate.push(passed_s.unwrap_or(0.0), value);
        let Some(passed_s) = passed_s else {
            return Estimate::default();
        };
        let since_last_rate_s = self.lag_s.map_or(0.0, |before_s| passed_s + before_s - rate.lag_s);
        self.lag_s = Some(rate.lag_s);
        let acceleration = self.acceleration.push(since_last_rate_s, rate.slope);
        Estimate { rate: rate.slope, acceleration: acceleration.slope }
    }

    fn reset(&mut self) {
        self.rate.reset();
        self.acceleration.reset();
        self.lag_s = None;
    }
}

impl Differentiator {
    /// A differentiator that starts again when there was no sample for longer than `gap_ns`.
    pub fn new(method: Method, gap_ns: u64) -> Self {
        let state = match method {
            Method::Smooth { length } => State::Smooth(Cascade::new(SmoothDifferentiator::new(length))),
            Method::Backward { points } => State::Backward(Cascade::new(BackwardDifference::new(points))),
            Method::FadingMemory { time_constant_s } => State::FadingMemory(FadingMemory::new(time_constant_s)),
            Method::Kalman { jerk_density, noise } => State::Kalman(Kalman::new(jerk_density, noise)),
        };
        Self { state, gap_ns, newest_ns: None, estimate: Estimate::default() }
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
            State::Smooth(cascade) => cascade.push(passed_s, value),
            State::Backward(cascade) => cascade.push(passed_s, value),
            State::FadingMemory(filter) => filter.push(passed_s, value),
            State::Kalman(filter) => filter.push(passed_s, value),
        };
        self.newest_ns = Some(sample_ns);
        self.estimate
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        match &mut self.state {
            State::Smooth(cascade) => cascade.reset(),
            State::Backward(cascade) => cascade.reset(),
            State::FadingMemory(filter) => filter.reset(),
            State::Kalman(filter) => filter.reset(),
        }
        self.newest_ns = None;
        self.estimate = Estimate::default();
    }
}
