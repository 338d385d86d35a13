//! Loop closure of a bundle: Newton's method with the factors of the last evaluation, then new
//! factors, the embedding and the dependent velocities.

use super::Kernel;
use super::place::{place, quaternion};
use super::prepare::{factorise, solve};
use super::rows::{evaluate, jacobian};
use crate::dynamics::loops::{GROWTH_MAX, ITERATIONS_MAX, TOLERANCE};
use crate::dynamics::{Status, Workspace};
use crate::math::{Number, QuaternionOf, VectorOf};
use crate::model::{Bundle, COLUMNS, ROWS};
use crate::state::State;

/// `m` A loop that is open by a fifth of this is left to the general pass.
const FAR: f64 = 5e-2;
/// Multipliers of elimination that are still good.
pub(super) const MULTIPLIER_MAX: f64 = 10.0;

/// Violations of all rows, and, if they are wanted, the rows where the bodies are.
#[inline(always)]
pub(super) fn evaluate_rows<T: Number, const PLACED: bool>(
    bundle: &Bundle<T>,
    kernel: &mut Kernel<T>,
    violation: &mut [T; ROWS],
) {
    for (row, out) in bundle.rows.iter().zip(&mut kernel.placed) {
        let placed = evaluate(row, &kernel.frame, violation);
        if PLACED {
            *out = placed;
        }
    }
}

/// Positions that close the loops; false if the old factors do not serve.
///
/// Rows and axes are wanted at the last position only. In a smooth motion the integrator leaves the
/// loops closed, and the first position is the last: if it was so the time before, rows and axes
/// are placed at once.
#[inline(always)]
pub(super) fn newton<T: Number>(
    bundle: &Bundle<T>,
    kernel: &mut Kernel<T>,
    state: &mut State,
    workspace: &mut Workspace,
    status: &mut Status,
) -> bool {
    let mut violation = [T::splat(0.0); ROWS];
    let at_once = kernel.stays_closed;
    if at_once {
        place_rows(bundle, kernel, &state.position, &mut violation);
    } else {
        place::<T, false>(bundle, &state.position, kernel);
        evaluate_rows::<T, false>(bundle, kernel, &mut violation);
    }
    let (mut open, mut last) = (total(&violation, bundle.height), FAR);
    kernel.stays_closed = open < TOLERANCE;
    if kernel.stays_closed {
        if !at_once {
            place_rows(bundle, kernel, &state.position, &mut violation);
        }
        report(bundle, &violation, workspace, status);
        return true;
    }
    for iteration in 1..=ITERATIONS_MAX {
        // Not a number is not less either.
        let converges = open < 0.2 * last;
        if !converges {
            return false;
        }
        correct(bundle, kernel, &violation, &mut state.position);
        status.iterations = iteration;
        place_rows(bundle, kernel, &state.position, &mut violation);
        (last, open) = (open, total(&violation, bundle.height));
        if open < TOLERANCE {
            report(bundle, &violation, workspace, status);
            return true;
        }
    }
    false
}

/// Bodies, axes and rows at a position. Not inlined, because it stands in several places.
#[inline(never)]
fn place_rows<T: Number>(bundle: &Bundle<T>, kernel: &mut Kernel<T>, position: &[f64], violation: &mut [T; ROWS]) {
    place::<T, true>(bundle, position, kernel);
    evaluate_rows::<T, true>(bundle, kernel, violation);
}

#[inline(always)]
fn total<T: Number>(violation: &[T; ROWS], height: usize) -> f64 {
    let sum = violation[..height].iter().fold(T::splat(0.0), |sum, it| sum + it.abs());
    sum.largest()
}

#[inline(always)]
fn report<T: Number>(bundle: &Bundle<T>, violation: &[T; ROWS], workspace: &mut Workspace, status: &mut Status) {
    let mut largest = T::splat(0.0);
    for (row, value) in violation[..bundle.height].iter().enumerate() {
        largest = largest.max(value.abs());
        for lane in 0..T::LANES {
            workspace.violation[bundle.row_starts[lane] + row] = value.lane(lane);
        }
    }
    status.violation = largest.largest();
}

/// One Newton step: δ_d = −Φ_d⁻¹ Φ.
#[inline(always)]
fn correct<T: Number>(bundle: &Bundle<T>, kernel: &Kernel<T>, violation: &[T; ROWS], position: &mut [f64]) {
    let mut right = [T::splat(0.0); ROWS];
    for (value, row) in right.iter_mut().zip(&kernel.rows[..kernel.rank]) {
        *value = -violation[*row];
    }
    solve(&kernel.factor, kernel.rank, &mut right);
    let mut change = [T::splat(0.0); COLUMNS];
    for (value, column) in right.iter().zip(&kernel.columns[..kernel.rank]) {
        change[*column] = *value;
    }
    for joint in &bundle.joints {
        let column = joint.column;
        if joint.kind.width() == 3 {
            let turn = VectorOf::new(change[column], change[column + 1], change[column + 2]);
            let turned = (quaternion(joint, position) * QuaternionOf::exp(turn)).normalised();
            for lane in 0..T::LANES {
                let at = joint.positions[lane];
                position[at] = turned.w.lane(lane);
                position[at + 1] = turned.v.x.lane(lane);
                position[at + 2] = turned.v.y.lane(lane);
                position[at + 3] = turned.v.z.lane(lane);
            }
        } else {
            for lane in 0..T::LANES {
                position[joint.positions[lane]] += change[column].lane(lane);
            }
        }
    }
}

/// Φ_d factored in the order of pivots, and the columns of the Jacobian; returns the largest
/// multiplier.
#[inline(always)]
pub(super) fn refactor<T: Number>(bundle: &Bundle<T>, kernel: &mut Kernel<T>, columns: &mut [[T; ROWS]; COLUMNS]) -> T {
    jacobian(bundle, kernel, columns);
    let rank = kernel.rank;
    for k in 0..rank {
        let column = &columns[kernel.columns[k]];
        for l in 0..rank {
            kernel.factor[l][k] = column[kernel.rows[l]];
        }
    }
    factorise(&mut kernel.factor, rank)
}

/// The embedding; its largest entry.
#[inline(always)]
pub(super) fn embed<T: Number>(columns: &[[T; ROWS]; COLUMNS], kernel: &mut Kernel<T>) -> T {
    let (rank, mut largest) = (kernel.rank, T::splat(0.0));
    for which in 0..kernel.free {
        let column = &columns[kernel.columns[rank + which]];
        let mut right = [T::splat(0.0); ROWS];
        for (value, row) in right.iter_mut().zip(&kernel.rows[..rank]) {
            *value = -column[*row];
        }
        solve(&kernel.factor, rank, &mut right);
        for value in &right[..rank] {
            largest = largest.max(value.abs());
        }
        kernel.embedding[which] = right;
    }
    largest
}

/// Whether the partitions may stay.
#[inline(always)]
pub(super) fn holds<T: Number>(bundle: &Bundle<T>, growth: T, state: &mut State, hold: bool) -> bool {
    for lane in 0..T::LANES {
        let (growth, partition) = (growth.lane(lane), &mut state.partitions[bundle.clusters[lane]]);
        if !hold && (growth > GROWTH_MAX * partition.growth.max(1.0) || growth.is_nan()) {
            return false;
        }
        if partition.growth == 0.0 {
            partition.growth = growth;
        }
    }
    true
}

/// ż_d of eq. (3), and all rates of the bundle.
#[inline(always)]
pub(super) fn velocities<T: Number>(
    bundle: &Bundle<T>,
    kernel: &Kernel<T>,
    state: &mut State,
    rates: &mut [T; COLUMNS],
) {
    let rank = kernel.rank;
    let mut right = [T::splat(0.0); ROWS];
    if bundle.rows.iter().any(|row| row.outside.is_some()) {
        let mut given = [T::splat(0.0); ROWS];
        for (row, placed) in bundle.rows.iter().zip(&kernel.placed) {
            if let Some([i, j]) = row.outside {
                let relative = kernel.frame[j].velocity - kernel.frame[i].velocity;
                placed.add(row.row, &relative, true, &mut given);
            }
        }
        for (value, row) in right.iter_mut().zip(&kernel.rows[..rank]) {
            *value = given[*row];
        }
        solve(&kernel.factor, rank, &mut right);
    }
    for which in 0..kernel.free {
        let column = kernel.columns[rank + which];
        let rate = T::gather(|lane| state.velocity[bundle.velocities[lane] + column]);
        rates[column] = rate;
        for (value, factor) in right[..rank].iter_mut().zip(&kernel.embedding[which]) {
            *value += *factor * rate;
        }
    }
    for (value, column) in right[..rank].iter().zip(&kernel.columns) {
        rates[*column] = *value;
        for lane in 0..T::LANES {
            state.velocity[bundle.velocities[lane] + column] = value.lane(lane);
        }
    }
}
