//! External forces that are held during a step.
//!
//! Forces that a caller adds to the workspace before a step ([`Workspace::add_force`],
//! [`Workspace::add_joint_force`]) act during the whole step. Methods with several evaluations add
//! them again in each: a wrench keeps its components at the pole, which moves with the base.

use crate::dynamics::Workspace;
use crate::math::Force;
use crate::model::Model;

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

    pub(super) fn add(&self, workspace: &mut Workspace) {
        for (to, held) in workspace.force.iter_mut().zip(&self.force) {
            *to += *held;
        }
        for (to, held) in workspace.joint_force.iter_mut().zip(&self.joint_force) {
            *to += held;
        }
    }
}
