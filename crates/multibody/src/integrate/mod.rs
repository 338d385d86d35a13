//! Constant-step integrators.
//!
//! All coordinates and velocities are carried forward; the forward pass then closes the loops by
//! moving the dependent ones, so the independent ones alone decide the motion and nothing drifts. A
//! step begins with the workspace as the last forward pass left it: positions and velocities are
//! there to be read, forces from outside may be added, then the step finds the accelerations, moves
//! on and closes the loops:
//! ```text
//! forces → backward → outward → advance → forward
//! ```
//! Orientation is integrated in the chart of rotation vectors about the present orientation (see
//! [`crate::math::rotation_rate`]), to which the rates of earlier steps are carried over, so that
//! each method keeps its order.

mod adams;
mod external;
mod runge_kutta;
mod stiff;
mod tangent;

use crate::dynamics::{Status, Workspace, accelerate, forward};
use crate::forces::Tyre;
use crate::model::Model;
use crate::state::{Drive, Inputs, State};
use external::ExternalForces;

/// How to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Adams–Bashforth of order three: the default.
    AdamsBashforth3,
    /// Adams–Bashforth of order two.
    AdamsBashforth2,
    /// Velocity first, then position with the new velocity: order one.
    SemiImplicitEuler,
    /// The classical Runge–Kutta method of order four.
    RungeKutta4,
    /// A linearly implicit two-stage method of order two for stiff models.
    Rosenbrock2,
}

impl Method {
    /// All methods with their names.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("ab3", Self::AdamsBashforth3),
        ("ab2", Self::AdamsBashforth2),
        ("euler", Self::SemiImplicitEuler),
        ("rk4", Self::RungeKutta4),
        ("rosenbrock", Self::Rosenbrock2),
    ];

    /// Order of convergence.
    pub const fn order(self) -> u32 {
        match self {
            Self::SemiImplicitEuler => 1,
            Self::AdamsBashforth2 | Self::Rosenbrock2 => 2,
            Self::AdamsBashforth3 => 3,
            Self::RungeKutta4 => 4,
        }
    }
}

/// A method with its step and its memory of earlier steps.
#[derive(Clone, Debug)]
pub struct Integrator {
    method: Method,
    step: f64,
    history: adams::History,
    stages: runge_kutta::Stages,
    stiff: stiff::Linear,
    driven: Vec<Drive>,
    between: Inputs,
    external: ExternalForces,
}

/// What one step works with.
struct Work<'a, T> {
    model: &'a Model,
    state: &'a mut State,
    inputs: &'a Inputs,
    tyre: &'a mut T,
    workspace: &'a mut Workspace,
}

impl<T: Tyre> Work<'_, T> {
    fn forward(&mut self) -> Status {
        forward(self.model, self.state, self.inputs, self.workspace)
    }

    /// As [`crate::dynamics::evaluate`] under forces from outside.
    fn evaluate(&mut self, inputs: &Inputs, external: &ExternalForces) -> Status {
        let status = forward(self.model, self.state, inputs, self.workspace);
        external.add(self.workspace);
        accelerate(self.model, self.state, inputs, self.tyre, self.workspace);
        status
    }
}

impl Integrator {
    /// Memory for a model.
    pub fn new(model: &Model, method: Method, step: f64) -> Self {
        let inputs = Inputs::new(model);
        Self {
            method,
            step,
            history: adams::History::new(model),
            stages: runge_kutta::Stages::new(model),
            stiff: stiff::Linear::new(model, method == Method::Rosenbrock2),
            driven: inputs.driven.clone(),
            between: inputs,
            external: ExternalForces::new(model),
        }
    }

    /// `s`
    pub fn step_size(&self) -> f64 {
        self.step
    }

    /// The forward pass before the first step, and after the state was changed from outside. Also
    /// forgets earlier steps: call it after a jump in the forces.
    pub fn start(&mut self, model: &Model, state: &mut State, inputs: &Inputs, workspace: &mut Workspace) -> Status {
        self.history.forget();
        self.driven.copy_from_slice(&inputs.driven);
        forward(model, state, inputs, workspace)
    }

    /// One step. Driven joints of `inputs` are those at its end, actuators are held. Forces that
    /// were added to the workspace from outside ([`Workspace::add_force`]) are held as well: a
    /// method with several evaluations counts them in each, with the components that they have at
    /// the pole.
    pub fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        inputs: &Inputs,
        tyre: &mut impl Tyre,
        workspace: &mut Workspace,
    ) -> Status {
        if self.evaluates_again() {
            self.external.take(workspace);
        }
        accelerate(model, state, inputs, tyre, workspace);
        let mut work = Work { model, state, inputs, tyre, workspace };
        let status = match self.method {
            Method::AdamsBashforth3 => self.adams(3, &mut work),
            Method::AdamsBashforth2 => self.adams(2, &mut work),
            Method::SemiImplicitEuler => self.semi_implicit(&mut work),
            Method::RungeKutta4 => self.runge_kutta(&mut work),
            Method::Rosenbrock2 => self.rosenbrock(&mut work),
        };
        self.driven.copy_from_slice(&inputs.driven);
        status
    }

    /// Whether the next step has more than one evaluation.
    fn evaluates_again(&self) -> bool {
        match self.method {
            Method::AdamsBashforth3 => self.history.len() < 2,
            Method::AdamsBashforth2 => self.history.len() < 1,
            Method::SemiImplicitEuler => false,
            Method::RungeKutta4 | Method::Rosenbrock2 => true,
        }
    }

    fn adams(&mut self, order: usize, work: &mut Work<'_, impl Tyre>) -> Status {
        self.history.push(work.state, &work.workspace.acceleration);
        if self.history.len() < order {
            return self.runge_kutta(work);
        }
        self.history.advance(order, self.step, work.state);
        work.state.time += self.step;
        work.forward()
    }

    fn semi_implicit(&mut self, work: &mut Work<'_, impl Tyre>) -> Status {
        for (velocity, acceleration) in work.state.velocity.iter_mut().zip(&work.workspace.acceleration) {
            *velocity += self.step * acceleration;
        }
        tangent::advance(work.model, &mut work.state.position, &work.state.velocity, self.step);
        work.state.time += self.step;
        work.forward()
    }

    /// Driven coordinates in the middle of a step: the quintic polynomial that fits both ends.
    fn drive_between(&mut self, next: &Inputs) {
        let h = self.step;
        self.between.actuators.copy_from_slice(&next.actuators);
        for (middle, (from, to)) in self.between.driven.iter_mut().zip(self.driven.iter().zip(&next.driven)) {
            let ([x0, v0, a0], [x1, v1, a1]) = (*from, *to);
            *middle = [
                0.5 * (x0 + x1) + 5.0 / 32.0 * h * (v0 - v1) + h * h / 64.0 * (a0 + a1),
                15.0 / 8.0 * (x1 - x0) / h - 7.0 / 16.0 * (v0 + v1) + h / 32.0 * (a1 - a0),
                1.5 * (v1 - v0) / h - 0.25 * (a0 + a1),
            ];
        }
    }
}
