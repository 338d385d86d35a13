//! A motor for each driven wheel, on the body, with a fixed gear and a half-shaft: no shaft joins
//! two wheels, nothing shifts.
//!
//! With the gear ratio i, the direction d (1 forward, −1 reverse, 0 neutral), the throttle f and
//! the spin Ω of its wheel:
//! ```text
//! (1)  ω = d i Ω,   T_wheel = d i T(f, ω),   slope −∂T_wheel/∂Ω = −d² i² ∂T/∂ω, not below zero
//! (2)  the rotor turns with the wheel: i² J
//! (3)  housings on the body carry −Σ (T_wheel − i (i − 1) J dΩ/dt) about y
//! ```
//! (3) is the angular momentum of motor, gear and wheel about the axle: what the body gives is what
//! wheel and rotor get.

use super::engine::{Curves, RPM};
use super::{Drive, Instruments, Powertrain};
use crate::files::ranges::{Fraction, NotNegative, Positive};
use crate::files::{FileError, Source};
use crate::numbers::{bounded, clamped};
use crate::state::Stateful;
use crate::{DriverInput, Vector3, WHEELS_MAX};
use serde::Deserialize;
use toml::Spanned;

/// No motor turns faster (rad/s): beyond, its curve has ended long before.
const SPEED_MAX_RAD_S: f64 = 1e6;

/// Motors of one kind.
#[derive(Clone, Debug)]
struct Motors {
    curves: Curves,
    ratio: f64,
    inertia_kg_m2: f64,
}

/// The powertrain.
#[derive(Clone, Debug)]
pub struct WheelMotors {
    kinds: Vec<Motors>,
    /// Driven wheels.
    wheels: Vec<usize>,
    /// Which kind of motor each of them has.
    kind_of: Vec<usize>,
    throttle: f64,
    direction: f64,
    /// Spin of every wheel at the beginning of the substep.
    before_rad_s: [f64; WHEELS_MAX],
    instruments: Instruments,
    reaction_nm: f64,
}

impl WheelMotors {
    fn new(kinds: Vec<Motors>, wheels: Vec<usize>, kind_of: Vec<usize>) -> Self {
        Self {
            kinds,
            wheels,
            kind_of,
            throttle: 0.0,
            direction: 0.0,
            before_rad_s: [0.0; WHEELS_MAX],
            instruments: Instruments::default(),
            reaction_nm: 0.0,
        }
    }

    /// Driven wheels with their motors.
    fn driven(&self) -> impl Iterator<Item = (usize, &Motors)> {
        let kinds = self.kind_of.iter().map(|kind| &self.kinds[*kind]);
        self.wheels.iter().copied().zip(kinds)
    }
}

impl Motors {
    /// Eq. (1): torque on the wheel (Nm) and how it falls with the spin (Nms/rad).
    #[inline]
    fn on_wheel(&self, throttle: f64, direction: f64, spin_rad_s: f64) -> (f64, f64) {
        let speed = bounded(direction * self.ratio * spin_rad_s, SPEED_MAX_RAD_S);
        let (torque, slope) = self.curves.at(throttle, speed);
        let geared = direction * self.ratio;
        (geared * torque, (-geared * geared * slope).max(0.0))
    }
}

impl Stateful for WheelMotors {}

impl Powertrain for WheelMotors {
    fn begin_step(&mut self, input: &DriverInput, _spin_rad_s: &[f64], _step_s: f64) {
        self.throttle = clamped(input.throttle_ratio, 1.0);
        self.direction = f64::from(input.gear_asked().unwrap_or(1).signum());
        self.instruments.gear = self.direction as i32;
    }

    fn coupled(&self) -> &[usize] {
        &self.wheels
    }

    fn torques(&mut self, spin_rad_s: &[f64], _substep_s: f64, drive: &mut Drive) {
        let count = spin_rad_s.len();
        drive.torque_nm.fill(0.0);
        drive.damping.fill(0.0);
        drive.inertia_kg_m2.fill(0.0);
        for (wheel, kind) in self.wheels.iter().zip(&self.kind_of) {
            let (wheel, motors) = (*wheel, &self.kinds[*kind]);
            let (torque, slope) = motors.on_wheel(self.throttle, self.direction, spin_rad_s[wheel]);
            drive.torque_nm[wheel] = torque;
            drive.damping[wheel * count + wheel] = slope;
            // Eq. (2).
            drive.inertia_kg_m2[wheel] = motors.ratio * motors.ratio * motors.inertia_kg_m2;
            self.before_rad_s[wheel] = bounded(spin_rad_s[wheel], SPEED_MAX_RAD_S);
        }
    }

    fn advance(&mut self, spin_rad_s: &[f64], substep_s: f64) {
        let by_substep = if substep_s > 0.0 { 1.0 / substep_s } else { 0.0 };
        let (mut speed, mut torque, mut power, mut reaction) = (0.0, 0.0, 0.0, 0.0);
        for (wheel, motors) in self.driven() {
            let spin = bounded(spin_rad_s[wheel], SPEED_MAX_RAD_S);
            let (on_wheel, _) = motors.on_wheel(self.throttle, self.direction, spin);
            speed += motors.ratio * spin;
            torque += on_wheel / motors.ratio;
            power += on_wheel * spin;
            // Eq. (3); within a substep no rotor gains more than all of its speed.
            let gained = bounded((spin - self.before_rad_s[wheel]) * by_substep, SPEED_MAX_RAD_S);
            reaction += on_wheel - motors.ratio * (motors.ratio - 1.0) * motors.inertia_kg_m2 * gained;
        }
        self.instruments.engine_speed_rad_s = speed / self.wheels.len().max(1) as f64;
        self.instruments.engine_torque_nm = torque;
        self.instruments.engine_power_w = power;
        self.reaction_nm = -reaction;
    }

    fn body_torque_nm(&self) -> Vector3 {
        Vector3::new(0.0, self.reaction_nm, 0.0)
    }

    fn instruments(&self) -> Instruments {
        self.instruments
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(rename = "kind")]
    _kind: String,
    motors: Spanned<Vec<MotorsText>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MotorsText {
    wheels: Vec<Spanned<usize>>,
    ratio: Option<Positive>,
    torque_max_nm: Positive,
    power_max_w: Positive,
    speed_max_rpm: Positive,
    regeneration: Option<Fraction>,
    inertia_kg_m2: Option<NotNegative>,
}

/// Reads the file for a vehicle with so many wheels; `docs/powertrain.md` describes it.
pub fn read(source: &Source<'_>, wheels: usize) -> Result<WheelMotors, FileError> {
    let text: Text = source.toml()?;
    if text.motors.get_ref().is_empty() {
        return Err(source.fault_at(text.motors.span(), "expected at least one [[motors]]"));
    }
    let (mut kinds, mut driven, mut kind_of) = (Vec::new(), Vec::new(), Vec::new());
    for (number, motors) in text.motors.get_ref().iter().enumerate() {
        for wheel in &motors.wheels {
            driven.push(free_wheel(source, wheel, wheels, &driven)?);
            kind_of.push(number);
        }
        kinds.push(kind(motors));
    }
    Ok(WheelMotors::new(kinds, driven, kind_of))
}

/// The place of a wheel that is there and has no motor yet.
fn free_wheel(
    source: &Source<'_>,
    wheel: &Spanned<usize>,
    wheels: usize,
    driven: &[usize],
) -> Result<usize, FileError> {
    let found = *wheel.get_ref();
    if !(1..=wheels.min(WHEELS_MAX)).contains(&found) {
        let problem = format!("expected a wheel from 1 to {wheels}, found {found}");
        return Err(source.fault_at(wheel.span(), problem));
    }
    if driven.contains(&(found - 1)) {
        let problem = format!("wheel {found} has a motor already: name each wheel once");
        return Err(source.fault_at(wheel.span(), problem));
    }
    Ok(found - 1)
}

fn kind(text: &MotorsText) -> Motors {
    let (torque_nm, power_w) = (*text.torque_max_nm, *text.power_max_w);
    let regeneration = text.regeneration.map_or(0.0, |it| *it);
    Motors {
        curves: Curves::electric(torque_nm, power_w, *text.speed_max_rpm * RPM, regeneration),
        ratio: text.ratio.map_or(1.0, |it| *it),
        inertia_kg_m2: text.inertia_kg_m2.map_or(0.0, |it| *it),
    }
}
