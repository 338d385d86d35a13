//! A group of branches with its own state and workspace, so that a thread shares nothing while it works.

use super::branches::{Span, clusters};
use crate::dynamics::{Status, Workspace, backward_task, bias_task, forward_task, outward_task};
use crate::math::{Force, Inertia};
use crate::model::{Model, Task};
use crate::state::{Inputs, State};

/// The passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Forward,
    Backward,
    Outward,
}

/// What a task adds to a body of the trunk.
#[derive(Clone, Debug)]
struct Share {
    /// Place of the task in the schedule.
    task: usize,
    parent: usize,
    inertia: Inertia,
    force: Force,
}

/// A group of branches.
#[derive(Clone, Debug)]
pub(super) struct Replica {
    /// Places in the schedule and tasks, in forward order.
    tasks: Vec<(usize, Task)>,
    spans: Vec<Span>,
    trunk: Vec<usize>,
    state: State,
    inputs: Inputs,
    workspace: Workspace,
    /// In backward order.
    shares: Vec<Share>,
    status: Status,
}

impl Replica {
    pub(super) fn new(
        model: &Model,
        workspace: &Workspace,
        trunk: &[usize],
        tasks: Vec<(usize, Task)>,
    ) -> Self {
        let list = tasks.iter().flat_map(|(_, task)| clusters(model, *task));
        let spans = list.map(|cluster| Span::new(model, cluster)).collect();
        let mut shares = Vec::new();
        for (number, task) in tasks.iter().rev() {
            let mut parents: Vec<usize> = clusters(model, *task)
                .iter()
                .map(|it| parent(model, *task, it))
                .collect();
            parents.dedup();
            parents.retain(|slot| trunk.contains(slot));
            shares.extend(parents.into_iter().map(|parent| Share {
                task: *number,
                parent,
                inertia: Inertia::ZERO,
                force: Force::ZERO,
            }));
        }
        Self {
            tasks,
            spans,
            trunk: trunk.to_vec(),
            state: State::new(model),
            inputs: Inputs::new(model),
            workspace: workspace.clone(),
            shares,
            status: Status::default(),
        }
    }

    /// What a phase needs from the whole.
    pub(super) fn take(&mut self, phase: Phase, state: &State, inputs: &Inputs, from: &Workspace) {
        match phase {
            Phase::Forward => self.take_motion(state, inputs, from),
            Phase::Backward => {
                for span in &self.spans {
                    let to = &mut self.workspace;
                    to.force[span.bodies.clone()].copy_from_slice(&from.force[span.bodies.clone()]);
                    to.joint_force[span.velocities.clone()]
                        .copy_from_slice(&from.joint_force[span.velocities.clone()]);
                }
            }
            Phase::Outward => {
                for slot in &self.trunk {
                    self.workspace.free_acceleration[*slot] = from.free_acceleration[*slot];
                }
            }
        }
    }

    fn take_motion(&mut self, state: &State, inputs: &Inputs, from: &Workspace) {
        let to = &mut self.workspace;
        (to.pole, to.hold_partition) = (from.pole, from.hold_partition);
        for slot in &self.trunk {
            to.frame[*slot] = from.frame[*slot];
        }
        self.inputs.driven.copy_from_slice(&inputs.driven);
        for span in &self.spans {
            copy_state(span, state, &mut self.state);
        }
    }

    /// Does a phase.
    pub(super) fn run(&mut self, phase: Phase, model: &Model) {
        let mut lanes = std::mem::take(&mut self.workspace.lanes);
        let (state, workspace) = (&mut self.state, &mut self.workspace);
        match phase {
            Phase::Forward => {
                self.status = Status::default();
                for (_, task) in &self.tasks {
                    let one = forward_task(model, *task, &mut lanes, state, &self.inputs, workspace);
                    self.status = self.status.worst(one.unwrap_or_default());
                }
            }
            Phase::Backward => {
                for (_, task) in &self.tasks {
                    bias_task(model, *task, &lanes, workspace);
                }
                let mut shares = self.shares.as_mut_slice();
                for (number, task) in self.tasks.iter().rev() {
                    let count = shares.iter().take_while(|it| it.task == *number).count();
                    let (mine, rest) = shares.split_at_mut(count);
                    // −0 is what changes nothing when it is added to, not even a sign.
                    for share in mine.iter() {
                        workspace.inertia[share.parent] = Inertia::NEGATIVE_ZERO;
                        workspace.force[share.parent] = -Force::ZERO;
                    }
                    backward_task(model, *task, &mut lanes, state, workspace);
                    for share in mine {
                        share.inertia = workspace.inertia[share.parent];
                        share.force = workspace.force[share.parent];
                    }
                    shares = rest;
                }
            }
            Phase::Outward => {
                for (_, task) in &self.tasks {
                    outward_task(model, *task, &lanes, state, workspace);
                }
            }
        }
        self.workspace.lanes = lanes;
    }

    /// Puts the results of a forward or outward pass where the whole has them.
    pub(super) fn give(&self, phase: Phase, state: &mut State, to: &mut Workspace) -> Status {
        let from = &self.workspace;
        for span in &self.spans {
            let (bodies, velocities) = (span.bodies.clone(), span.velocities.clone());
            if phase == Phase::Outward {
                to.free_acceleration[bodies.clone()].copy_from_slice(&from.free_acceleration[bodies]);
                to.acceleration[velocities.clone()].copy_from_slice(&from.acceleration[velocities]);
                continue;
            }
            copy_state(span, &self.state, state);
            to.frame[bodies.clone()].copy_from_slice(&from.frame[bodies.clone()]);
            to.spin[bodies.clone()].copy_from_slice(&from.spin[bodies]);
            to.axis[velocities.clone()].copy_from_slice(&from.axis[velocities]);
            to.violation[span.rows.clone()].copy_from_slice(&from.violation[span.rows.clone()]);
        }
        self.status
    }

    /// Adds what a task of this group shows to the trunk.
    pub(super) fn add_share(&self, number: usize, to: &mut Workspace) {
        for share in self.shares.iter().filter(|it| it.task == number) {
            to.inertia[share.parent] += &share.inertia;
            to.force[share.parent] += share.force;
        }
    }
}

/// The slot that takes what a task shows: rotors give to the body that they turn on.
fn parent(model: &Model, task: Task, cluster: &crate::model::Cluster) -> usize {
    match task {
        Task::RotorOne(_) | Task::RotorTwo(_) => model.bodies[cluster.bodies.start].parent,
        _ => cluster.parent,
    }
}

fn copy_state(span: &Span, from: &State, to: &mut State) {
    let (positions, velocities) = (span.positions.clone(), span.velocities.clone());
    to.position[positions.clone()].copy_from_slice(&from.position[positions]);
    to.velocity[velocities.clone()].copy_from_slice(&from.velocity[velocities]);
    let (from, to) = (&from.partitions[span.cluster], &mut to.partitions[span.cluster]);
    to.columns.copy_from_slice(&from.columns);
    to.rows.copy_from_slice(&from.rows);
    (to.rank, to.growth) = (from.rank, from.growth);
}
