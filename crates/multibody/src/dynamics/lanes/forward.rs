//! Forward pass of a bundle.

use super::close::{MULTIPLIER_MAX, embed, holds, newton, refactor, velocities};
use super::eliminate::solve;
use super::place::look_outside;
use super::rows::known;
use super::{Memory, columns_of, open, zero_motion};
use crate::dynamics::{Status, Workspace};
use crate::math::Number;
use crate::model::{BODIES, Bundle, COLUMNS, LaneKind, OUTSIDE, ROWS};
use crate::state::{Inputs, State};

/// A bundle without loops.
pub(crate) fn forward_open<T: Number>(
    bundle: &Bundle<T>,
    memory: &mut Memory<T>,
    state: &mut State,
    inputs: &Inputs,
    workspace: &mut Workspace,
) {
    open::forward(bundle, memory, state, inputs, workspace);
    memory.active = true;
    publish(bundle, memory, workspace);
}

/// Does what the general forward pass does for the bundle's clusters; nothing (but better
/// positions) if they need the general way.
pub(crate) fn forward<T: Number>(
    bundle: &Bundle<T>,
    memory: &mut Memory<T>,
    state: &mut State,
    workspace: &mut Workspace,
) -> Option<Status> {
    memory.active = false;
    let mut status = Status::default();
    look_outside(bundle, memory, workspace);
    if !memory.ready || !partition_is_known(bundle, memory, state) {
        return None;
    }
    if !newton(bundle, memory, state, workspace, &mut status) {
        return None;
    }
    let mut columns = [[T::splat(0.0); ROWS]; COLUMNS];
    let multiplier = refactor(bundle, memory, &mut columns);
    let growth = embed(&columns, memory);
    let good = multiplier.largest() <= MULTIPLIER_MAX;
    if !good || !holds(bundle, growth, state, workspace.hold_partition) {
        memory.ready = false;
        return None;
    }
    let mut rates = [T::splat(0.0); COLUMNS];
    velocities(bundle, memory, state, &mut rates);
    propagate(bundle, &rates, memory);
    offsets(bundle, memory);
    unit_motions(bundle, memory);
    memory.active = true;
    publish(bundle, memory, workspace);
    Some(status)
}

#[inline(always)]
fn partition_is_known<T: Number>(bundle: &Bundle<T>, memory: &Memory<T>, state: &State) -> bool {
    (0..T::LANES).all(|lane| {
        let partition = &state.partitions[bundle.clusters[lane]];
        partition.rank == memory.rank && partition.columns[..] == memory.partition[..bundle.columns]
    })
}

/// Velocities and biases: eq. (1) and (2).
#[inline(always)]
fn propagate<T: Number>(bundle: &Bundle<T>, rates: &[T; COLUMNS], memory: &mut Memory<T>) {
    for (k, body) in bundle.bodies.iter().enumerate() {
        let parent = &memory.frame[body.parent];
        let (mut velocity, mut bias) = (parent.velocity, parent.bias);
        for joint in &bundle.joints[body.joints.clone()] {
            let column = joint.column;
            let mut relative = memory.axis[column] * rates[column];
            if let LaneKind::Ball = joint.kind {
                relative +=
                    memory.axis[column + 1] * rates[column + 1] + memory.axis[column + 2] * rates[column + 2];
            }
            bias += velocity.cross(&relative);
            velocity += relative;
        }
        memory.frame[k].velocity = velocity;
        memory.frame[k].bias = bias;
    }
}

/// c of eq. (3), and the biases of eq. (4).
#[inline(always)]
fn offsets<T: Number>(bundle: &Bundle<T>, memory: &mut Memory<T>) {
    let mut given = [T::splat(0.0); ROWS];
    for (row, placed) in bundle.rows.iter().zip(&memory.placed) {
        known(row, placed, &memory.frame, &mut given);
    }
    let mut right = [T::splat(0.0); ROWS];
    for (value, row) in right.iter_mut().zip(&memory.rows[..memory.rank]) {
        *value = given[*row];
    }
    solve(&memory.factor, memory.rank, &mut right);
    memory.offset = right;
    let mut by_column = [T::splat(0.0); COLUMNS];
    for (value, column) in right.iter().zip(&memory.columns[..memory.rank]) {
        by_column[*column] = *value;
    }
    // Bodies outside have none.
    let mut sums = [zero_motion::<T>(); BODIES + OUTSIDE];
    for (k, body) in bundle.bodies.iter().enumerate() {
        let mut sum = sums[body.parent];
        for joint in &bundle.joints[body.joints.clone()] {
            for column in columns_of(joint) {
                sum += memory.axis[column] * by_column[column];
            }
        }
        sums[k] = sum;
        memory.frame[k].bias += sum;
    }
}

/// U of eq. (4).
#[inline(always)]
fn unit_motions<T: Number>(bundle: &Bundle<T>, memory: &mut Memory<T>) {
    let rank = memory.rank;
    for which in 0..memory.free {
        let mut factors = [T::splat(0.0); COLUMNS];
        for (value, column) in memory.embedding[which].iter().zip(&memory.columns[..rank]) {
            factors[*column] = *value;
        }
        factors[memory.columns[rank + which]] = T::splat(1.0);
        for (k, body) in bundle.bodies.iter().enumerate() {
            let mut motion =
                if body.parent < BODIES { memory.unit[body.parent][which] } else { zero_motion() };
            for joint in &bundle.joints[body.joints.clone()] {
                for column in columns_of(joint) {
                    motion += memory.axis[column] * factors[column];
                }
            }
            memory.unit[k][which] = motion;
        }
    }
}

/// Puts what others read where they read it.
#[inline(always)]
fn publish<T: Number>(bundle: &Bundle<T>, memory: &Memory<T>, workspace: &mut Workspace) {
    for (body, frame) in bundle.bodies.iter().zip(&memory.frame) {
        for lane in 0..T::LANES {
            workspace.frame[body.slots[lane]] = frame.lane(lane);
        }
    }
    for (column, axis) in memory.axis[..bundle.columns].iter().enumerate() {
        for lane in 0..T::LANES {
            workspace.axis[bundle.velocities[lane] + column] = axis.lane(lane);
        }
    }
}
