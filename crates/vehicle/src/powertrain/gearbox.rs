//! Gears, and how one hands the torque over to the next.
//!
//! In gear the input shaft turns with the output, ω_t = i ω_d. During a shift it is free but for
//! two friction clutches, that of the old gear (a), which opens, and that of the new one (b), which
//! closes:
//! ```text
//! (J + h (S + Σ s_k)) Δω_t = h (T − Σ τ_k) + h Σ s_k i_k Δω_d,   τ_k = s_k (ω_t − i_k ω_d)       (1)
//! T_d = Σ i_k (τ_k + s_k (Δω_t − i_k Δω_d))                                                       (2)
//! ```
//! where `T − S Δω_t` is the law of the launch device. The closing clutch has no more than it needs
//! to take the torque and to slow the shaft down,
//! ```text
//! C_b ≤ 1.2 |T| + 0.05 C                                                                          (3)
//! ```
//! or a shift would be a jolt. So the torque is handed over and the engine is dragged to its new
//! speed by friction, with the energy that this costs; nothing jumps. The new gear locks when the
//! shift time is over and its clutch has stopped slipping.

use super::clutch::{SLIP_NONE_RAD_S, secant};
use super::law::Law;

/// Inertia of an input shaft that is connected to nothing, where the file says none (kg m²).
const FREE_INERTIA_KG_M2: f64 = 0.01;

/// A slip that is only rounding (rad/s).
const SLIP_ROUNDING_RAD_S: f64 = 1e-6;

/// How a gear hands over to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandOver {
    /// One clutch closes while the other opens (automatic gearbox).
    Overlap,
    /// The clutch to the engine opens, the gear changes, it closes again (manual gearbox).
    Interrupt,
}

/// Ratios and shafts.
#[derive(Clone, Debug, PartialEq)]
pub struct Gearbox {
    /// Input speed by output speed, first gear first.
    pub forward: Vec<f64>,
    /// The same of the reverse gear, positive; none where there is no reverse.
    pub reverse: Option<f64>,
    /// How gears hand over.
    pub hand_over: HandOver,
    /// How long that takes (s); 0 changes the ratio at once.
    pub shift_time_s: f64,
    /// Capacity of a gear's clutch or synchroniser, at the input (Nm).
    pub shift_torque_nm: f64,
    /// Inertia of the input shaft (kg m²).
    pub input_inertia_kg_m2: f64,
}

/// Which gear is in, or going in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GearState {
    /// The gear before.
    pub from: i32,
    /// The gear that is in or comes in; 0 is neutral.
    pub to: i32,
    /// Time since the shift began (s).
    pub clock_s: f64,
    /// The gear `to` is in, without slip.
    pub locked: bool,
}

/// What a substep found: the law at the output, and how the input follows: `Δω_t = t0 + t1 Δω_d`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Geared {
    /// Torque at the output over the change of its speed.
    pub law: Law,
    /// Change of input speed for an unchanged output (rad/s).
    pub t0: f64,
    /// Change of input speed by change of output speed.
    pub t1: f64,
    /// Ratio and secant slope of the two clutches.
    pub clutches: [[f64; 2]; 2],
}

impl Gearbox {
    /// Ratio of a gear with its sign; none for neutral and for gears that there are not.
    #[inline]
    pub fn ratio(&self, gear: i32) -> Option<f64> {
        match gear {
            -1 => self.reverse.map(|it| -it),
            _ => self.forward.get(usize::try_from(gear).ok()?.checked_sub(1)?).copied(),
        }
    }

    /// How far a shift has come, 0 to 1.
    #[inline]
    pub fn progress(&self, state: &GearState) -> f64 {
        if state.locked || state.clock_s >= self.shift_time_s { 1.0 } else { state.clock_s / self.shift_time_s }
    }

    /// How far the shift lets the engine's clutch close, and how much of the pedal it lets through.
    #[inline]
    pub fn interruption(&self, state: &GearState) -> (f64, f64) {
        let x = self.progress(state);
        if self.hand_over == HandOver::Overlap || x >= 1.0 {
            (1.0, 1.0)
        } else {
            let closing = (4.0 * x - 3.0).max(0.0);
            ((1.0 - 4.0 * x).max(closing), closing)
        }
    }

    /// Begins to change into a gear.
    pub fn shift(&self, state: &mut GearState, gear: i32) {
        *state = GearState { from: state.to, to: gear, clock_s: 0.0, locked: self.shift_time_s == 0.0 && gear != 0 };
    }

    /// Law at the output for a substep; the input turns at `input_rad_s` (in gear it is i ω_d).
    #[inline]
    pub fn pass(&self, state: &GearState, input: Law, input_rad_s: f64, output_rad_s: f64, substep_s: f64) -> Geared {
        let ratio = self.ratio(state.to).unwrap_or(0.0);
        if state.locked {
            return Geared {
                law: Law {
                    torque_nm: ratio * input.torque_nm,
                    slope: ratio * ratio * (input.slope + self.input_inertia_kg_m2 / substep_s),
                },
                t0: 0.0,
                t1: ratio,
                clutches: [[0.0; 2]; 2],
            };
        }
        let ratios = [self.ratio(state.from).unwrap_or(0.0), ratio];
        let slip = ratios.map(|it| input_rad_s - it * output_rad_s);
        let capacity = self.capacity(state, ratios, slip, input.torque_nm);
        let clutch = |k: usize| [ratios[k], secant(capacity[k], slip[k])];
        self.slipping([clutch(0), clutch(1)], input, input_rad_s, output_rad_s, substep_s)
    }

    /// Eq. (1) and (2).
    #[inline]
    fn slipping(&self, clutches: [[f64; 2]; 2], input: Law, input_rad_s: f64, output_rad_s: f64, h: f64) -> Geared {
        let [[i_a, s_a], [i_b, s_b]] = clutches;
        let torque_a = s_a * (input_rad_s - i_a * output_rad_s);
        let torque_b = s_b * (input_rad_s - i_b * output_rad_s);
        let mass = self.free_inertia() + h * (input.slope + s_a + s_b);
        let t0 = h * (input.torque_nm - torque_a - torque_b) / mass;
        let t1 = h * (s_a * i_a + s_b * i_b) / mass;
        Geared {
            law: Law {
                torque_nm: i_a * (torque_a + s_a * t0) + i_b * (torque_b + s_b * t0),
                slope: (s_a * i_a * i_a + s_b * i_b * i_b - (s_a * i_a + s_b * i_b) * t1).max(0.0),
            },
            t0,
            t1,
            clutches,
        }
    }

    /// After a substep: the shift goes on, and the new gear may lock.
    #[inline]
    pub fn advance(&self, state: &mut GearState, input_rad_s: f64, output_rad_s: f64, substep_s: f64) {
        if state.locked {
            return;
        }
        state.clock_s += substep_s;
        if let Some(ratio) = self.ratio(state.to) {
            let slip = input_rad_s - ratio * output_rad_s;
            state.locked = state.clock_s >= self.shift_time_s && slip.abs() < SLIP_NONE_RAD_S;
        }
    }

    /// Inertia of the input shaft when it turns on its own.
    #[inline]
    pub fn free_inertia(&self) -> f64 {
        self.input_inertia_kg_m2.max(FREE_INERTIA_KG_M2)
    }

    /// Capacities of the old and the new gear's clutch; a gear that there is not has none.
    #[inline]
    fn capacity(&self, state: &GearState, ratios: [f64; 2], slip: [f64; 2], input_nm: f64) -> [f64; 2] {
        let x = self.progress(state);
        let mut shares = match self.hand_over {
            HandOver::Overlap => [(1.0 - 2.0 * x).max(0.0), ((x - 0.25) / 0.75).max(0.0)],
            HandOver::Interrupt => [f64::from(u8::from(x < 0.25)), f64::from(u8::from(x >= 0.4))],
        };
        if self.hand_over == HandOver::Overlap {
            let fights = fights(ratios, slip, input_nm);
            shares[0] = if fights[0] { 0.0 } else { shares[0] };
            // Eq. (3)
            let gentle = 1.2 * input_nm.abs() / self.shift_torque_nm + 0.05;
            shares[1] = if fights[1] && x < 1.0 { 0.0 } else { shares[1].min(gentle) };
        }
        let of = |gear: i32, share: f64| {
            if gear == 0 { 0.0 } else { share * self.shift_torque_nm }
        };
        [of(state.from, shares[0]), of(state.to, shares[1])]
    }
}

/// Whether the old and the new gear's clutch would work against each other: two gears at once are
/// none.
///
/// The input has to slow down for a higher gear: there the old clutch must not push it. It has to
/// speed up for a lower gear: with the engine driving, it does so by itself, and the new clutch
/// waits for it; with the engine braking, the new clutch pulls it up, and the old one must not hold
/// it back.
#[inline]
fn fights(ratios: [f64; 2], slip: [f64; 2], input_nm: f64) -> [bool; 2] {
    if ratios[0] * ratios[1] <= 0.0 {
        [false, false]
    } else if ratios[1].abs() < ratios[0].abs() {
        [slip[0] < -SLIP_ROUNDING_RAD_S, false]
    } else if input_nm > 0.0 {
        [false, slip[1] < -SLIP_ROUNDING_RAD_S]
    } else {
        [slip[0] > SLIP_ROUNDING_RAD_S, false]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gearbox() -> Gearbox {
        Gearbox {
            forward: vec![2.475, 1.475, 1.0],
            reverse: Some(2.1),
            hand_over: HandOver::Overlap,
            shift_time_s: 0.4,
            shift_torque_nm: 400.0,
            input_inertia_kg_m2: 0.03,
        }
    }

    #[test]
    fn ratios_by_gear() {
        let found = [-1, 0, 1, 2, 3, 4].map(|gear| gearbox().ratio(gear));
        assert_eq!(found, [Some(-2.1), None, Some(2.475), Some(1.475), Some(1.0), None]);
    }

    /// Between 1 and 2 under 100 Nm at the input: when the new gear has it all, the output has
    /// 1.475 times that, and the input has slowed down to the new ratio. The output is held at 100
    /// rad/s.
    #[test]
    fn a_shift_hands_the_torque_over() {
        let (gearbox, mut state) = (gearbox(), GearState { to: 1, locked: true, ..GearState::default() });
        gearbox.shift(&mut state, 2);
        let (mut input, output, h, law) = (247.5, 100.0, 5e-4, Law { torque_nm: 100.0, slope: 0.0 });
        let mut torque = 0.0;
        for _ in 0..2000 {
            let geared = gearbox.pass(&state, law, input, output, h);
            torque = geared.law.torque_nm;
            assert!(torque > -1e-9 && torque <= 1.475 * 400.0 + 247.5, "{torque}");
            input += geared.t0;
            gearbox.advance(&mut state, input, output, h);
        }
        assert!(state.locked && (input - 147.5).abs() < 0.02);
        assert!((torque - 147.5).abs() < 1e-9, "{torque}");
    }
}
