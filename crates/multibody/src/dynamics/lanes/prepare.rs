//! Elimination without exchange of rows; its order of pivots is chosen after the general pass of a
//! bundle's clusters.

use super::close::{MULTIPLIER_MAX, evaluate_rows, refactor};
use super::place::{look_outside, place};
use super::rows::jacobian;
use super::{Kernel, Square, sized};
use crate::dynamics::Workspace;
use crate::math::Number;
use crate::model::{Bundle, COLUMNS, ROWS};
use crate::state::State;

/// Evaluations from a failed attempt to the next.
const RETRY_AFTER: u32 = 100;
/// Multipliers that a new order may have: less than an old one, so that it lasts.
const MULTIPLIER_FIRST: f64 = 0.5 * MULTIPLIER_MAX;

/// Makes the kernels ready for the next evaluation, if the clusters allow it: same partition, no
/// redundant rows, one order of pivots that is good for all.
#[cold]
pub(crate) fn prepare<T: Number>(bundle: &Bundle<T>, kernel: &mut Kernel<T>, state: &State, workspace: &Workspace) {
    if kernel.wait > 0 {
        kernel.wait -= 1;
        return;
    }
    let partition = &state.partitions[bundle.clusters[0]];
    let alike = &state.partitions[bundle.clusters[T::LANES - 1]];
    kernel.ready = partition.rank == bundle.height
        && partition.rank == alike.rank
        && partition.columns == alike.columns
        && orders(bundle, kernel, partition, state, workspace);
    if !kernel.ready {
        kernel.wait = RETRY_AFTER;
    }
}

fn orders<T: Number>(
    bundle: &Bundle<T>,
    kernel: &mut Kernel<T>,
    partition: &crate::state::Partition,
    state: &State,
    workspace: &Workspace,
) -> bool {
    kernel.rank = partition.rank;
    kernel.free = bundle.columns - partition.rank;
    kernel.partition[..bundle.columns].copy_from_slice(&partition.columns);
    look_outside(bundle, kernel, workspace);
    place::<T, true>(bundle, &state.position, kernel);
    evaluate_rows::<T, true>(bundle, kernel, &mut [T::splat(0.0); ROWS]);
    let zeros = [[T::splat(0.0); ROWS]; COLUMNS];
    let mut columns = zeros;
    jacobian(bundle, kernel, &mut columns);
    order(kernel, &columns, bundle.columns);
    let multiplier = refactor(bundle, kernel, &mut zeros.clone());
    multiplier.largest() <= MULTIPLIER_FIRST
}

/// Complete pivoting, where a pivot counts as much as it does in the lane in which it is smallest.
fn order<T: Number>(kernel: &mut Kernel<T>, columns: &[[T; ROWS]; COLUMNS], width: usize) {
    kernel.columns = kernel.partition;
    kernel.rows = std::array::from_fn(|row| row);
    let mut left = *columns;
    let rank = kernel.rank;
    for step in 0..rank {
        let (mut best, mut at) = (-1.0, (step, step));
        for row in step..rank {
            for column in step..rank {
                let size = left[kernel.columns[column]][kernel.rows[row]].abs();
                let smallest = -(-size).largest();
                if smallest > best {
                    (best, at) = (smallest, (row, column));
                }
            }
        }
        kernel.rows.swap(step, at.0);
        kernel.columns.swap(step, at.1);
        let (row, column) = (kernel.rows[step], kernel.columns[step]);
        for other in &kernel.columns[step + 1..width] {
            let factor = left[*other][row] / left[column][row];
            for below in &kernel.rows[step + 1..rank] {
                left[*other][*below] -= factor * left[column][*below];
            }
        }
    }
}

/// Factors in place, with inverse pivots on the diagonal; returns the largest multiplier.
#[inline]
pub(super) fn factorise<T: Number>(matrix: &mut Square<T>, rank: usize) -> T {
    sized!(rank, N in [1 2 3 4 5] or 6: factorise_fixed::<T, N>(matrix))
}

fn factorise_fixed<T: Number, const N: usize>(matrix: &mut Square<T>) -> T {
    let mut m = [[T::splat(0.0); N]; N];
    for (row, given) in m.iter_mut().zip(matrix.iter()) {
        row.copy_from_slice(&given[..N]);
    }
    let mut largest = T::splat(0.0);
    for column in 0..N {
        let inverse = T::splat(1.0) / m[column][column];
        m[column][column] = inverse;
        for row in column + 1..N {
            let factor = m[row][column] * inverse;
            m[row][column] = factor;
            largest = largest.max(factor.abs());
            let pivot_row = m[column];
            for (value, above) in m[row].iter_mut().zip(&pivot_row).skip(column + 1) {
                *value -= factor * *above;
            }
        }
    }
    for (row, out) in m.iter().zip(matrix.iter_mut()) {
        out[..N].copy_from_slice(row);
    }
    largest
}

/// Solves with the factors.
#[inline]
pub(super) fn solve<T: Number>(matrix: &Square<T>, rank: usize, x: &mut [T; ROWS]) {
    sized!(rank, N in [1 2 3 4 5] or 6: solve_fixed::<T, N>(matrix, x))
}

#[inline(always)]
fn solve_fixed<T: Number, const N: usize>(matrix: &Square<T>, x: &mut [T; ROWS]) {
    for k in 1..N {
        for l in 0..k {
            x[k] -= matrix[k][l] * x[l];
        }
    }
    for k in (0..N).rev() {
        for l in k + 1..N {
            x[k] -= matrix[k][l] * x[l];
        }
        x[k] = x[k] * matrix[k][k];
    }
}
