//! Pressure from the pedal to a brake.
//!
//! ```text
//! p_line = P(pedal)                or the measured pressure                                     (1)
//! p_axle = s p_line,               above the knee p_k:  p_k + m (s p_line − p_k)                (2)
//! τ ṗ = p_axle − p    exactly:     p ← p + (p_axle − p)(1 − e^(−h/τ))                           (3)
//! ```
//! P is a line or a table, s the share of the axle, m the slope of its proportioning valve, τ the
//! lag of the fluid or of the air; building up and letting go may have different ones.

use crate::DriverInput;
use crate::files::Curve;
use crate::numbers::clamped;

/// Eq. (1).
#[derive(Clone, Debug)]
pub(super) struct Pedal {
    pub(super) pressure_bar: Curve,
    /// The most that the line takes: a sensor that reports more is not believed (bar).
    pub(super) limit_bar: f64,
}

impl Pedal {
    pub(super) fn line_bar(&self, input: &DriverInput) -> f64 {
        let asked =
            input.known_pressure_bar().unwrap_or_else(|| self.pressure_bar.value(clamped(input.brake_ratio, 1.0)));
        clamped(asked, self.limit_bar)
    }
}

/// Eq. (2): share and proportioning valve of an axle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    pub(super) share: f64,
    pub(super) knee_bar: f64,
    pub(super) slope: f64,
}

impl Split {
    pub(super) fn axle_bar(&self, line_bar: f64) -> f64 {
        let before = self.share * line_bar;
        if before <= self.knee_bar { before } else { self.knee_bar + self.slope * (before - self.knee_bar) }
    }
}

/// Eq. (3).
#[derive(Clone, Copy, Debug)]
pub(super) struct Lag {
    pub(super) build_s: f64,
    pub(super) release_s: f64,
}

/// By how much of its distance from the goal a pressure moves in a step, up and down.
#[derive(Clone, Copy, Debug)]
pub(super) struct LagFactors {
    build: f64,
    release: f64,
}

/// 1 − e^(−h/τ); 1 without a lag.
pub(super) fn part(lag_s: f64, step_s: f64) -> f64 {
    if lag_s > 0.0 { -(-step_s / lag_s).exp_m1() } else { 1.0 }
}

impl Lag {
    pub(super) fn factors(&self, step_s: f64) -> LagFactors {
        LagFactors { build: part(self.build_s, step_s), release: part(self.release_s, step_s) }
    }
}

impl LagFactors {
    /// The pressure after the step.
    pub(super) fn follow(&self, pressure: f64, goal: f64) -> f64 {
        let part = if goal > pressure { self.build } else { self.release };
        // Without a lag the goal is reached exactly: the sum below would leave a rounding error.
        if part >= 1.0 { goal } else { pressure + (goal - pressure) * part }
    }
}

/// From the pressure at a brake to the torque that it can hold.
///
/// ```text
/// linear   T = g G max(0, p − p₀)                                                              (1)
/// table    T = g T(p)                                                                          (2)
/// ```
/// g is the gain of the wheel (worn pads, a pull to one side), G the torque per pressure, p₀ the
/// pressure that brings the pads to the disc.
#[derive(Clone, Debug)]
pub(super) enum Friction {
    Linear { nm_bar: f64, threshold_bar: f64 },
    Table(Curve),
}

impl Friction {
    pub(super) fn torque_nm(&self, pressure_bar: f64) -> f64 {
        match self {
            Self::Linear { nm_bar, threshold_bar } => nm_bar * (pressure_bar - threshold_bar).max(0.0),
            Self::Table(curve) => curve.value(pressure_bar),
        }
    }
}
