//! The passes of one task of the schedule.

use super::lanes::{self, Kernel, Lanes};
use super::{Status, Workspace, backward, base, forward};
use crate::math::{Force, Inertia, Number};
use crate::model::{Bundle, Model, Task};
use crate::state::{Inputs, State};

/// Positions, loops, velocities, biases; nothing to report where there are no loops.
#[inline]
pub(super) fn forward_task(
    model: &Model,
    task: Task,
    lanes: &mut Lanes,
    state: &mut State,
    inputs: &Inputs,
    workspace: &mut Workspace,
) -> Option<Status> {
    let schedule = &model.schedule;
    match task {
        Task::Cluster(index) => return Some(forward::general(model, index, state, inputs, workspace)),
        Task::Base(index) => base::forward(model, &model.clusters[index], state, workspace),
        Task::One(index) => {
            let (bundle, kernel) = (&schedule.ones[index], &mut lanes.ones[index]);
            return forward_bundle(model, bundle, kernel, state, inputs, workspace);
        }
        Task::Two(index) => {
            let (bundle, kernel) = (&schedule.twos[index], &mut lanes.twos[index]);
            return forward_bundle(model, bundle, kernel, state, inputs, workspace);
        }
        Task::RotorOne(index) => {
            lanes.rotor_ones[index].forward(&schedule.rotor_ones[index], state, workspace);
        }
        Task::RotorTwo(index) => {
            lanes.rotor_twos[index].forward(&schedule.rotor_twos[index], state, workspace);
        }
    }
    None
}

#[inline(always)]
fn forward_bundle<T: Number>(
    model: &Model,
    bundle: &Bundle<T>,
    kernel: &mut Kernel<T>,
    state: &mut State,
    inputs: &Inputs,
    workspace: &mut Workspace,
) -> Option<Status> {
    if bundle.height == 0 {
        lanes::forward_open(bundle, kernel, state, inputs, workspace);
        return None;
    }
    let status = lanes::forward(bundle, kernel, state, workspace);
    Some(status.unwrap_or_else(|| {
        let status = fall_back(model, &bundle.clusters[..T::LANES], state, inputs, workspace);
        lanes::prepare(bundle, kernel, state, workspace);
        status
    }))
}

/// The general pass for the clusters of a bundle, whose kernel is then prepared for the next time.
#[cold]
fn fall_back(
    model: &Model,
    clusters: &[usize],
    state: &mut State,
    inputs: &Inputs,
    workspace: &mut Workspace,
) -> Status {
    let mut status = Status::default();
    for index in clusters {
        status = status.worst(forward::general(model, *index, state, inputs, workspace));
    }
    status
}

/// Rigid inertias and bias forces of the bodies of the general passes, and zero where clusters
/// add to the others: before any backward pass.
#[inline]
pub(super) fn bias_task(model: &Model, task: Task, lanes: &Lanes, workspace: &mut Workspace) {
    let schedule = &model.schedule;
    match task {
        Task::Cluster(index) | Task::Base(index) => backward::bias_forces(model, index, workspace),
        Task::One(index) => prepare_bundle(model, &schedule.ones[index], lanes.ones[index].active, workspace),
        Task::Two(index) => prepare_bundle(model, &schedule.twos[index], lanes.twos[index].active, workspace),
        Task::RotorOne(_) | Task::RotorTwo(_) => {}
    }
}

#[inline]
fn prepare_bundle<T: Number>(model: &Model, bundle: &Bundle<T>, active: bool, workspace: &mut Workspace) {
    if active {
        for body in bundle.bodies.iter().filter(|body| body.carries) {
            for slot in &body.slots[..T::LANES] {
                workspace.inertia[*slot] = Inertia::ZERO;
            }
        }
    } else {
        for index in &bundle.clusters[..T::LANES] {
            backward::bias_forces(model, *index, workspace);
        }
    }
}

/// What the task shows to its parent: one term of the parent's sums.
#[inline]
pub(super) fn backward_task(model: &Model, task: Task, lanes: &mut Lanes, state: &State, workspace: &mut Workspace) {
    let schedule = &model.schedule;
    match task {
        Task::Cluster(index) => backward::general(model, state, index, workspace),
        Task::Base(index) => base::backward(&model.clusters[index], workspace),
        Task::One(index) if lanes.ones[index].active => {
            lanes::backward(&schedule.ones[index], &mut lanes.ones[index], workspace);
        }
        Task::One(index) => backward::general(model, state, schedule.ones[index].clusters[0], workspace),
        Task::Two(index) if lanes.twos[index].active => {
            lanes::backward(&schedule.twos[index], &mut lanes.twos[index], workspace);
        }
        Task::Two(index) => separately(model, state, schedule.twos[index].clusters, workspace),
        Task::RotorOne(index) => lanes.rotor_ones[index].backward(&schedule.rotor_ones[index], workspace),
        Task::RotorTwo(index) => lanes.rotor_twos[index].backward(&schedule.rotor_twos[index], workspace),
    }
}

/// Two clusters in the general pass. Like a pair in the kernel they add one term to their parent:
/// the sum of both.
#[cold]
fn separately(model: &Model, state: &State, clusters: [usize; 2], workspace: &mut Workspace) {
    let [parent, other] = clusters.map(|index| model.clusters[index].parent);
    let before = (parent == other).then(|| (workspace.inertia[parent], workspace.force[parent]));
    if before.is_some() {
        // −0 is what changes nothing when it is added to, not even a sign.
        workspace.inertia[parent] = Inertia::NEGATIVE_ZERO;
        workspace.force[parent] = -Force::ZERO;
    }
    for index in clusters {
        backward::general(model, state, index, workspace);
    }
    if let Some((inertia, force)) = before {
        let shown = (workspace.inertia[parent], workspace.force[parent]);
        workspace.inertia[parent] = inertia;
        workspace.inertia[parent] += &shown.0;
        workspace.force[parent] = force + shown.1;
    }
}

/// Accelerations.
#[inline]
pub(super) fn outward_task(model: &Model, task: Task, lanes: &Lanes, state: &State, workspace: &mut Workspace) {
    let schedule = &model.schedule;
    match task {
        Task::Cluster(index) => backward::general_outward(model, state, index, workspace),
        Task::Base(index) => base::outward(&model.clusters[index], workspace),
        Task::One(index) if lanes.ones[index].active => {
            lanes::outward(&schedule.ones[index], &lanes.ones[index], workspace);
        }
        Task::One(index) => {
            backward::general_outward(model, state, schedule.ones[index].clusters[0], workspace);
        }
        Task::Two(index) if lanes.twos[index].active => {
            lanes::outward(&schedule.twos[index], &lanes.twos[index], workspace);
        }
        Task::Two(index) => {
            let clusters = schedule.twos[index].clusters;
            clusters.iter().for_each(|index| backward::general_outward(model, state, *index, workspace));
        }
        Task::RotorOne(index) => lanes.rotor_ones[index].outward(&schedule.rotor_ones[index], workspace),
        Task::RotorTwo(index) => lanes.rotor_twos[index].outward(&schedule.rotor_twos[index], workspace),
    }
}
