//! The whole driveline in a substep: engine, launch device, gearbox, axles, each eliminated in
//! turn.
//!
//! Going towards the wheels every part hands a [`Law`] on; coming back, the change of the wheels'
//! speeds gives that of the output shaft, of the input shaft and of the engine. One substep is one
//! linearly implicit Euler step of the whole chain together with the wheels: stable at any
//! stiffness, at standstill and in reverse.

use super::axles::{AxleSpeed, Axles};
use super::control::{Asked, Control};
use super::energy::{Energy, Flow, Mounting};
use super::engine::Engine;
use super::gearbox::{GearState, Gearbox, Geared};
use super::launch::{Launch, LaunchState, Launched, Meeting};
use super::law::{Law, Loss};
use super::{Drive, Instruments, Powertrain};
use crate::{DriverInput, Vector3, stateful};

/// Bounds of a substep (s): nothing is divided by zero.
const SUBSTEP_S: [f64; 2] = [1e-7, 0.1];
/// No shaft turns faster (rad/s).
const SPEED_MAX_RAD_S: f64 = 1e6;

/// What does not change.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// Engine or motor.
    pub engine: Engine,
    /// Between engine and gearbox.
    pub launch: Launch,
    /// Gears.
    pub gearbox: Gearbox,
    /// Who changes them.
    pub control: Control,
    /// Friction of gearbox and final drives.
    pub loss: Loss,
    /// Inertia of the output shaft with what turns with it (kg m²).
    pub output_inertia_kg_m2: f64,
    /// Final drives and differentials.
    pub axles: Axles,
    /// Where the reaction goes.
    pub mounting: Option<Mounting>,
}

/// What a restarted process needs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct State {
    /// The first step has set the speeds to those of the wheels.
    awake: bool,
    /// The engine fires.
    fires: bool,
    engine_rad_s: f64,
    input_rad_s: f64,
    gear: GearState,
    launch: LaunchState,
    asked: Asked,
}

/// What one substep leaves for its end.
#[derive(Clone, Debug, PartialEq)]
struct Substep {
    engine: Law,
    launched: Launched,
    geared: Geared,
    /// Law of the torque that reaches the axles.
    law: Law,
    output_rad_s: f64,
    /// Speeds of the axles, before and after.
    speeds: [Vec<AxleSpeed>; 2],
    slopes: Vec<f64>,
}

/// A powertrain of an engine, a launch device, a gearbox and axles.
#[derive(Clone, Debug, PartialEq)]
pub struct Train {
    parts: Parts,
    /// The driven wheels.
    coupled: Vec<usize>,
    state: State,
    substep: Substep,
    energy: Energy,
    instruments: Instruments,
    reaction: Vector3,
    reaction_time_s: f64,
}

impl Train {
    /// At rest until the first step.
    #[must_use]
    pub(super) fn new(parts: Parts) -> Self {
        let axles = parts.axles.axles.len();
        let mut coupled: Vec<usize> = parts.axles.axles.iter().flat_map(|axle| axle.wheels).collect();
        coupled.sort_unstable();
        coupled.dedup();
        Self {
            parts,
            coupled,
            state: State::default(),
            substep: Substep {
                engine: Law::default(),
                launched: Launched::default(),
                geared: Geared::default(),
                law: Law::default(),
                output_rad_s: 0.0,
                speeds: [vec![[0.0; 2]; axles], vec![[0.0; 2]; axles]],
                slopes: vec![0.0; 2 * axles],
            },
            energy: Energy::default(),
            instruments: Instruments::default(),
            reaction: Vector3::ZERO,
            reaction_time_s: 0.0,
        }
    }

    /// Where the engine's work went since the start; not part of the saved state.
    #[must_use]
    pub fn energy(&self) -> Energy {
        self.energy
    }

    /// Speed of the gearbox's input (rad/s).
    #[must_use]
    pub fn input_rad_s(&self) -> f64 {
        self.state.input_rad_s
    }

    /// A gear is going in or out.
    #[must_use]
    pub fn is_shifting(&self) -> bool {
        !self.state.gear.locked && self.parts.gearbox.progress(&self.state.gear) < 1.0
    }

    /// The first step: the shafts turn as the wheels make them, in the gear that fits.
    fn wake(&mut self, input: &DriverInput, output_rad_s: f64) {
        let parts = &self.parts;
        let gear = parts.control.first(&parts.gearbox, input, output_rad_s);
        let ratio = parts.gearbox.ratio(gear);
        let turns = ratio.unwrap_or(0.0) * output_rad_s;
        let idle = parts.engine.idle_rad_s();
        self.state = State {
            awake: true,
            fires: true,
            engine_rad_s: if matches!(parts.launch, Launch::Rigid) { turns } else { turns.max(idle) },
            input_rad_s: turns,
            gear: GearState { from: gear, to: gear, clock_s: parts.gearbox.shift_time_s, locked: ratio.is_some() },
            ..State::default()
        };
        self.state.asked.since_shift_s = f64::from(u16::MAX);
        self.state.launch.grip.locked = matches!(parts.launch, Launch::Clutch { .. }) && turns > 1.05 * idle;
    }

    /// Law of the engine at its present speed.
    #[inline]
    fn engine_law(&self, pedal_share: f64) -> Law {
        let (state, engine) = (&self.state, &self.parts.engine);
        if state.fires {
            engine.running(state.asked.throttle * pedal_share, state.engine_rad_s)
        } else {
            let free = state.asked.clutch > 0.9 || state.gear.to == 0 || !self.has_pedal();
            engine.stalled(state.engine_rad_s, free)
        }
    }

    /// The driver works the clutch.
    fn has_pedal(&self) -> bool {
        use super::launch::Operation;
        matches!(self.parts.launch, Launch::Clutch { operation: Operation::Pedal, .. })
    }

    /// Torques at the end of the substep, for the books and the display.
    #[inline]
    fn account(&self, output_rad_s: f64, before: [f64; 2], h: f64) -> Flow {
        let (parts, state, substep) = (&self.parts, &self.state, &self.substep);
        let change = [state.engine_rad_s - before[0], state.input_rad_s - before[1]];
        let output_change = output_rad_s - substep.output_rad_s;
        let engine_nm = substep.engine.after(change[0]);
        let input_inertia =
            if state.gear.locked { parts.gearbox.input_inertia_kg_m2 } else { parts.gearbox.free_inertia() };
        let inertias = [parts.engine.inertia_kg_m2, input_inertia, parts.output_inertia_kg_m2];
        let [old, new] = &substep.speeds;
        let coupled = parts.axles.coupled(old, new, &substep.slopes, h);
        Flow {
            substep_s: h,
            inertias_kg_m2: inertias,
            before_rad_s: [before[0], before[1], substep.output_rad_s],
            after_rad_s: [state.engine_rad_s, state.input_rad_s, output_rad_s],
            engine_nm,
            impeller_nm: engine_nm - inertias[0] * change[0] / h,
            turbine_nm: substep.launched.law.after(change[1]),
            gearbox_nm: substep.geared.law.after(output_change),
            axles_nm: substep.law.after(output_change),
            coupled,
        }
    }
}

impl Powertrain for Train {
    fn begin_step(&mut self, input: &DriverInput, spin_rad_s: &[f64], step_s: f64) {
        let output = self.parts.axles.output(spin_rad_s, &mut self.substep.speeds[0]);
        if !self.state.awake {
            self.wake(input, output);
        }
        let step_s = if step_s.is_finite() { step_s.clamp(0.0, 1.0) } else { 0.0 };
        let (parts, state) = (&self.parts, &mut self.state);
        state.asked.take(input, step_s);
        if let Some(gear) = parts.control.next(&parts.gearbox, &state.gear, &state.asked, output) {
            parts.gearbox.shift(&mut state.gear, gear);
            state.asked.since_shift_s = 0.0;
        }
        if state.gear.locked {
            state.input_rad_s = parts.gearbox.ratio(state.gear.to).unwrap_or(0.0) * output;
        }
        let shifting = !state.gear.locked;
        parts.launch.begin_step(&mut state.launch, state.gear.to, shifting, state.input_rad_s, step_s);
        self.reaction = Vector3::ZERO;
        self.reaction_time_s = 0.0;
    }

    fn coupled(&self) -> &[usize] {
        &self.coupled
    }

    fn torques(&mut self, spin_rad_s: &[f64], substep_s: f64, drive: &mut Drive) {
        let h = bounded(substep_s);
        let output = self.parts.axles.output(spin_rad_s, &mut self.substep.speeds[0]);
        let (clutch_share, pedal_share) = self.parts.gearbox.interruption(&self.state.gear);
        let engine = self.engine_law(pedal_share);
        let (parts, state) = (&self.parts, &mut self.state);
        if state.gear.locked {
            state.input_rad_s = parts.gearbox.ratio(state.gear.to).unwrap_or(0.0) * output;
        }
        let meeting = Meeting {
            engine,
            inertia_kg_m2: parts.engine.inertia_kg_m2,
            engine_rad_s: state.engine_rad_s,
            input_rad_s: state.input_rad_s,
            closed: clutch_share * (1.0 - state.asked.clutch),
            substep_s: h,
        };
        let launched = parts.launch.pass(&mut state.launch, &meeting);
        let geared = parts.gearbox.pass(&state.gear, launched.law, state.input_rad_s, output, h);
        let mut law = parts.loss.pass(geared.law, output);
        law.slope += parts.output_inertia_kg_m2 / h;
        let substep = &mut self.substep;
        parts.axles.apply(&law, &substep.speeds[0], drive, &mut substep.slopes);
        (substep.engine, substep.launched, substep.geared) = (engine, launched, geared);
        (substep.law, substep.output_rad_s) = (law, output);
    }

    fn advance(&mut self, spin_rad_s: &[f64], substep_s: f64) {
        let h = bounded(substep_s);
        let output = self.parts.axles.output(spin_rad_s, &mut self.substep.speeds[1]);
        let before = [self.state.engine_rad_s, self.state.input_rad_s];
        let (state, substep) = (&mut self.state, &self.substep);
        let input_change = substep.geared.t0 + substep.geared.t1 * (output - substep.output_rad_s);
        let engine_change = substep.launched.e0 + substep.launched.e1 * input_change;
        state.input_rad_s = (before[1] + input_change).clamp(-SPEED_MAX_RAD_S, SPEED_MAX_RAD_S);
        state.engine_rad_s = (before[0] + engine_change).clamp(-SPEED_MAX_RAD_S, SPEED_MAX_RAD_S);
        let flow = self.account(output, before, h);
        self.energy.add(&flow);
        self.set_instruments(flow.engine_nm);
        if let Some(mounting) = &self.parts.mounting {
            self.reaction += mounting.reaction(&flow, &self.parts.axles) * h;
            self.reaction_time_s += h;
        }
        let (parts, state) = (&self.parts, &mut self.state);
        let slip = state.engine_rad_s - state.input_rad_s;
        parts.launch.advance(&mut state.launch, &self.substep.launched, slip, flow.turbine_nm);
        parts.gearbox.advance(&mut state.gear, state.input_rad_s, output, h);
        state.fires = parts.engine.fires(state.fires, state.engine_rad_s);
    }

    fn body_torque_nm(&self) -> Vector3 {
        if self.reaction_time_s > 0.0 { self.reaction * (1.0 / self.reaction_time_s) } else { Vector3::ZERO }
    }

    fn instruments(&self) -> Instruments {
        self.instruments
    }
}

impl Train {
    fn set_instruments(&mut self, engine_torque_nm: f64) {
        self.instruments = Instruments {
            engine_speed_rad_s: self.state.engine_rad_s,
            engine_torque_nm,
            gear: self.state.gear.to,
            engine_power_w: engine_torque_nm * self.state.engine_rad_s,
        };
    }
}

#[inline]
fn bounded(substep_s: f64) -> f64 {
    if substep_s.is_nan() { SUBSTEP_S[0] } else { substep_s.clamp(SUBSTEP_S[0], SUBSTEP_S[1]) }
}

stateful!(Train, |it| it.state, it.instruments.engine_torque_nm; it.set_instruments(it.instruments.engine_torque_nm));
stateful! {
    State, |it|
    it.awake, it.fires, it.engine_rad_s, it.input_rad_s, it.gear.from, it.gear.to, it.gear.clock_s, it.gear.locked,
    it.launch.grip.locked, it.launch.grip.torque_nm, it.launch.lock_up, it.launch.lock_up_wanted,
    it.asked.since_shift_s
}
