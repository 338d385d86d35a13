//! The same differentiator twice: on the values, and on their rate, at the times to which the rates
//! belong.

use super::Estimate;

/// Most samples that any method looks at: the longest smooth differentiator and the newest sample.
pub(super) const HISTORY_MAX: usize = 11;

/// A slope, and how long before the newest sample a parabola through the samples would have it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slant {
    pub slope: f64,
    pub lag_s: f64,
}

/// The slope of samples from their ages (s) and values, newest first.
type Slope = fn(&[f64], &[f64]) -> Slant;

/// The newest samples of a signal, in a place of fixed size. Ages instead of times: small numbers,
/// however long the process has been running.
#[derive(Clone, Copy, Debug)]
struct History {
    ages_s: [f64; HISTORY_MAX],
    values: [f64; HISTORY_MAX],
    count: usize,
    length: usize,
}

impl History {
    /// Takes a sample, so long after the one before, and gives the slope.
    fn push(&mut self, passed_s: f64, value: f64, slope: Slope) -> Slant {
        self.ages_s.iter_mut().for_each(|age_s| *age_s += passed_s);
        self.ages_s.copy_within(..HISTORY_MAX - 1, 1);
        self.values.copy_within(..HISTORY_MAX - 1, 1);
        self.ages_s[0] = 0.0;
        self.values[0] = value;
        self.count = (self.count + 1).min(self.length);
        slope(&self.ages_s[..self.count], &self.values[..self.count])
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Cascade {
    slope: Slope,
    rate: History,
    acceleration: History,
    /// Of the newest rate (s).
    lag_s: Option<f64>,
}

impl Cascade {
    /// Looks at so many past samples beside the newest.
    pub fn new(slope: Slope, past: usize) -> Self {
        let empty = History { ages_s: [0.0; HISTORY_MAX], values: [0.0; HISTORY_MAX], count: 0, length: past + 1 };
        Self { slope, rate: empty, acceleration: empty, lag_s: None }
    }

    pub fn push(&mut self, passed_s: Option<f64>, value: f64) -> Estimate {
        let rate = self.rate.push(passed_s.unwrap_or(0.0), value, self.slope);
        let Some(passed_s) = passed_s else {
            return Estimate::default();
        };
        let since_last_rate_s = self.lag_s.map_or(0.0, |before_s| passed_s + before_s - rate.lag_s);
        self.lag_s = Some(rate.lag_s);
        let acceleration = self.acceleration.push(since_last_rate_s, rate.slope, self.slope);
        Estimate { rate: rate.slope, acceleration: acceleration.slope }
    }
}
