//! The classical Runge–Kutta method of order four, in the chart of the step's beginning.

use super::tangent::{advance, at};
use super::{Integrator, Work};
use crate::dynamics::{Status, quaternion};
use crate::forces::Tyre;
use crate::math::rotation_rate;
use crate::model::{Model, PrimitiveKind};
use crate::state::State;

/// Beginning of the step, rates of a stage and their weighted sum.
#[derive(Clone, Debug)]
pub(super) struct Stages {
    pub(super) position: Vec<f64>,
    pub(super) velocity: Vec<f64>,
    rate: Vec<f64>,
    change: Vec<f64>,
    slope: Vec<f64>,
}

impl Stages {
    pub(super) fn new(model: &Model) -> Self {
        let zeros = vec![0.0; model.velocity_count()];
        Self {
            position: vec![0.0; model.position_count()],
            velocity: zeros.clone(),
            rate: zeros.clone(),
            change: zeros.clone(),
            slope: zeros,
        }
    }

    pub(super) fn begin(&mut self, state: &State) {
        self.position.copy_from_slice(&state.position);
        self.velocity.copy_from_slice(&state.velocity);
        self.change.fill(0.0);
        self.slope.fill(0.0);
    }

    /// Rates at a stage, in the chart of the beginning, added with their weight.
    fn add(&mut self, model: &Model, state: &State, acceleration: &[f64], weight: f64) {
        self.rate.copy_from_slice(&state.velocity);
        for primitive in &model.primitives {
            if primitive.kind == PrimitiveKind::Ball {
                let (place, column) = (primitive.position, primitive.velocity);
                let back = quaternion(&self.position, place).conjugate();
                let u = (back * quaternion(&state.position, place)).log();
                let rate = rotation_rate(u, at(&state.velocity, column)).to_array();
                self.rate[column..column + 3].copy_from_slice(&rate);
            }
        }
        for (k, rate) in self.rate.iter().enumerate() {
            self.change[k] += weight * rate;
            self.slope[k] += weight * acceleration[k];
        }
    }

    /// The state that lies `factor` along the rates of the last stage.
    fn place(&self, model: &Model, acceleration: &[f64], factor: f64, state: &mut State) {
        state.position.copy_from_slice(&self.position);
        advance(model, &mut state.position, &self.rate, factor);
        for (k, velocity) in state.velocity.iter_mut().enumerate() {
            *velocity = self.velocity[k] + factor * acceleration[k];
        }
    }

    fn finish(&self, model: &Model, state: &mut State) {
        state.position.copy_from_slice(&self.position);
        advance(model, &mut state.position, &self.change, 1.0);
        for (k, velocity) in state.velocity.iter_mut().enumerate() {
            *velocity = self.velocity[k] + self.slope[k];
        }
    }
}

impl Integrator {
    /// A step from accelerations that are already in the workspace.
    pub(super) fn runge_kutta(&mut self, work: &mut Work<'_, impl Tyre>) -> Status {
        let (h, begin, inputs) = (self.step, work.state.time, work.inputs);
        self.drive_between(inputs);
        self.stages.begin(work.state);
        let mut status = Status::default();
        work.workspace.hold_partition = true;
        for (weight, along) in [(1.0 / 6.0, 0.5), (1.0 / 3.0, 0.5), (1.0 / 3.0, 1.0)] {
            self.stages.add(work.model, work.state, &work.workspace.acceleration, weight * h);
            self.stages.place(work.model, &work.workspace.acceleration, along * h, work.state);
            work.state.time = begin + along * h;
            let drive = if along < 1.0 { &self.between } else { inputs };
            status = status.worst(work.evaluate(drive, &self.external));
        }
        self.stages.add(work.model, work.state, &work.workspace.acceleration, h / 6.0);
        self.stages.finish(work.model, work.state);
        work.state.time = begin + h;
        work.workspace.hold_partition = false;
        status.worst(work.forward())
    }
}
