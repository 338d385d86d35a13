//! Forward pass of a bundle.

use super::close::{MULTIPLIER_MAX, embed, holds, newton, refactor, velocities};
use super::place::look_outside;
use super::prepare::solve;
use super::rows::known;
use super::{Kernel, columns_of, open};
use crate::dynamics::{Status, Workspace};
use crate::math::{MotionOf, Number};
use crate::model::{BODIES, Bundle, COLUMNS, OUTSIDE, ROWS};
use crate::state::{Inputs, State};

/// A bundle without loops.
pub(crate) fn forward_open<T: Number>(
    bundle: &Bundle<T>,
    kernel: &mut Kernel<T>,
    state: &mut State,
    inputs: &Inputs,
    workspace: &mut Workspace,
) {
    open::forward(bundle, kernel, state, inputs, workspace);
    kernel.active = true;
    publish(bundle, kernel, workspace);
}

/// Does what the general forward pass does for the bundle's clusters; nothing (but better
/// positions) if they need the general pass.
pub(crate) fn forward<T: Number>(
    bundle: &Bundle<T>,
    kernel: &mut Kernel<T>,
    state: &mut State,
    workspace: &mut Workspace,
) -> Option<Status> {
    kernel.active = false;
    let mut status = Status::default();
    look_outside(bundle, kernel, workspace);
    if !kernel.ready || !partition_is_known(bundle, kernel, state) {
        return None;
    }
    if !newton(bundle, kernel, state, workspace, &mut status) {
        return None;
    }
    let mut columns = [[T::splat(0.0); ROWS]; COLUMNS];
    let multiplier = refactor(bundle, kernel, &mut columns);
    let growth = embed(&columns, kernel);
    let good = multiplier.largest() <= MULTIPLIER_MAX;
    if !good || !holds(bundle, growth, state, workspace.hold_partition) {
        kernel.ready = false;
        return None;
    }
    let mut rates = [T::splat(0.0); COLUMNS];
    velocities(bundle, kernel, state, &mut rates);
    propagate(bundle, &rates, kernel);
    offsets(bundle, kernel);
    unit_motions(bundle, kernel);
    kernel.active = true;
    publish(bundle, kernel, workspace);
    Some(status)
}

#[inline(always)]
fn partition_is_known<T: Number>(bundle: &Bundle<T>, kernel: &Kernel<T>, state: &State) -> bool {
    (0..T::LANES).all(|lane| {
        let partition = &state.partitions[bundle.clusters[lane]];
        partition.rank == kernel.rank && partition.columns[..] == kernel.partition[..bundle.columns]
    })
}

/// Velocities and biases: eq. (1) and (2).
#[inline(always)]
fn propagate<T: Number>(bundle: &Bundle<T>, rates: &[T; COLUMNS], kernel: &mut Kernel<T>) {
    for (k, body) in bundle.bodies.iter().enumerate() {
        let parent = &kernel.frame[body.parent];
        let (mut velocity, mut bias) = (parent.velocity, parent.bias);
        for joint in &bundle.joints[body.joints.clone()] {
            let column = joint.column;
            let mut relative = kernel.axis[column] * rates[column];
            if joint.kind.width() == 3 {
                relative += kernel.axis[column + 1] * rates[column + 1] + kernel.axis[column + 2] * rates[column + 2];
            }
            bias += velocity.cross(&relative);
            velocity += relative;
        }
        kernel.frame[k].velocity = velocity;
        kernel.frame[k].bias = bias;
    }
}

/// c of eq. (3), and the biases of eq. (4).
#[inline(always)]
fn offsets<T: Number>(bundle: &Bundle<T>, kernel: &mut Kernel<T>) {
    let mut given = [T::splat(0.0); ROWS];
    for (row, placed) in bundle.rows.iter().zip(&kernel.placed) {
        known(row, placed, &kernel.frame, &mut given);
    }
    let mut right = [T::splat(0.0); ROWS];
    for (value, row) in right.iter_mut().zip(&kernel.rows[..kernel.rank]) {
        *value = given[*row];
    }
    solve(&kernel.factor, kernel.rank, &mut right);
    kernel.offset = right;
    let mut by_column = [T::splat(0.0); COLUMNS];
    for (value, column) in right.iter().zip(&kernel.columns[..kernel.rank]) {
        by_column[*column] = *value;
    }
    // Bodies outside have none.
    let mut sums = [MotionOf::default(); BODIES + OUTSIDE];
    for (k, body) in bundle.bodies.iter().enumerate() {
        let mut sum = sums[body.parent];
        for joint in &bundle.joints[body.joints.clone()] {
            for column in columns_of(joint) {
                sum += kernel.axis[column] * by_column[column];
            }
        }
        sums[k] = sum;
        kernel.frame[k].bias += sum;
    }
}

/// U of eq. (4).
#[inline(always)]
fn unit_motions<T: Number>(bundle: &Bundle<T>, kernel: &mut Kernel<T>) {
    let rank = kernel.rank;
    for which in 0..kernel.free {
        let mut factors = [T::splat(0.0); COLUMNS];
        for (value, column) in kernel.embedding[which].iter().zip(&kernel.columns[..rank]) {
            factors[*column] = *value;
        }
        factors[kernel.columns[rank + which]] = T::splat(1.0);
        for (k, body) in bundle.bodies.iter().enumerate() {
            let mut motion = if body.parent < BODIES { kernel.unit[body.parent][which] } else { MotionOf::default() };
            for joint in &bundle.joints[body.joints.clone()] {
                for column in columns_of(joint) {
                    motion += kernel.axis[column] * factors[column];
                }
            }
            kernel.unit[k][which] = motion;
        }
    }
}

/// Puts what others read where they read it.
#[inline(always)]
fn publish<T: Number>(bundle: &Bundle<T>, kernel: &Kernel<T>, workspace: &mut Workspace) {
    for (body, frame) in bundle.bodies.iter().zip(&kernel.frame) {
        for lane in 0..T::LANES {
            workspace.frame[body.slots[lane]] = frame.lane(lane);
        }
    }
    for (column, axis) in kernel.axis[..bundle.columns].iter().enumerate() {
        for lane in 0..T::LANES {
            workspace.axis[bundle.velocities[lane] + column] = axis.lane(lane);
        }
    }
}
