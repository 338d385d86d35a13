//! Partition of a cluster into dependent and independent coordinates.
//!
//! The partition into dependent and independent coordinates is chosen by elimination with complete
//! pivoting, which also finds rows that say nothing new (planar mechanisms in space have some):
//! only as many rows decide as the rank. The choice is kept until the dependent coordinates move
//! several times as fast relative to the independent ones as they did at first, which announces a
//! dead point. Velocities and accelerations of *all* coordinates are known at all times, so that a
//! new choice does not kick the motion, provided that it is made between steps and not between the
//! stages of one.

use super::Workspace;
use crate::model::{Cluster, Model};
use crate::state::Partition;

/// Rows that change this little by any column say nothing new.
const RANK_TOLERANCE: f64 = 1e-9;

/// Entry of the constraint Jacobian: local row and column.
#[inline]
pub(super) fn entry(model: &Model, cluster: &Cluster, workspace: &Workspace, row: usize, column: usize) -> f64 {
    let sign = model.signs[cluster.signs + row * cluster.velocities.len() + column];
    if sign == 0.0 {
        return 0.0;
    }
    let axis = &workspace.axis[cluster.velocities.start + column];
    sign * workspace.wrench[cluster.rows.start + row].dot(axis)
}

/// Chooses dependent columns and deciding rows by complete pivoting; finds the rank the first time.
pub(super) fn choose(
    model: &Model,
    partition: &mut Partition,
    cluster: &Cluster,
    first: bool,
    workspace: &mut Workspace,
) {
    let (height, width) = (cluster.rows.len(), cluster.velocities.len());
    let mut matrix = std::mem::take(&mut workspace.scratch);
    for row in 0..height {
        for column in 0..width {
            matrix[row * width + column] = entry(model, cluster, workspace, row, column);
        }
    }
    partition.rows.iter_mut().enumerate().for_each(|(k, row)| *row = k);
    partition.columns.iter_mut().enumerate().for_each(|(k, column)| *column = k);
    let preference = &model.preference[cluster.velocities.clone()];
    let limit = if first { height.min(width) } else { partition.rank };
    let mut rank = 0;
    let mut largest = 0.0_f64;
    while rank < limit {
        let Some((value, row, column)) = best_pivot(&matrix, width, partition, rank, preference) else {
            break;
        };
        largest = largest.max(value);
        if first && value <= RANK_TOLERANCE * largest {
            break;
        }
        partition.rows.swap(rank, row);
        partition.columns.swap(rank, column);
        eliminate(&mut matrix, width, partition, rank);
        rank += 1;
    }
    if first {
        partition.rank = rank;
        partition.growth = 0.0;
    }
    // A fixed order keeps the bits of the step independent of how the pivots came.
    partition.rows[..rank].sort_unstable();
    partition.rows[rank..].sort_unstable();
    partition.columns[..rank].sort_unstable();
    partition.columns[rank..].sort_unstable();
    workspace.scratch = matrix;
}

/// Largest remaining entry, weighted by the preference for its column as dependent: unweighted size
/// and place.
fn best_pivot(
    matrix: &[f64],
    width: usize,
    partition: &Partition,
    rank: usize,
    preference: &[f64],
) -> Option<(f64, usize, usize)> {
    let mut best = (0.0, 0.0, 0, 0);
    for row in rank..partition.rows.len() {
        for column in rank..partition.columns.len() {
            let size = matrix[partition.rows[row] * width + partition.columns[column]].abs();
            let weighted = size * preference[partition.columns[column]];
            if weighted > best.0 {
                best = (weighted, size, row, column);
            }
        }
    }
    (best.0 > 0.0).then_some((best.1, best.2, best.3))
}

fn eliminate(matrix: &mut [f64], width: usize, partition: &Partition, rank: usize) {
    let (pivot_row, pivot_column) = (partition.rows[rank], partition.columns[rank]);
    let pivot = matrix[pivot_row * width + pivot_column];
    for row in &partition.rows[rank + 1..] {
        let factor = matrix[row * width + pivot_column] / pivot;
        if factor != 0.0 {
            for column in &partition.columns[rank..] {
                matrix[row * width + column] -= factor * matrix[pivot_row * width + column];
            }
        }
    }
}
