//! A system of differential equations as a plant: guarded inputs, substeps, limits, a state that
//! can be published and restored; and simulated time without drift.
//!
//! Adding 0.1 a million times is wrong by 10⁻⁶ s and more; 0.1 · 1 000 000 is not. So time is a
//! count of steps since an origin: t = t_0 + k·h, and the origin moves only when the step length
//! changes.

use super::{Method, Moment, System, Workspace};
use crate::description::{self, Description, Range, ValueError};
use crate::plant::{Plant, RestoreError, accept, check_state};
use crate::status::StepStatus;

/// A [`System`] stepped by a [`Method`].
#[derive(Clone, Debug)]
pub struct OdePlant<S> {
    // the model: never changes after building
    system: S,
    method: Method,
    substeps: u32,
    description: Description,
    // the state: integrated quantities, then the inputs applied last
    state: Vec<f64>,
    clock: StepClock,
    // the workspace
    before: Vec<f64>,
    workspace: Workspace,
}

impl<S: System> OdePlant<S> {
    /// A plant in its initial state. Each step is divided into `substeps` steps of the method (at
    /// least one).
    pub fn new(system: S, method: Method, substeps: u32) -> Self {
        let description = system.describe();
        let integrated_count = description.states.len();
        let state_count = integrated_count + description.inputs.len();
        let mut plant = OdePlant {
            system,
            method,
            substeps: substeps.max(1),
            description,
            state: vec![0.0; state_count],
            clock: StepClock::starting_at(0.0),
            before: vec![0.0; integrated_count],
            workspace: Workspace::new(integrated_count),
        };
        plant.reset();
        plant
    }

    /// Changes one initial value and resets the plant.
    pub fn set_initial(&mut self, name: &str, value: f64) -> Result<(), ValueError> {
        description::set(&mut self.description.states, "a state of the plant", name, value)?;
        self.reset();
        Ok(())
    }

    /// Integrates over the whole step; says whether a limit was met.
    fn integrate(&mut self, step_s: f64) -> bool {
        let (state, inputs) = self.state.split_at_mut(self.before.len());
        let substep_s = step_s / f64::from(self.substeps);
        let start_s = self.clock.time_s();
        let mut limited = false;
        for substep in 0..self.substeps {
            let time_s = start_s + f64::from(substep) * substep_s;
            let moment = Moment { time_s, step_s: substep_s, inputs };
            self.method.step(&self.system, moment, state, &mut self.workspace);
            if self.system.limit(state) {
                self.workspace.restart();
                limited = true;
            }
        }
        limited
    }
}

impl<S: System> Plant for OdePlant<S> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn reset(&mut self) {
        let initial = self.description.states.iter().chain(&self.description.inputs);
        for (value, port) in self.state.iter_mut().zip(initial) {
            *value = port.default;
        }
        self.clock = StepClock::starting_at(0.0);
        self.workspace.restart();
    }

    fn state(&self) -> &[f64] {
        &self.state
    }

    fn restore(&mut self, time_s: f64, state: &[f64]) -> Result<(), RestoreError> {
        if !time_s.is_finite() || time_s < 0.0 {
            return Err(RestoreError::Time { value: time_s });
        }
        check_state(state, self.state.len())?;
        let ports = self.description.states.iter().chain(&self.description.inputs);
        for (index, (value, port)) in state.iter().zip(ports).enumerate() {
            let Range { min, max } = port.range;
            if !port.range.contains(*value) {
                return Err(RestoreError::OutOfRange { index, value: *value, min, max });
            }
        }
        self.state.copy_from_slice(state);
        self.clock = StepClock::starting_at(time_s);
        self.workspace.restart();
        Ok(())
    }

    fn step(&mut self, inputs: &[f64], step_s: f64) -> StepStatus {
        if !(step_s > 0.0 && (self.clock.time_s() + step_s).is_finite()) {
            return StepStatus::STEP_REJECTED;
        }
        let integrated_count = self.before.len();
        let reports = [StepStatus::INPUT_HELD, StepStatus::INPUT_CLAMPED];
        let mut status = accept(&mut self.state[integrated_count..], inputs, &self.description.inputs, reports);
        self.before.copy_from_slice(&self.state[..integrated_count]);
        if self.integrate(step_s) {
            status |= StepStatus::LIMIT_REACHED;
        }
        if self.state.iter().any(|value| !value.is_finite()) {
            self.state[..integrated_count].copy_from_slice(&self.before);
            self.workspace.restart();
            status |= StepStatus::STATE_HELD;
        }
        self.clock.advance(step_s);
        status
    }

    fn outputs(&self, outputs: &mut [f64]) {
        let (state, inputs) = self.state.split_at(self.before.len());
        self.system.outputs(state, inputs, outputs);
    }

    fn time_s(&self) -> f64 {
        self.clock.time_s()
    }
}

/// Counts steps of constant length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepClock {
    origin_s: f64,
    steps: u64,
    step_s: f64,
}

impl StepClock {
    /// A clock that shows `origin_s`.
    pub fn starting_at(origin_s: f64) -> Self {
        StepClock { origin_s, steps: 0, step_s: 0.0 }
    }

    /// The time that it shows (s).
    pub fn time_s(&self) -> f64 {
        self.origin_s + self.steps as f64 * self.step_s
    }

    /// One step on.
    pub fn advance(&mut self, step_s: f64) {
        if step_s != self.step_s {
            *self = StepClock { origin_s: self.time_s(), steps: 0, step_s };
        }
        self.steps += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_steps_do_not_drift() {
        let mut clock = StepClock::starting_at(0.0);
        (0..1_000_000).for_each(|_| clock.advance(0.1));
        assert_eq!(clock.time_s(), 0.1 * 1_000_000.0);
    }

    #[test]
    fn a_new_step_length_starts_from_the_time_reached() {
        let mut clock = StepClock::starting_at(1.0);
        clock.advance(0.25);
        clock.advance(0.5);
        clock.advance(0.5);
        assert_eq!(clock.time_s(), 2.25);
    }
}
