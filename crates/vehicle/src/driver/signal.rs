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

/// A course over time.
#[derive(Clone, Debug, PartialEq)]
pub enum Signal {
    /// Always the same.
    Hold(f64),
    /// From zero to an amplitude.
    Step(Step),
    /// Rising at a rate.
    Ramp(Ramp),
    /// A number of sine waves, with or without dwell.
    Sine(Sine),
    /// A sine wave of rising frequency.
    Sweep(Sweep),
    /// Points over time.
    Table(Table),
}

/// From zero to `amplitude` within `rise_s`, Eq. (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Final value.
    pub amplitude: f64,
    /// When it begins (s).
    pub start_s: f64,
    /// How long it takes (s); above zero.
    pub rise_s: f64,
}

/// At a constant rate, with blends at both ends, Eq. (2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ramp {
    /// Rate between the blends (1/s).
    pub rate: f64,
    /// When it begins (s).
    pub start_s: f64,
    /// How long the rate takes to rise, and to fall (s); zero for a corner.
    pub blend_s: f64,
    /// From the beginning to where the rate begins to fall (s); infinite for a ramp without end.
    pub fall_s: f64,
}

/// Sine waves, Eq. (3), with a pause at the third quarter of the first one if `dwell_s` is above zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sine {
    /// Amplitude.
    pub amplitude: f64,
    /// Frequency (Hz); above zero.
    pub frequency_hz: f64,
    /// When it begins (s).
    pub start_s: f64,
    /// How many waves; infinite for no end.
    pub cycles: f64,
    /// Pause at the second peak (s).
    pub dwell_s: f64,
}

/// Sine of rising frequency, Eq. (4). It ends after a whole number of waves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// Amplitude.
    pub amplitude: f64,
    /// First and last frequency (Hz).
    pub frequencies_hz: [f64; 2],
    /// When it begins (s).
    pub start_s: f64,
    /// How long it lasts (s); above zero.
    pub length_s: f64,
}

impl Signal {
    /// Value and derivatives at a time (s).
    #[inline]
    #[must_use]
    pub fn at(&self, time_s: f64) -> Coordinate {
        match self {
            Self::Hold(value) => Coordinate::at_rest(*value),
            Self::Step(step) => step.at(time_s - step.start_s),
            Self::Ramp(ramp) => ramp.at(time_s - ramp.start_s),
            Self::Sine(sine) => sine.at(time_s - sine.start_s),
            Self::Sweep(sweep) => sweep.at(time_s - sweep.start_s),
            Self::Table(table) => table.at(time_s),
        }
    }

    /// As many times as much.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        match self.clone() {
            Self::Hold(value) => Self::Hold(value * factor),
            Self::Step(step) => Self::Step(Step { amplitude: step.amplitude * factor, ..step }),
            Self::Ramp(ramp) => Self::Ramp(Ramp { rate: ramp.rate * factor, ..ramp }),
            Self::Sine(sine) => Self::Sine(Sine { amplitude: sine.amplitude * factor, ..sine }),
            Self::Sweep(sweep) => Self::Sweep(Sweep { amplitude: sweep.amplitude * factor, ..sweep }),
            Self::Table(table) => Self::Table(table.scaled(factor)),
        }
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

impl Step {
    fn at(&self, time_s: f64) -> Coordinate {
        times(smooth(time_s, self.rise_s), self.amplitude)
    }
}

impl Ramp {
    fn at(&self, time_s: f64) -> Coordinate {
        let rising = self.half(time_s);
        if time_s <= self.fall_s {
            return rising;
        }
        plus(rising, times(self.half(time_s - self.fall_s), -1.0))
    }

    /// A ramp that does not end; two of them make one that does.
    fn half(&self, time_s: f64) -> Coordinate {
        if time_s <= 0.0 {
            return Coordinate::at_rest(0.0);
        }
        if time_s >= self.blend_s {
            return Coordinate { value: self.rate * (time_s - 0.5 * self.blend_s), rate: self.rate, acceleration: 0.0 };
        }
        let share = time_s / self.blend_s;
        let square = share * share;
        Coordinate {
            value: self.rate * self.blend_s * square * share * (1.0 - 0.5 * share),
            rate: self.rate * square * (3.0 - 2.0 * share),
            acceleration: self.rate / self.blend_s * 6.0 * share * (1.0 - share),
        }
    }
}

impl Sine {
    fn at(&self, time_s: f64) -> Coordinate {
        let dwell_start = 0.75 / self.frequency_hz;
        let length = self.cycles / self.frequency_hz + self.dwell_s;
        if time_s <= 0.0 || time_s >= length {
            return Coordinate::at_rest(0.0);
        }
        let dwells = self.dwell_s > 0.0 && time_s > dwell_start;
        if dwells && time_s < dwell_start + self.dwell_s {
            return Coordinate::at_rest(-self.amplitude);
        }
        let along = if dwells { time_s - self.dwell_s } else { time_s };
        wave(self.amplitude, TAU * self.frequency_hz * along, TAU * self.frequency_hz, 0.0)
    }
}

impl Sweep {
    fn at(&self, time_s: f64) -> Coordinate {
        if time_s <= 0.0 || time_s >= self.length_s {
            return Coordinate::at_rest(0.0);
        }
        let [first, last] = self.frequencies_hz;
        let slope = (last - first) / self.length_s;
        wave(self.amplitude, TAU * time_s * (first + 0.5 * slope * time_s), TAU * (first + slope * time_s), TAU * slope)
    }
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
