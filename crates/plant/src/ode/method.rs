//! The integration methods with a constant step, and the room they need.
//!
//! | name | order | evaluations of f per step | |
//! | --- | --- | --- | --- |
//! | `euler` | 1 | 1 | the method of RTSDS (Eq. 9) |
//! | `heun` | 2 | 2 | |
//! | `rk4` | 4 | 4 | |
//! | `adams-bashforth-2` | 2 | 1 | started by one step of `rk4` |
//! | `adams-bashforth-3` | 3 | 1 | started by two steps of `rk4` |
//!
//! The inputs are constant during a step. The one-step methods therefore solve exactly the
//! sampled-input problem, whatever the inputs do from step to step. The Adams–Bashforth methods
//! also use the slopes of earlier steps, with the inputs of those steps: for inputs that vary
//! smoothly they keep their order and cost one evaluation; a jump of an input costs one error of
//! the first order. Their history starts again when the step length changes, when a limit moved the
//! state and when a state was restored.

use super::System;
use super::{adams_bashforth, runge_kutta};
use std::fmt;
use std::str::FromStr;

/// A method that advances a state by one step of constant length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Explicit Euler.
    Euler,
    /// Heun's method, a Runge–Kutta method of order 2.
    Heun,
    /// The classical Runge–Kutta method of order 4.
    Rk4,
    /// Adams–Bashforth of order 2.
    AdamsBashforth2,
    /// Adams–Bashforth of order 3.
    AdamsBashforth3,
}

/// When a step starts, how long it is, and the inputs that hold during it.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The time at the start of the step (s).
    pub time_s: f64,
    /// The length of the step (s).
    pub step_s: f64,
    /// The inputs, constant during the step.
    pub inputs: &'a [f64],
}

/// Scratch memory of the stages, and the slopes of earlier steps. Allocated once.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// Slopes of the stages of the current step.
    pub(super) slopes: [Vec<f64>; 4],
    /// The state at which a stage is evaluated.
    pub(super) probe: Vec<f64>,
    /// Slopes of earlier steps, the latest first.
    pub(super) past: [Vec<f64>; 2],
    /// How many of `past` are valid.
    pub(super) past_count: usize,
    /// The step length to which they belong (s).
    pub(super) past_step_s: f64,
}

impl Workspace {
    /// Room for a state of this length.
    pub fn new(state_count: usize) -> Self {
        let zeros = || vec![0.0; state_count];
        Workspace {
            slopes: [zeros(), zeros(), zeros(), zeros()],
            probe: zeros(),
            past: [zeros(), zeros()],
            past_count: 0,
            past_step_s: 0.0,
        }
    }

    /// Forgets the slopes of earlier steps: the state did not come from them.
    pub fn restart(&mut self) {
        self.past_count = 0;
    }
}

impl Method {
    /// Every method with its name in scenario files.
    pub const NAMES: [(&'static str, Method); 5] = [
        ("euler", Method::Euler),
        ("heun", Method::Heun),
        ("rk4", Method::Rk4),
        ("adams-bashforth-2", Method::AdamsBashforth2),
        ("adams-bashforth-3", Method::AdamsBashforth3),
    ];

    /// Every method.
    pub fn all() -> impl Iterator<Item = Method> {
        Self::NAMES.into_iter().map(|(_, method)| method)
    }

    /// The name in scenario files.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, method)| *method == self).map_or("", |(name, _)| name)
    }

    /// The order p: halving the step divides the error by 2^p.
    pub fn order(self) -> u32 {
        match self {
            Method::Euler => 1,
            Method::Heun | Method::AdamsBashforth2 => 2,
            Method::AdamsBashforth3 => 3,
            Method::Rk4 => 4,
        }
    }

    /// Whether the method needs nothing but the state, so that a restored state continues with the
    /// same bits.
    pub fn is_one_step(self) -> bool {
        matches!(self, Method::Euler | Method::Heun | Method::Rk4)
    }

    /// Advances the state by one step. Limits are not applied here.
    pub fn step<S: System + ?Sized>(
        self,
        system: &S,
        moment: Moment<'_>,
        state: &mut [f64],
        workspace: &mut Workspace,
    ) {
        match self {
            Method::Euler => runge_kutta::euler(system, moment, state, workspace),
            Method::Heun => runge_kutta::heun(system, moment, state, workspace),
            Method::Rk4 => runge_kutta::rk4(system, moment, state, workspace),
            Method::AdamsBashforth2 => adams_bashforth::step::<S, 1>(system, moment, state, workspace),
            Method::AdamsBashforth3 => adams_bashforth::step::<S, 2>(system, moment, state, workspace),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, method)| *method);
        let expected = "euler, heun, rk4, adams-bashforth-2 or adams-bashforth-3";
        found.ok_or_else(|| format!("`{name}` is not an integrator; expected {expected}"))
    }
}
