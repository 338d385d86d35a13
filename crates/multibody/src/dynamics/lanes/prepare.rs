//! Choosing the order of pivots of a bundle, after its clusters went the general way.

use super::Memory;
use super::close::{MULTIPLIER_MAX, evaluate_rows, refactor};
use super::place::{look_outside, place};
use super::rows::jacobian;
use crate::dynamics::Workspace;
use crate::math::Number;
use crate::model::{Bundle, COLUMNS, ROWS};
use crate::state::State;

/// Evaluations between attempts that fail.
const PATIENCE: u32 = 100;
/// Multipliers that a new order may have: less than an old one, so that it lasts.
const MULTIPLIER_FIRST: f64 = 0.5 * MULTIPLIER_MAX;

/// Makes the kernels ready for the next evaluation, if the clusters allow it: same partition, no
/// redundant rows, one order of pivots that is good for all.
pub(crate) fn prepare<T: Number>(
    bundle: &Bundle<T>,
    memory: &mut Memory<T>,
    state: &State,
    workspace: &Workspace,
) {
    if memory.wait > 0 {
        memory.wait -= 1;
        return;
    }
    let partition = &state.partitions[bundle.clusters[0]];
    let alike = &state.partitions[bundle.clusters[T::LANES - 1]];
    memory.ready = partition.rank == bundle.height
        && partition.rank == alike.rank
        && partition.columns == alike.columns
        && orders(bundle, memory, partition, state, workspace);
    if !memory.ready {
        memory.wait = PATIENCE;
    }
}

fn orders<T: Number>(
    bundle: &Bundle<T>,
    memory: &mut Memory<T>,
    partition: &crate::state::Partition,
    state: &State,
    workspace: &Workspace,
) -> bool {
    memory.rank = partition.rank;
    memory.free = bundle.columns - partition.rank;
    memory.partition[..bundle.columns].copy_from_slice(&partition.columns);
    look_outside(bundle, memory, workspace);
    place::<T, true>(bundle, &state.position, memory);
    evaluate_rows::<T, true>(bundle, memory, &mut [T::splat(0.0); ROWS]);
    let zeros = [[T::splat(0.0); ROWS]; COLUMNS];
    let mut columns = zeros;
    jacobian(bundle, memory, &mut columns);
    order(memory, &columns, bundle.columns);
    let multiplier = refactor(bundle, memory, &mut zeros.clone());
    multiplier.largest() <= MULTIPLIER_FIRST
}

/// Complete pivoting, where a pivot counts as much as it does in the lane in which it is smallest.
fn order<T: Number>(memory: &mut Memory<T>, columns: &[[T; ROWS]; COLUMNS], width: usize) {
    memory.columns = memory.partition;
    memory.rows = std::array::from_fn(|row| row);
    let mut left = *columns;
    let rank = memory.rank;
    for step in 0..rank {
        let (mut best, mut at) = (-1.0, (step, step));
        for row in step..rank {
            for column in step..rank {
                let size = left[memory.columns[column]][memory.rows[row]].abs();
                let smallest = -(-size).largest();
                if smallest > best {
                    (best, at) = (smallest, (row, column));
                }
            }
        }
        memory.rows.swap(step, at.0);
        memory.columns.swap(step, at.1);
        let (row, column) = (memory.rows[step], memory.columns[step]);
        for other in &memory.columns[step + 1..width] {
            let factor = left[*other][row] / left[column][row];
            for below in &memory.rows[step + 1..rank] {
                left[*other][*below] -= factor * left[column][*below];
            }
        }
    }
}
