//! Backward pass, eq. (5)–(8), and outward pass, eq. (7) and (3).

use super::Workspace;
use super::articulated::{body_terms, cholesky, cholesky_solve, hand_over, reduce};
use super::tasks::{backward_task, bias_task, outward_task};
use crate::math::{Force, Inertia, Motion};
use crate::model::{Cluster, Model};
use crate::state::{Partition, State};

/// Accumulates from the tips what each cluster shows to its parent.
pub fn backward(model: &Model, state: &State, workspace: &mut Workspace) {
    let (tasks, mut lanes) = (&model.schedule.tasks, std::mem::take(&mut workspace.lanes));
    for task in &model.schedule.prepared {
        bias_task(model, *task, &lanes, workspace);
    }
    for task in tasks.iter().rev() {
        backward_task(model, *task, &mut lanes, state, workspace);
    }
    workspace.lanes = lanes;
}

/// Inertias and bias forces of a cluster's bodies.
pub(super) fn bias_forces(model: &Model, index: usize, workspace: &mut Workspace) {
    for slot in model.clusters[index].bodies.clone() {
        let (lumped, frame) = (&model.bodies[slot].lumped, &workspace.frame[slot]);
        let (rigid, force) = body_terms(lumped, frame, workspace.force[slot]);
        workspace.inertia[slot] = Inertia::rigid(&rigid);
        workspace.force[slot] = force;
    }
}

/// The general backward pass of a cluster.
pub(super) fn general(model: &Model, state: &State, index: usize, workspace: &mut Workspace) {
    let (cluster, partition) = (&model.clusters[index], &state.partitions[index]);
    let count = freedoms(cluster, partition);
    if count == 1 && cluster.rows.is_empty() {
        return hinge(cluster, workspace);
    }
    if count > 0 && cluster.rows.is_empty() {
        open_motions(model, cluster, workspace);
    }
    if count > 0 {
        mass(cluster, count, workspace);
        drive(cluster, partition, count, workspace);
    }
    if cluster.parent != 0 {
        show(cluster, count, workspace);
    }
}

#[inline]
fn freedoms(cluster: &Cluster, partition: &Partition) -> usize {
    if cluster.driven.is_some() { 0 } else { partition.columns.len() - partition.rank }
}

/// U of a cluster without loops: it has one body, and its axes are the unit motions.
#[inline]
fn open_motions(model: &Model, cluster: &Cluster, workspace: &mut Workspace) {
    debug_assert_eq!(cluster.bodies.len(), 1, "{}", model.description.name);
    let count = cluster.velocities.len();
    let axes = &workspace.axis[cluster.velocities.clone()];
    workspace.unit_motion[cluster.motions..cluster.motions + count].copy_from_slice(axes);
}

/// Eq. (6)–(8) for the commonest cluster: one body on one freedom. The factor of m is 1/√m, as
/// Cholesky's would be.
#[inline]
fn hinge(cluster: &Cluster, workspace: &mut Workspace) {
    let (slot, column) = (cluster.bodies.start, cluster.velocities.start);
    let axis = workspace.axis[column];
    let inertia = &workspace.inertia[slot];
    let coupling = inertia.mul(&axis);
    let inverse = 1.0 / coupling.dot(&axis).max(f64::MIN_POSITIVE);
    let force = workspace.force[slot];
    let response = (workspace.joint_force[column] + force.dot(&axis)) * inverse;
    workspace.mass[cluster.matrices] = inverse.sqrt();
    workspace.coupling[column] = coupling;
    workspace.response[column] = response;
    if cluster.parent != 0 {
        let mut shown = *inertia;
        shown.subtract_dyad(&(coupling * inverse), &coupling);
        hand_over([cluster.parent; 2], &shown, force - coupling * response, workspace);
    }
}

/// K and w of eq. (6).
#[inline]
fn sums(cluster: &Cluster, workspace: &Workspace) -> (Inertia, Force) {
    let start = cluster.bodies.start;
    let (mut inertia, mut force) = (workspace.inertia[start], workspace.force[start]);
    for slot in start + 1..cluster.bodies.end {
        inertia += &workspace.inertia[slot];
        force += workspace.force[slot];
    }
    (inertia, force)
}

/// m and L of eq. (6), and m factored.
#[inline]
fn mass(cluster: &Cluster, count: usize, workspace: &mut Workspace) {
    let matrix = &mut workspace.mass[cluster.matrices..cluster.matrices + count * count];
    let coupling = &mut workspace.coupling[cluster.velocities.start..cluster.velocities.start + count];
    matrix.fill(0.0);
    coupling.fill(Force::ZERO);
    let motions = workspace.unit_motion[cluster.motions..].chunks_exact(count);
    for (slot, motions) in cluster.bodies.clone().zip(motions) {
        for (column, motion) in motions.iter().enumerate() {
            let momentum = workspace.inertia[slot].mul(motion);
            coupling[column] += momentum;
            for row in column..count {
                matrix[row * count + column] += momentum.dot(&motions[row]);
            }
        }
    }
    cholesky(matrix, count);
}

/// g of eq. (6), and m⁻¹ g.
#[inline]
fn drive(cluster: &Cluster, partition: &Partition, count: usize, workspace: &mut Workspace) {
    let (start, rank) = (cluster.velocities.start, partition.rank);
    let right = &mut workspace.response[start..start + count];
    for (which, value) in right.iter_mut().enumerate() {
        *value = workspace.joint_force[start + partition.columns[rank + which]];
        for (place, column) in partition.columns[..rank].iter().enumerate() {
            *value +=
                workspace.embedding[cluster.matrices + which * rank + place] * workspace.joint_force[start + column];
        }
    }
    let motions = workspace.unit_motion[cluster.motions..].chunks_exact(count);
    for (slot, motions) in cluster.bodies.clone().zip(motions) {
        for (value, motion) in right.iter_mut().zip(motions) {
            *value += workspace.force[slot].dot(motion);
        }
    }
    let matrix = &workspace.mass[cluster.matrices..cluster.matrices + count * count];
    cholesky_solve(matrix, right);
}

/// Eq. (8).
#[inline]
fn show(cluster: &Cluster, count: usize, workspace: &mut Workspace) {
    let (mut inertia, mut force) = sums(cluster, workspace);
    let start = cluster.velocities.start;
    let coupling = &workspace.coupling[start..start + count];
    for (coupling, response) in coupling.iter().zip(&workspace.response[start..]) {
        force -= *coupling * *response;
    }
    let rows = &mut workspace.unit_force[..count];
    rows.copy_from_slice(coupling);
    reduce(&mut inertia, &workspace.mass[cluster.matrices..], rows);
    hand_over([cluster.parent; 2], &inertia, force, workspace);
}

/// Accelerations from the base outwards.
pub fn outward(model: &Model, state: &State, workspace: &mut Workspace) {
    workspace.free_acceleration[0] = Motion::ZERO;
    let lanes = std::mem::take(&mut workspace.lanes);
    for task in &model.schedule.tasks {
        outward_task(model, *task, &lanes, state, workspace);
    }
    workspace.lanes = lanes;
}

/// The general outward pass of a cluster.
pub(super) fn general_outward(model: &Model, state: &State, index: usize, workspace: &mut Workspace) {
    let (cluster, partition) = (&model.clusters[index], &state.partitions[index]);
    let start = cluster.velocities.start;
    let parent = workspace.free_acceleration[cluster.parent];
    let count = freedoms(cluster, partition);
    if count == 1 && cluster.rows.is_empty() {
        let inverse = workspace.mass[cluster.matrices];
        let less = workspace.coupling[start].dot(&parent) * inverse * inverse;
        let acceleration = workspace.response[start] - less;
        workspace.acceleration[start] = acceleration;
        workspace.free_acceleration[cluster.bodies.start] = parent + workspace.axis[start] * acceleration;
        return;
    }
    if count > 0 && cluster.parent != 0 {
        inherit(cluster, count, &parent, workspace);
    }
    for slot in cluster.bodies.clone() {
        let at = cluster.motions + (slot - cluster.bodies.start) * count;
        let mut acceleration = parent;
        for which in 0..count {
            acceleration += workspace.unit_motion[at + which] * workspace.response[start + which];
        }
        workspace.free_acceleration[slot] = acceleration;
    }
    joint_accelerations(cluster, partition, count, workspace);
}

/// s̈ = m⁻¹ g − m⁻¹ Lᵀ A_p.
#[inline]
fn inherit(cluster: &Cluster, count: usize, parent: &Motion, workspace: &mut Workspace) {
    let start = cluster.velocities.start;
    let matrix = &workspace.mass[cluster.matrices..cluster.matrices + count * count];
    let right = &mut workspace.scratch[..count];
    for (value, coupling) in right.iter_mut().zip(&workspace.coupling[start..]) {
        *value = coupling.dot(parent);
    }
    cholesky_solve(matrix, right);
    for (value, less) in workspace.response[start..start + count].iter_mut().zip(right) {
        *value -= *less;
    }
}

/// Eq. (3): z̈ = R s̈ + c; a driven coordinate has what was given.
#[inline]
fn joint_accelerations(cluster: &Cluster, partition: &Partition, count: usize, workspace: &mut Workspace) {
    let (start, rank) = (cluster.velocities.start, partition.rank);
    for (place, column) in partition.columns.iter().enumerate() {
        let value = if cluster.driven.is_some() {
            workspace.offset[start + column]
        } else if place < rank {
            let embedding = workspace.embedding[cluster.matrices..].chunks_exact(rank).take(count);
            let response = &workspace.response[start..start + count];
            let sum: f64 = embedding.zip(response).map(|(factors, value)| factors[place] * value).sum();
            sum + workspace.offset[start + column]
        } else {
            workspace.response[start + place - rank]
        };
        workspace.acceleration[start + column] = value;
    }
}
