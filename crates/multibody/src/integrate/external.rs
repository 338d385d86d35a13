//! External forces that are held during a step.
//!
//! Forces that a caller adds to the workspace before a step ([`Workspace::add_force`],
//! [`Workspace::add_joint_force`]) act during the whole step. Methods with several evaluations add
//! them again in each: a wrench keeps its components at the pole, which moves with the base.

use crate::dynamics::{Status, Workspace, accelerate, forward};
use crate::forces::Tyre;
use crate::math::Force;
use crate::model::Model;
use crate::state::{Inputs, State};

/// External forces by slot and by velocity coordinate.
#[derive(Clone, Debug)]
pub(super) struct ExternalForces {
    force: Vec<Force>,
    joint_force: Vec<f64>,
}

impl ExternalForces {
    pub(super) fn new(model: &Model) -> Self {
        Self { force: vec![Force::ZERO; model.bodies.len()], joint_force: vec![0.0; model.velocity_count()] }
    }

    /// Copies what a caller has added.
    pub(super) fn take(&mut self, workspace: &Workspace) {
        self.force.copy_from_slice(&workspace.force);
        self.joint_force.copy_from_slice(&workspace.joint_force);
    }

    fn add_to(&self, workspace: &mut Workspace) {
        for (to, held) in workspace.force.iter_mut().zip(&self.force) {
            *to += *held;
        }
        for (to, held) in workspace.joint_force.iter_mut().zip(&self.joint_force) {
            *to += held;
        }
    }
}

/// A whole evaluation within a step.
pub(super) fn evaluate_held(
    model: &Model,
    state: &mut State,
    inputs: &Inputs,
    tyre: &mut impl Tyre,
    external: &ExternalForces,
    workspace: &mut Workspace,
) -> Status {
    let status = forward(model, state, inputs, workspace);
    external.add_to(workspace);
    accelerate(model, state, inputs, tyre, workspace);
    status
}
