//! Between engine and gearbox: nothing, a clutch, or a torque converter with an optional lock-up
//! clutch.
//!
//! With the engine's law `T_e − a Δω_e`, its inertia J and a device that is linear in both speeds
//! ([`Transfer`]), a substep h is
//! ```text
//! (J + h (a + p_e)) Δω_e = h (T_e − p) − h p_t Δω_t                                (1)
//! T_t = t + t_e Δω_e + t_t Δω_t                                                    (2)
//! ```
//! Eq. (1) put into (2) leaves a law in Δω_t alone. Locked, the engine turns with the gearbox, Δω_e
//! = Δω_t − (ω_e − ω_t), and
//! ```text
//! T_t = T_e + (ω_e − ω_t)(J + h a)/h − (J + h a)/h Δω_t                            (3)
//! ```

use super::clutch::{Grip, secant};
use super::converter::{Converter, Transfer};
use super::law::Law;

/// What a clutch is worked by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operation {
    /// The driver's pedal.
    Pedal,
    /// A device that closes it between two engine speeds (rad/s), as one who sets off does; the
    /// pedal still opens it.
    Automatic {
        /// Open below.
        start_rad_s: f64,
        /// Closed above.
        full_rad_s: f64,
    },
}

/// When a converter's lock-up clutch closes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LockUp {
    /// Capacity (Nm).
    pub torque_nm: f64,
    /// Closes above this speed of the turbine (rad/s).
    pub on_rad_s: f64,
    /// Opens below this one (rad/s).
    pub off_rad_s: f64,
    /// In this gear and above.
    pub from_gear: i32,
    /// Takes so long to close or open (s).
    pub time_s: f64,
}

/// The device.
#[derive(Clone, Debug, PartialEq)]
pub enum Launch {
    /// Engine and gearbox turn as one.
    Rigid,
    /// A friction clutch.
    Clutch {
        /// Capacity when fully closed (Nm).
        torque_nm: f64,
        /// What works it.
        operation: Operation,
    },
    /// A torque converter.
    Converter {
        /// Its characteristic.
        converter: Box<Converter>,
        /// Its lock-up clutch.
        lock_up: Option<LockUp>,
    },
}

/// State of the device.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LaunchState {
    /// Of the clutch or lock-up clutch.
    pub grip: Grip,
    /// How far the lock-up clutch is closed, 0 to 1.
    pub lock_up: f64,
    /// Whether the lock-up clutch is wanted.
    pub lock_up_wanted: bool,
}

/// What a substep found: the law at the gearbox's input, and how the engine follows: `Δω_e = e0 +
/// e1 Δω_t`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Launched {
    /// Torque into the gearbox over the change of its input speed.
    pub law: Law,
    /// Change of the engine's speed for an unchanged input speed (rad/s).
    pub e0: f64,
    /// Change of the engine's speed by change of input speed.
    pub e1: f64,
    /// Secant slope of the clutch (Nms/rad).
    secant: f64,
    capacity_nm: f64,
}

/// What the device meets in a substep.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    /// Law of the engine.
    pub engine: Law,
    /// Its inertia (kg m²).
    pub inertia_kg_m2: f64,
    /// Its speed (rad/s).
    pub engine_rad_s: f64,
    /// Speed of the gearbox's input (rad/s).
    pub input_rad_s: f64,
    /// How far clutch pedal and gear shift let the clutch close, 0 to 1.
    pub closed: f64,
    /// Length of the substep (s).
    pub substep_s: f64,
}

impl Launch {
    /// Law at the gearbox's input for a substep.
    #[inline]
    pub fn pass(&self, state: &mut LaunchState, meeting: &Meeting) -> Launched {
        let slip = meeting.engine_rad_s - meeting.input_rad_s;
        let capacity_nm = self.capacity(state, meeting);
        state.grip.begin(capacity_nm);
        let mut launched = if matches!(self, Self::Rigid) || state.grip.locked {
            rigid(meeting, slip)
        } else {
            let secant = secant(capacity_nm, slip);
            let device = match self {
                Self::Converter { converter, .. } => converter.at(meeting.engine_rad_s, meeting.input_rad_s),
                _ => Transfer::default(),
            };
            Launched { secant, ..slipping(meeting, &device.with_clutch(secant, slip)) }
        };
        launched.capacity_nm = capacity_nm;
        launched
    }

    /// After a substep: the clutch may have come to rest.
    #[inline]
    pub fn advance(&self, state: &mut LaunchState, launched: &Launched, slip_rad_s: f64, through_nm: f64) {
        let torque = if state.grip.locked { through_nm } else { launched.secant * slip_rad_s };
        if !matches!(self, Self::Rigid) {
            state.grip.end(launched.capacity_nm, slip_rad_s, torque);
        }
    }

    /// Once in a step: the lock-up clutch follows speed and gear.
    pub fn begin_step(&self, state: &mut LaunchState, gear: i32, shifting: bool, input_rad_s: f64, step_s: f64) {
        let Self::Converter { lock_up: Some(clutch), .. } = self else {
            return;
        };
        let threshold = if state.lock_up_wanted { clutch.off_rad_s } else { clutch.on_rad_s };
        state.lock_up_wanted = !shifting && gear >= clutch.from_gear && input_rad_s > threshold;
        let step = step_s / clutch.time_s;
        state.lock_up += if state.lock_up_wanted { step } else { -step };
        state.lock_up = state.lock_up.clamp(0.0, 1.0);
    }

    #[inline]
    fn capacity(&self, state: &LaunchState, meeting: &Meeting) -> f64 {
        match self {
            Self::Rigid => 0.0,
            Self::Clutch { torque_nm, operation } => {
                let engaged = match *operation {
                    Operation::Pedal => 1.0,
                    Operation::Automatic { start_rad_s, full_rad_s } => {
                        ((meeting.engine_rad_s - start_rad_s) / (full_rad_s - start_rad_s)).clamp(0.0, 1.0)
                    }
                };
                torque_nm * engaged * meeting.closed
            }
            Self::Converter { lock_up, .. } => lock_up.map_or(0.0, |it| it.torque_nm * state.lock_up),
        }
    }
}

/// Eq. (3).
#[inline]
fn rigid(meeting: &Meeting, slip: f64) -> Launched {
    let slope = meeting.inertia_kg_m2 / meeting.substep_s + meeting.engine.slope;
    Launched {
        law: Law { torque_nm: meeting.engine.torque_nm + slip * slope, slope },
        e0: -slip,
        e1: 1.0,
        ..Launched::default()
    }
}

/// Eq. (1) and (2).
#[inline]
fn slipping(meeting: &Meeting, device: &Transfer) -> Launched {
    let h = meeting.substep_s;
    let mass = meeting.inertia_kg_m2 + h * (meeting.engine.slope + device.p_e);
    let e0 = h * (meeting.engine.torque_nm - device.p) / mass;
    let e1 = -h * device.p_t / mass;
    Launched {
        law: Law { torque_nm: device.t + device.t_e * e0, slope: (-device.t_t - device.t_e * e1).max(0.0) },
        e0,
        e1,
        ..Launched::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meeting(engine_rad_s: f64, input_rad_s: f64) -> Meeting {
        Meeting {
            engine: Law { torque_nm: 120.0, slope: 0.4 },
            inertia_kg_m2: 0.2,
            engine_rad_s,
            input_rad_s,
            closed: 1.0,
            substep_s: 1e-3,
        }
    }

    /// A clutch of endless capacity slips no more than a rigid connection: both laws agree.
    #[test]
    fn a_strong_clutch_is_a_rigid_connection() {
        let strong = Launch::Clutch { torque_nm: 1e9, operation: Operation::Pedal };
        let meeting = meeting(100.0, 99.999);
        let slipping = strong.pass(&mut LaunchState::default(), &meeting);
        let rigid = Launch::Rigid.pass(&mut LaunchState::default(), &meeting);
        // The clutch gives way by h C/ε = 5e7 against 0.2 kg m²: 4e-9.
        assert!((slipping.law.torque_nm / rigid.law.torque_nm - 1.0).abs() < 1e-6);
        assert!((slipping.law.slope / rigid.law.slope - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_slipping_clutch_gives_its_capacity() {
        let clutch = Launch::Clutch { torque_nm: 80.0, operation: Operation::Pedal };
        let launched = clutch.pass(&mut LaunchState::default(), &meeting(300.0, 50.0));
        // The engine gains h (120 − 80)/J = 0.2 rad/s of 250 rad/s slip: the secant's torque is
        // within 0.1 %.
        assert!((launched.law.torque_nm - 80.0).abs() < 0.1, "{launched:?}");
        let open = Meeting { closed: 0.0, ..meeting(300.0, 50.0) };
        assert_eq!(clutch.pass(&mut LaunchState::default(), &open).law, Law::default());
    }
}
