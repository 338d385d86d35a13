//! Closed loops of a cluster: partition, position closure, dependent velocities and accelerations,
//! unit motions.
//!
//! Position closure is Newton's method on the dependent coordinates. It begins with the factors of
//! the last evaluation, which are good to O(h); if they do not bring the violation down, new ones
//! are made.

use super::Workspace;
use super::factor::{lu, lu_solve};
use super::forward::{Status, place, quaternion};
use super::partition::{choose, entry};
use crate::math::{Motion, Quaternion, Vector3};
use crate::model::{Cluster, Model, PrimitiveKind};
use crate::state::{Partition, State};

/// `m` Loops are closed to this.
pub const TOLERANCE: f64 = 1e-10;
/// Newton iterations that a step may take.
pub(super) const ITERATIONS_MAX: u32 = 12;
/// When the largest entry of the embedding has grown by this factor, other coordinates become
/// independent.
pub(super) const GROWTH_MAX: f64 = 3.0;

/// Closes the loops of a cluster in position and velocity.
pub(super) fn close(model: &Model, state: &mut State, index: usize, workspace: &mut Workspace) -> Status {
    let cluster = &model.clusters[index];
    let mut status = Status::default();
    if state.partitions[index].rank == 0 {
        rows(model, cluster, workspace);
        choose(model, &mut state.partitions[index], cluster, true, workspace);
        workspace.factored[index] = false;
    }
    status.iterations = newton(model, state, index, workspace);
    factorise(model, &state.partitions[index], cluster, workspace);
    let mut growth = embed(model, &state.partitions[index], cluster, workspace);
    let reference = state.partitions[index].growth;
    if !workspace.hold_partition && (growth > GROWTH_MAX * reference.max(1.0) || growth.is_nan()) {
        choose(model, &mut state.partitions[index], cluster, false, workspace);
        factorise(model, &state.partitions[index], cluster, workspace);
        growth = embed(model, &state.partitions[index], cluster, workspace);
        state.partitions[index].growth = growth;
        status.repartitions = 1;
    } else if reference == 0.0 {
        state.partitions[index].growth = growth;
    }
    workspace.factored[index] = true;
    dependent_velocities(model, state, index, workspace);
    let violations = &workspace.violation[cluster.rows.clone()];
    status.violation = violations.iter().fold(0.0, |max, it| it.abs().max(max));
    status
}

/// Violations of all rows.
#[inline]
fn violations(model: &Model, cluster: &Cluster, workspace: &mut Workspace) {
    for row in cluster.rows.clone() {
        let [i, j] = model.rows[row].bodies;
        workspace.violation[row] = model.rows[row].violation(&workspace.frame[i], &workspace.frame[j]);
    }
}

/// Violations and wrenches of all rows.
#[inline]
fn rows(model: &Model, cluster: &Cluster, workspace: &mut Workspace) {
    for row in cluster.rows.clone() {
        let [i, j] = model.rows[row].bodies;
        let (violation, wrench) = model.rows[row].evaluate(&workspace.frame[i], &workspace.frame[j]);
        workspace.violation[row] = violation;
        workspace.wrench[row] = wrench;
    }
}

/// Φ_d factored.
#[inline]
fn factorise(model: &Model, partition: &Partition, cluster: &Cluster, workspace: &mut Workspace) {
    let (rank, width, start) = (partition.rank, cluster.velocities.len(), cluster.velocities.start);
    let wrenches = &workspace.wrench[cluster.rows.clone()];
    let axes = &workspace.axis[cluster.velocities.clone()];
    let signs = &model.signs[cluster.signs..cluster.signs + width * cluster.rows.len()];
    let factor = &mut workspace.factor[cluster.matrices..cluster.matrices + rank * rank];
    for (line, row) in factor.chunks_exact_mut(rank.max(1)).zip(&partition.rows) {
        let (wrench, signs) = (&wrenches[*row], &signs[row * width..(row + 1) * width]);
        for (value, column) in line.iter_mut().zip(&partition.columns) {
            *value = signs[*column] * wrench.dot(&axes[*column]);
        }
    }
    lu(factor, &mut workspace.pivots[start..start + rank], rank);
}

#[inline]
fn solve(cluster: &Cluster, workspace: &Workspace, right: &mut [f64]) {
    let rank = right.len();
    let factor = &workspace.factor[cluster.matrices..cluster.matrices + rank * rank];
    lu_solve(factor, &workspace.pivots[cluster.velocities.start..], right);
}

/// Newton's method on the dependent coordinates; returns how many iterations it took. Leaves
/// violations and wrenches of all rows.
fn newton(model: &Model, state: &mut State, index: usize, workspace: &mut Workspace) -> u32 {
    let (cluster, rank) = (&model.clusters[index], state.partitions[index].rank);
    let mut last = f64::INFINITY;
    // Wrenches are not needed as long as the old factors serve.
    violations(model, cluster, workspace);
    let mut complete = false;
    for iteration in 0..ITERATIONS_MAX {
        let partition = &state.partitions[index];
        let deciding = partition.rows[..rank].iter().map(|row| workspace.violation[cluster.rows.start + row]);
        let violation = deciding.fold(0.0_f64, |max, it| it.abs().max(max));
        let closed = violation < TOLERANCE || violation.is_nan();
        let refactor = !workspace.factored[index] || violation > 0.2 * last;
        if (closed || refactor) && !complete {
            rows(model, cluster, workspace);
        }
        if closed {
            return iteration;
        }
        if refactor {
            factorise(model, partition, cluster, workspace);
            workspace.factored[index] = true;
        }
        last = violation;
        correct(model, state, index, workspace);
        place(model, state, cluster, workspace);
        rows(model, cluster, workspace);
        complete = true;
    }
    ITERATIONS_MAX
}

/// One Newton step: δ_d = −Φ_d⁻¹ Φ.
fn correct(model: &Model, state: &mut State, index: usize, workspace: &mut Workspace) {
    let (cluster, partition) = (&model.clusters[index], &state.partitions[index]);
    let rank = partition.rank;
    let mut scratch = std::mem::take(&mut workspace.scratch);
    let (change, step) = scratch.split_at_mut(cluster.velocities.len());
    let right = &mut step[..rank];
    for (value, row) in right.iter_mut().zip(&partition.rows) {
        *value = -workspace.violation[cluster.rows.start + row];
    }
    solve(cluster, workspace, right);
    change.fill(0.0);
    for (value, column) in right.iter().zip(&partition.columns) {
        change[*column] = *value;
    }
    shift(model, cluster, change, &mut state.position);
    workspace.scratch = scratch;
}

/// Moves the coordinates of a cluster along a tangent.
fn shift(model: &Model, cluster: &Cluster, change: &[f64], position: &mut [f64]) {
    for slot in cluster.bodies.clone() {
        for primitive in &model.primitives[model.bodies[slot].primitives.clone()] {
            let (at, column) = (primitive.position, primitive.velocity - cluster.velocities.start);
            if primitive.kind == PrimitiveKind::Ball {
                let turn = Vector3::new(change[column], change[column + 1], change[column + 2]);
                let turned = (quaternion(position, at) * Quaternion::exp(turn)).normalised();
                position[at..at + 4].copy_from_slice(&turned.to_wxyz());
            } else {
                position[at] += change[column];
            }
        }
    }
}

/// Moves all coordinates along a tangent.
pub(crate) fn shift_tangent(model: &Model, change: &[f64], position: &mut [f64]) {
    for cluster in &model.clusters {
        shift(model, cluster, &change[cluster.velocities.clone()], position);
    }
}

/// −Φ_d⁻¹ Φ_i of eq. (3), one independent column after another; returns its largest entry.
#[inline]
fn embed(model: &Model, partition: &Partition, cluster: &Cluster, workspace: &mut Workspace) -> f64 {
    let rank = partition.rank;
    let mut largest = 0.0_f64;
    let mut embedding = std::mem::take(&mut workspace.embedding);
    let columns = embedding[cluster.matrices..].chunks_exact_mut(rank.max(1));
    for (right, column) in columns.zip(&partition.columns[rank..]) {
        for (value, row) in right.iter_mut().zip(&partition.rows) {
            *value = -entry(model, cluster, workspace, *row, *column);
        }
        solve(cluster, workspace, right);
        largest = right.iter().fold(largest, |max, it| it.abs().max(max));
    }
    workspace.embedding = embedding;
    largest
}

/// ż_d of eq. (3): what the independent rates and the bodies outside ask for.
#[inline]
fn dependent_velocities(model: &Model, state: &mut State, index: usize, workspace: &mut Workspace) {
    let (cluster, partition) = (&model.clusters[index], &state.partitions[index]);
    let (rank, start) = (partition.rank, cluster.velocities.start);
    let mut scratch = std::mem::take(&mut workspace.scratch);
    let right = &mut scratch[..rank];
    let mut moved = false;
    for (value, row) in right.iter_mut().zip(&partition.rows) {
        let row = cluster.rows.start + row;
        let [i, j] = model.outside[row];
        *value = 0.0;
        if i != j {
            *value = -workspace.wrench[row].dot(&(workspace.frame[j].velocity - workspace.frame[i].velocity));
            moved = true;
        }
    }
    if moved {
        solve(cluster, workspace, right);
    }
    let columns = workspace.embedding[cluster.matrices..].chunks_exact(rank.max(1));
    for (factors, column) in columns.zip(&partition.columns[rank..]) {
        let rate = state.velocity[start + column];
        for (value, factor) in right.iter_mut().zip(factors) {
            *value += factor * rate;
        }
    }
    for (value, column) in right.iter().zip(&partition.columns) {
        state.velocity[start + column] = *value;
    }
    workspace.scratch = scratch;
}

/// c of eq. (3): w · (β_j − β_i) + κ + Φ_d c_d = 0.
#[inline]
pub(super) fn solve_offsets(model: &Model, partition: &Partition, cluster: &Cluster, workspace: &mut Workspace) {
    let rank = partition.rank;
    let mut scratch = std::mem::take(&mut workspace.scratch);
    let right = &mut scratch[..rank];
    for (value, row) in right.iter_mut().zip(&partition.rows) {
        let row = cluster.rows.start + row;
        let [i, j] = model.rows[row].bodies;
        let relative = workspace.frame[j].bias - workspace.frame[i].bias;
        *value = -workspace.wrench[row].dot(&relative) - workspace.row_bias(&model.rows[row]);
    }
    solve(cluster, workspace, right);
    for (value, column) in right.iter().zip(&partition.columns) {
        workspace.offset[cluster.velocities.start + column] = *value;
    }
    for column in &partition.columns[rank..] {
        workspace.offset[cluster.velocities.start + column] = 0.0;
    }
    workspace.scratch = scratch;
}

/// U of eq. (4).
#[inline]
pub(super) fn unit_motions(model: &Model, partition: &Partition, cluster: &Cluster, workspace: &mut Workspace) {
    let (rank, start) = (partition.rank, cluster.velocities.start);
    let count = partition.columns.len() - rank;
    // Where each column stands in the partition.
    let mut places = std::mem::take(&mut workspace.scratch_columns);
    for (place, column) in partition.columns.iter().enumerate() {
        places[*column] = place;
    }
    for slot in cluster.bodies.clone() {
        let body = &model.bodies[slot];
        let at = cluster.motions + (slot - cluster.bodies.start) * count;
        for which in 0..count {
            let mut motion = Motion::ZERO;
            if cluster.bodies.contains(&body.parent) {
                motion = workspace.unit_motion[cluster.motions + (body.parent - cluster.bodies.start) * count + which];
            }
            for primitive in &model.primitives[body.primitives.clone()] {
                for column in primitive.velocities() {
                    let place = places[column - start];
                    if place < rank {
                        let factor = workspace.embedding[cluster.matrices + which * rank + place];
                        motion += workspace.axis[column] * factor;
                    } else if place == rank + which {
                        motion += workspace.axis[column];
                    }
                }
            }
            workspace.unit_motion[at + which] = motion;
        }
    }
    workspace.scratch_columns = places;
}
