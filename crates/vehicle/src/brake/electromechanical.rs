//! Brake by wire without a line: an electric actuator presses the pads of each wheel.
//!
//! ```text
//! (1)  demand   d = pedal, 0 to 1; a measured pressure over full_bar counts instead
//! (2)  goal     T* = r T_max d,   r = 1 − g (λ − λ₀) between 0 and 1, with λ = 1 − Ω/Ω_free
//! (3)  actuator τ Ṫ = T* − T, solved exactly over the step, but no faster than its motor: |Ṫ| ≤ Ṫ_max
//! (4)  parking  the larger of T and T_p: a spindle that locks itself needs no current
//! ```
//! (2) is the slip control. Each wheel has an actuator of its own that follows continuously, so
//! there are neither valves nor phases; below `off_below_m_s` it rests, so that the vehicle can
//! stop.

use super::line::{Lag, LagFactors};
use super::{Brake, BrakeState};
use crate::files::ranges::{Fraction, NotNegative, Positive};
use crate::files::{FileError, Source};
use crate::numbers::clamped;
use crate::{WHEELS_MAX, stateful};
use serde::Deserialize;
use toml::Spanned;

/// The brakes of one axle.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Axle {
    #[serde(default = "both")]
    wheels: usize,
    torque_max_nm: NotNegative,
    rate_nm_s: Positive,
    lag_s: Option<NotNegative>,
    parking_nm: Option<NotNegative>,
}

fn both() -> usize {
    2
}

/// Eq. (2).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SlipControl {
    slip: Fraction,
    gain: Positive,
    radius_m: Positive,
    off_below_m_s: Positive,
}

impl SlipControl {
    /// r of a wheel.
    #[inline]
    fn part(&self, spin_rad_s: f64, free_rad_s: f64) -> f64 {
        if free_rad_s.abs() * *self.radius_m < *self.off_below_m_s {
            return 1.0;
        }
        let slip = 1.0 - spin_rad_s / free_rad_s;
        1.0 - clamped(*self.gain * (slip - *self.slip), 1.0)
    }
}

/// The brakes of a vehicle.
#[derive(Clone, Debug)]
pub(super) struct Electromechanical {
    full_bar: f64,
    axles: Vec<Axle>,
    control: Option<SlipControl>,
    wheels: usize,
    /// Of each axle for steps of this length: they change only with it; an exponential is costly.
    factors: Vec<LagFactors>,
    step_s: f64,
    torque_nm: [f64; WHEELS_MAX],
    taken: f64,
    parking: f64,
}

impl Electromechanical {
    fn new(full_bar: f64, axles: Vec<Axle>, control: Option<SlipControl>) -> Self {
        Self {
            full_bar,
            control,
            wheels: axles.iter().map(|axle| axle.wheels).sum(),
            factors: axles.iter().map(|axle| axle.lag().factors(0.0)).collect(),
            step_s: 0.0,
            axles,
            torque_nm: [0.0; WHEELS_MAX],
            taken: 0.0,
            parking: 0.0,
        }
    }

    fn adapt(&mut self, step_s: f64) {
        if self.step_s != step_s {
            self.step_s = step_s;
            for (lag, axle) in self.factors.iter_mut().zip(&self.axles) {
                *lag = axle.lag().factors(step_s);
            }
        }
    }

    /// Eq. (1).
    fn demand(&self, state: &BrakeState<'_>) -> f64 {
        let measured = state.input.known_pressure_bar();
        clamped(measured.map_or(state.input.brake_ratio, |bar| bar / self.full_bar), 1.0)
    }
}

impl Axle {
    fn lag(&self) -> Lag {
        let lag_s = self.lag_s.map_or(0.0, |it| *it);
        Lag { build_s: lag_s, release_s: lag_s }
    }

    /// Eq. (3): the torque after the step.
    #[inline]
    fn pressed(&self, lag: &LagFactors, torque_nm: f64, goal_nm: f64, step_s: f64) -> f64 {
        let most = *self.rate_nm_s * step_s;
        torque_nm + (lag.follow(torque_nm, goal_nm) - torque_nm).clamp(-most, most)
    }
}

impl Brake for Electromechanical {
    fn capacities(&mut self, state: &BrakeState<'_>, capacity_nm: &mut [f64]) {
        let demand = self.demand(state);
        self.adapt(clamped(state.step_s, 1.0));
        self.taken = 0.0;
        let mut first = 0;
        for (axle, lag) in self.axles.iter().zip(&self.factors) {
            let wheels = first..first + axle.wheels;
            for (wheel, capacity_nm) in wheels.clone().zip(&mut capacity_nm[wheels]) {
                let spins = (state.spin_rad_s[wheel], state.free_spin_rad_s[wheel]);
                let part = self.control.map_or(1.0, |control| control.part(spins.0, spins.1));
                if demand > 0.0 {
                    self.taken = self.taken.max(1.0 - part);
                }
                let goal_nm = part * *axle.torque_max_nm * demand;
                let torque_nm = axle.pressed(lag, self.torque_nm[wheel], goal_nm, self.step_s);
                self.torque_nm[wheel] = clamped(torque_nm, *axle.torque_max_nm);
                // Eq. (4).
                *capacity_nm = self.torque_nm[wheel].max(self.parking * axle.parking_nm.map_or(0.0, |it| *it));
            }
            first += axle.wheels;
        }
    }

    fn antilock(&self) -> f64 {
        self.taken
    }

    fn set_parking(&mut self, applied: f64) {
        self.parking = clamped(applied, 1.0);
    }
}

stateful!(Electromechanical, |it| it.torque_nm[..it.wheels], it.parking);

/// The measured pressure that is a full pedal unless the file says otherwise (bar).
const FULL_BAR: f64 = 100.0;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(rename = "kind")]
    _kind: String,
    full_bar: Option<Positive>,
    axle: Spanned<Vec<Axle>>,
    slip_control: Option<SlipControl>,
}

/// Reads the file for a vehicle with so many wheels; `docs/chassis-subsystems.md` has an example.
pub fn read(source: &Source<'_>, wheels: usize) -> Result<Electromechanical, FileError> {
    let text: Text = source.toml()?;
    super::check_wheels(source, &text.axle, wheels, |it| it.wheels)?;
    let full_bar = text.full_bar.map_or(FULL_BAR, |it| *it);
    Ok(Electromechanical::new(full_bar, text.axle.into_inner(), text.slip_control))
}
