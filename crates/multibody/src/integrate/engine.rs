//! Who does the passes, and the forces that come from outside.
//!
//! Forces that a caller adds to the workspace before a step ([`Workspace::add_force`], [`Workspace::add_joint_force`]) act during the
//! whole step. Methods with several evaluations add them again in each: a wrench keeps its components at the pole, which goes
//! along with the base.

use crate::dynamics::{Status, Workspace, apply_forces, backward, forward, outward};
use crate::forces::Tyre;
use crate::math::Force;
use crate::model::Model;
use crate::parallel::Pool;
use crate::state::{Inputs, State};

/// One thread or several.
pub(super) enum Engine<'a> {
    Serial,
    Parallel(&'a mut Pool),
}

/// Forces from outside.
#[derive(Clone, Debug)]
pub(super) struct Held {
    force: Vec<Force>,
    joint_force: Vec<f64>,
}

impl Held {
    pub(super) fn new(model: &Model) -> Self {
        Self {
            force: vec![Force::ZERO; model.bodies.len()],
            joint_force: vec![0.0; model.velocity_count()],
        }
    }

    /// Remembers what a caller has added.
    pub(super) fn take(&mut self, workspace: &Workspace) {
        self.force.copy_from_slice(&workspace.force);
        self.joint_force.copy_from_slice(&workspace.joint_force);
    }

    fn give(&self, workspace: &mut Workspace) {
        for (to, held) in workspace.force.iter_mut().zip(&self.force) {
            *to += *held;
        }
        for (to, held) in workspace.joint_force.iter_mut().zip(&self.joint_force) {
            *to += held;
        }
    }
}

impl Engine<'_> {
    pub(super) fn forward(
        &mut self,
        model: &Model,
        state: &mut State,
        inputs: &Inputs,
        workspace: &mut Workspace,
    ) -> Status {
        match self {
            Self::Serial => forward(model, state, inputs, workspace),
            Self::Parallel(pool) => pool.forward(model, state, inputs, workspace),
        }
    }

    /// Forces and accelerations after a forward pass.
    pub(super) fn accelerate(
        &mut self,
        model: &Model,
        state: &mut State,
        inputs: &Inputs,
        tyre: &mut impl Tyre,
        workspace: &mut Workspace,
    ) {
        apply_forces(model, state, inputs, tyre, workspace);
        match self {
            Self::Serial => {
                backward(model, state, workspace);
                outward(model, state, workspace);
            }
            Self::Parallel(pool) => {
                pool.backward(model, state, inputs, workspace);
                pool.outward(model, state, inputs, workspace);
            }
        }
    }

    /// A whole evaluation within a step.
    pub(super) fn evaluate(
        &mut self,
        model: &Model,
        state: &mut State,
        inputs: &Inputs,
        tyre: &mut impl Tyre,
        held: &Held,
        workspace: &mut Workspace,
    ) -> Status {
        let status = self.forward(model, state, inputs, workspace);
        held.give(workspace);
        self.accelerate(model, state, inputs, tyre, workspace);
        status
    }
}
