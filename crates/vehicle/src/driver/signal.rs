//! Open-loop courses of a quantity over time, with their first two derivatives.
//!
//! The steering rack of the mechanism is driven: it needs displacement, velocity and acceleration
//! that belong together. So every course is a closed form, and its derivatives are those of the
//! form. With τ the share of a transition that has passed,
//! ```text
//! smooth     p(τ) = 10 τ³ − 15 τ⁴ + 6 τ⁵      value, rate and acceleration join without a jump           (1)
//! ramp       ṗ rises as 3 τ² − 2 τ³ during the blend, then is constant                                   (2)
//! sine       A sin 2πf(t − t₀)                                                                           (3)
//! sweep      A sin 2π(f₀ τ + ½ (f₁ − f₀) τ²/T),  τ = t − t₀                                              (4)
//! ```

use super::table::Table;
use crate::Coordinate;
use std::f64::consts::TAU;

/// Both at once.
#[inline]
pub(super) fn plus(one: Coordinate, other: Coordinate) -> Coordinate {
    Coordinate {
        value: one.value + other.value,
        rate: one.rate + other.rate,
        acceleration: one.acceleration + other.acceleration,
    }
}

/// As many times as much.
#[inline]
pub(super) fn times(one: Coordinate, factor: f64) -> Coordinate {
    Coordinate { value: one.value * factor, rate: one.rate * factor, acceleration: one.acceleration * factor }
}

/// A signal over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Amplitude, or the rate of a ramp (1/s).
    pub size: f64,
    /// When it begins (s).
    pub start_s: f64,
    /// How it goes from then on.
    pub course: Course,
}

/// How a signal goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Course {
    /// Always the same.
    Hold,
    /// From zero to the amplitude, Eq. (1).
    Step {
        /// How long it takes (s); above zero.
        rise_s: f64,
    },
    /// At a constant rate, with blends at both ends, Eq. (2).
    Ramp {
        /// How long the rate takes to rise, and to fall (s); zero for a corner.
        blend_s: f64,
        /// From the beginning to where the rate begins to fall (s); infinite for a ramp without
        /// end.
        fall_s: f64,
    },
    /// Sine waves, Eq. (3), with a pause at the third quarter of the first one if `dwell_s` is
    /// above zero.
    Sine {
        /// Frequency (Hz); above zero.
        frequency_hz: f64,
        /// How many waves; infinite for no end.
        cycles: f64,
        /// Pause at the second peak (s).
        dwell_s: f64,
    },
    /// Sine of rising frequency, Eq. (4). It ends after a whole number of waves.
    Sweep {
        /// First and last frequency (Hz).
        frequencies_hz: [f64; 2],
        /// How long it lasts (s); above zero.
        length_s: f64,
    },
    /// Points over time, with their own size and beginning.
    Table(Table),
}

impl Signal {
    /// Always the same.
    #[must_use]
    pub fn hold(value: f64) -> Self {
        Self { size: value, start_s: 0.0, course: Course::Hold }
    }

    /// Value and derivatives at a time (s).
    #[inline]
    #[must_use]
    pub fn at(&self, time_s: f64) -> Coordinate {
        let (size, since_s) = (self.size, time_s - self.start_s);
        match self.course {
            Course::Hold => Coordinate::at_rest(size),
            Course::Step { rise_s } => times(smooth(since_s, rise_s), size),
            Course::Ramp { blend_s, fall_s } => ramp(since_s, size, blend_s, fall_s),
            Course::Sine { frequency_hz, cycles, dwell_s } => sine(since_s, size, frequency_hz, cycles, dwell_s),
            Course::Sweep { frequencies_hz, length_s } => sweep(since_s, size, frequencies_hz, length_s),
            Course::Table(ref table) => table.at(time_s),
        }
    }

    /// As many times as much.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let course = match &self.course {
            Course::Table(table) => Course::Table(table.clone().scaled(factor)),
            other => other.clone(),
        };
        Self { size: self.size * factor, start_s: self.start_s, course }
    }
}

/// Eq. (1) from 0 to 1 within `length_s`, at a time since its beginning.
#[inline]
#[must_use]
pub fn smooth(time_s: f64, length_s: f64) -> Coordinate {
    let share = time_s / length_s;
    if share.is_nan() || share <= 0.0 {
        return Coordinate::at_rest(0.0);
    }
    if share >= 1.0 {
        return Coordinate::at_rest(1.0);
    }
    let rest = 1.0 - share;
    Coordinate {
        value: share * share * share * (10.0 + share * (6.0 * share - 15.0)),
        rate: 30.0 * share * share * rest * rest / length_s,
        acceleration: 60.0 * share * rest * (rest - share) / (length_s * length_s),
    }
}

fn ramp(time_s: f64, rate: f64, blend_s: f64, fall_s: f64) -> Coordinate {
    let rising = endless_ramp(time_s, rate, blend_s);
    if time_s <= fall_s {
        return rising;
    }
    plus(rising, times(endless_ramp(time_s - fall_s, rate, blend_s), -1.0))
}

/// A ramp that does not end; two of them make one that does.
fn endless_ramp(time_s: f64, rate: f64, blend_s: f64) -> Coordinate {
    if time_s <= 0.0 {
        return Coordinate::at_rest(0.0);
    }
    if time_s >= blend_s {
        return Coordinate { value: rate * (time_s - 0.5 * blend_s), rate, acceleration: 0.0 };
    }
    let share = time_s / blend_s;
    let square = share * share;
    Coordinate {
        value: rate * blend_s * square * share * (1.0 - 0.5 * share),
        rate: rate * square * (3.0 - 2.0 * share),
        acceleration: rate / blend_s * 6.0 * share * (1.0 - share),
    }
}

fn sine(time_s: f64, amplitude: f64, frequency_hz: f64, cycles: f64, dwell_s: f64) -> Coordinate {
    let dwell_start = 0.75 / frequency_hz;
    let length = cycles / frequency_hz + dwell_s;
    if time_s <= 0.0 || time_s >= length {
        return Coordinate::at_rest(0.0);
    }
    let dwells = dwell_s > 0.0 && time_s > dwell_start;
    if dwells && time_s < dwell_start + dwell_s {
        return Coordinate::at_rest(-amplitude);
    }
    let along = if dwells { time_s - dwell_s } else { time_s };
    wave(amplitude, TAU * frequency_hz * along, TAU * frequency_hz, 0.0)
}

fn sweep(time_s: f64, amplitude: f64, [first, last]: [f64; 2], length_s: f64) -> Coordinate {
    if time_s <= 0.0 || time_s >= length_s {
        return Coordinate::at_rest(0.0);
    }
    let slope = (last - first) / length_s;
    wave(amplitude, TAU * time_s * (first + 0.5 * slope * time_s), TAU * (first + slope * time_s), TAU * slope)
}

/// A sin φ with its derivatives, from φ, φ̇ and φ̈.
fn wave(amplitude: f64, phase: f64, phase_rate: f64, phase_acceleration: f64) -> Coordinate {
    let (sine, cosine) = phase.sin_cos();
    Coordinate {
        value: amplitude * sine,
        rate: amplitude * phase_rate * cosine,
        acceleration: amplitude * (phase_acceleration * cosine - phase_rate * phase_rate * sine),
    }
}
