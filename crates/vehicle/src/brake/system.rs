//! The whole brake system: the chain of the folder for every wheel.

use super::antilock::{Channel, Controller, Valve, Watch, Watched};
use super::line::{self, Friction, Lag, LagFactors, Pedal, Split};
use super::{Brake, BrakeState};
use crate::numbers::clamped;
use crate::{WHEELS_MAX, stateful};

/// Below this pressure (bar) the brakes count as released.
const BRAKING_BAR: f64 = 1e-6;
/// A pressure this near to the demand counts as full.
const FULL: f64 = 0.999;

/// Brakes of one axle.
#[derive(Clone, Debug)]
pub(super) struct Axle {
    pub(super) wheels: usize,
    pub(super) split: Split,
    pub(super) lag: Lag,
    pub(super) friction: Friction,
    pub(super) gains: Vec<f64>,
    pub(super) parking_nm: f64,
    /// How many wheels share a valve of the anti-lock system; zero has none.
    pub(super) channel_wheels: usize,
}

/// The anti-lock system.
#[derive(Clone, Debug)]
pub(super) struct Antilock {
    pub(super) controller: Controller,
    pub(super) radius_m: f64,
    pub(super) filter_s: f64,
}

/// A brake system.
#[derive(Clone, Debug)]
pub(super) struct System {
    pub(super) pedal: Pedal,
    pub(super) axles: Vec<Axle>,
    pub(super) antilock: Option<Antilock>,
    pub(super) factors: StepFactors,
    pub(super) state: State,
}

/// Factors of the lags for a step: they change only with the step's length, and an exponential is
/// costly.
#[derive(Clone, Debug, Default)]
pub(super) struct StepFactors {
    step_s: f64,
    /// By axle.
    lags: Vec<LagFactors>,
    /// Of the anti-lock system's sensors.
    filter: f64,
}

impl StepFactors {
    pub(super) fn new(axles: &[Axle]) -> Self {
        Self { step_s: f64::NAN, lags: axles.iter().map(|axle| axle.lag.factors(0.0)).collect(), filter: 1.0 }
    }

    fn adapt(&mut self, step_s: f64, axles: &[Axle], antilock: Option<&Antilock>) {
        if self.step_s == step_s {
            return;
        }
        self.step_s = step_s;
        for (lag, axle) in self.lags.iter_mut().zip(axles) {
            *lag = axle.lag.factors(step_s);
        }
        self.filter = line::part(antilock.map_or(0.0, |it| it.filter_s), step_s);
    }
}

/// What a brake system remembers.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    wheels: usize,
    pressure_bar: [f64; WHEELS_MAX],
    phase: [u8; WHEELS_MAX],
    watch: [Watch; WHEELS_MAX],
    taken: f64,
    parking: f64,
}

/// What is the same for all wheels of an axle during a step.
struct Demand<'a> {
    goal_bar: f64,
    lag: LagFactors,
    input: &'a BrakeState<'a>,
    filter: f64,
}

impl Brake for System {
    fn capacities(&mut self, state: &BrakeState<'_>, capacity_nm: &mut [f64]) {
        let line_bar = self.pedal.line_bar(state.input);
        self.factors.adapt(state.step_s, &self.axles, self.antilock.as_ref());
        self.state.taken = 0.0;
        let mut first = 0;
        for (axle, lag) in self.axles.iter().zip(&self.factors.lags) {
            let demand = Demand {
                goal_bar: axle.split.axle_bar(line_bar),
                lag: *lag,
                input: state,
                filter: self.factors.filter,
            };
            self.state.press(axle, self.antilock.as_ref(), first, &demand);
            self.state.hold(axle, first, capacity_nm);
            first += axle.wheels;
        }
    }

    fn antilock(&self) -> f64 {
        self.state.taken
    }

    fn set_parking(&mut self, applied: f64) {
        self.state.parking = clamped(applied, 1.0);
    }
}

impl State {
    pub(super) fn new(wheels: usize) -> Self {
        Self { wheels, ..Self::default() }
    }

    /// Pressures of an axle at the end of the step.
    fn press(&mut self, axle: &Axle, antilock: Option<&Antilock>, first: usize, demand: &Demand<'_>) {
        match antilock {
            Some(antilock) if axle.channel_wheels > 0 => {
                for start in (first..first + axle.wheels).step_by(axle.channel_wheels) {
                    self.modulate(antilock, start, axle.channel_wheels, demand);
                }
            }
            _ => self.apply(first, axle.wheels, demand, Valve::Follow),
        }
    }

    /// One channel: looks, decides, moves the valve.
    fn modulate(&mut self, antilock: &Antilock, start: usize, count: usize, demand: &Demand<'_>) {
        let channel = self.look(antilock, start, count, demand);
        let (phase, valve) = antilock.controller.command(self.phase[start], &channel);
        self.phase[start] = phase;
        self.apply(start, count, demand, valve);
        if valve != Valve::Follow {
            let part = self.pressure_bar[start] / demand.goal_bar;
            self.taken = self.taken.max(clamped(1.0 - part, 1.0));
        }
    }

    /// The worst of the channel's wheels.
    fn look(&mut self, antilock: &Antilock, start: usize, count: usize, demand: &Demand<'_>) -> Channel {
        let mut channel = Channel {
            slip: f64::NEG_INFINITY,
            acceleration_m_s2: f64::INFINITY,
            speed_m_s: 0.0,
            is_full: self.pressure_bar[start] >= FULL * demand.goal_bar,
            is_braking: demand.goal_bar > BRAKING_BAR,
        };
        for wheel in start..start + count {
            let seen = self.see(wheel, demand);
            let acceleration = antilock.radius_m * seen.acceleration_rad_s2;
            channel.slip = channel.slip.max(seen.slip);
            channel.acceleration_m_s2 = channel.acceleration_m_s2.min(acceleration);
            channel.speed_m_s = channel.speed_m_s.max(antilock.radius_m * seen.free_spin_rad_s);
        }
        channel
    }

    fn see(&mut self, wheel: usize, demand: &Demand<'_>) -> Watched {
        let input = demand.input;
        let spin = input.spin_rad_s.get(wheel).copied().unwrap_or(0.0);
        let free = input.free_spin_rad_s.get(wheel).copied().unwrap_or(0.0);
        self.watch[wheel].observe(spin, free, input.step_s, demand.filter)
    }

    /// Eq. (3) of the anti-lock folder.
    fn apply(&mut self, start: usize, count: usize, demand: &Demand<'_>, valve: Valve) {
        let step_s = demand.input.step_s;
        for pressure in &mut self.pressure_bar[start..start + count] {
            let open = demand.lag.follow(*pressure, demand.goal_bar);
            *pressure = match valve {
                Valve::Follow => open,
                Valve::Cut { part } => demand.lag.follow(*pressure, part * demand.goal_bar),
                Valve::Hold => open.min(*pressure),
                Valve::Dump { rate_bar_s } => open.min((*pressure - rate_bar_s * step_s).max(0.0)),
                Valve::Build { rate_bar_s } => open.min(*pressure + rate_bar_s * step_s),
            };
        }
    }

    /// Capacities of an axle; the parking brake works on the same discs, so the larger of the two
    /// holds.
    fn hold(&self, axle: &Axle, first: usize, capacity_nm: &mut [f64]) {
        for (index, gain) in axle.gains.iter().enumerate() {
            let wheel = first + index;
            if let Some(capacity) = capacity_nm.get_mut(wheel) {
                let service = gain * axle.friction.torque_nm(self.pressure_bar[wheel]);
                *capacity = service.max(self.parking * axle.parking_nm);
            }
        }
    }
}

stateful! {
    System, |it|
    it.state.taken, it.state.parking, it.state.pressure_bar[..it.state.wheels], it.state.phase[..it.state.wheels],
    it.state.watch[..it.state.wheels]
}
