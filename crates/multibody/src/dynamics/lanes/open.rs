//! Open bundles: one body, no loops, up to three freedoms, or a driven joint.
//!
//! The axes are the unit motions, and eq. (6)–(8) are eliminated freedom by freedom from the tip,
//! as if each were a hinge of its own:
//! ```text
//! d = 1/m_kk,   φ_l = m_kl d,   g_l ← g_l − φ_l g_k,   L_l ← L_l − φ_l L_k,   m_lj ← m_lj − φ_l m_kj     (l, j < k)     (1)
//! K ← K − L_k d L_kᵀ,   w ← w − L_k d g_k                                                       (2)
//! z̈_k = d g_k − d L_k·A_p − Σ_{l<k} φ_l z̈_l                                                     (3)
//! ```
//! which needs no square root. A driven joint has no freedom: its acceleration is part of the bias.

use super::place::move_frame;
use super::{Kernel, columns_of, sized};
use crate::dynamics::Workspace;
use crate::dynamics::articulated::{body_terms, hand_over};
use crate::dynamics::frame::Frame;
use crate::math::{ForceOf, InertiaOf, MotionOf, Number};
use crate::model::Bundle;
use crate::state::{Inputs, State};

/// Positions, velocities, biases.
#[inline(always)]
pub(super) fn forward<T: Number>(
    bundle: &Bundle<T>,
    kernel: &mut Kernel<T>,
    state: &mut State,
    inputs: &Inputs,
    workspace: &mut Workspace,
) {
    let (body, parents) = (&bundle.bodies[0], bundle.parents);
    if let Some(first) = bundle.driven {
        drive(bundle, first, state, inputs, workspace);
    }
    let carriers = parents.map(|slot| &workspace.frame[slot]);
    let carrier: Frame<T> = Frame::gather(|lane| carriers[lane]);
    let mut rotation = carrier.rotation;
    let mut origin = carrier.origin + rotation * body.offset;
    for joint in &bundle.joints {
        move_frame::<T, true>(joint, &state.position, &mut rotation, &mut origin, &mut kernel.axis);
    }
    let (mut velocity, mut bias) = (carrier.velocity, carrier.bias);
    for joint in &bundle.joints {
        let rate =
            |column: usize| kernel.axis[column] * T::gather(|lane| state.velocity[bundle.velocities[lane] + column]);
        let columns = columns_of(joint);
        let mut relative = rate(columns.start);
        for column in columns.start + 1..columns.end {
            relative += rate(column);
        }
        bias += velocity.cross(&relative);
        velocity += relative;
    }
    if bundle.driven.is_some() {
        for column in 0..bundle.columns {
            let given = T::gather(|lane| workspace.offset[bundle.velocities[lane] + column]);
            bias += kernel.axis[column] * given;
        }
    }
    kernel.frame[0] = Frame { rotation, origin, velocity, bias };
}

/// Takes position, velocity and acceleration from outside.
fn drive<T: Number>(
    bundle: &Bundle<T>,
    first: [usize; 2],
    state: &mut State,
    inputs: &Inputs,
    workspace: &mut Workspace,
) {
    for joint in &bundle.joints {
        for (lane, first) in first.iter().enumerate().take(T::LANES) {
            let [position, velocity, acceleration] = inputs.driven[first + joint.column];
            let column = bundle.velocities[lane] + joint.column;
            state.position[joint.positions[lane]] = position;
            state.velocity[column] = velocity;
            workspace.offset[column] = acceleration;
        }
    }
}

/// What the bundle shows to its parents.
pub(super) fn backward<T: Number>(bundle: &Bundle<T>, kernel: &mut Kernel<T>, workspace: &mut Workspace) {
    sized!(bundle.free(), F in [0 1 2] or 3: backward_fixed::<T, F>(bundle, kernel, workspace));
}

#[inline(always)]
fn backward_fixed<T: Number, const F: usize>(bundle: &Bundle<T>, kernel: &mut Kernel<T>, workspace: &mut Workspace) {
    let body = &bundle.bodies[0];
    let (rigid, force) = body_terms(&body.lumped, &kernel.frame[0], body.force(workspace));
    let mut shown = InertiaOf::rigid(&rigid);
    if body.carries {
        shown += &body.carried(workspace);
        let coupling = std::array::from_fn(|column| shown.mul(&kernel.axis[column]));
        eliminate::<T, F>(bundle, kernel, shown, coupling, force, workspace);
    } else {
        let coupling = std::array::from_fn(|column| rigid.mul(&kernel.axis[column]));
        eliminate::<T, F>(bundle, kernel, shown, coupling, force, workspace);
    }
}

/// Eq. (1) and (2).
#[inline(always)]
fn eliminate<T: Number, const F: usize>(
    bundle: &Bundle<T>,
    kernel: &mut Kernel<T>,
    mut shown: InertiaOf<T>,
    mut coupling: [ForceOf<T>; F],
    mut force: ForceOf<T>,
    workspace: &mut Workspace,
) {
    let (mut mass, mut drive) = ([[T::splat(0.0); F]; F], [T::splat(0.0); F]);
    for (k, value) in drive.iter_mut().enumerate() {
        let given = T::gather(|lane| workspace.joint_force[bundle.velocities[lane] + k]);
        *value = given + force.dot(&kernel.axis[k]);
        for (entry, axis) in mass[k].iter_mut().zip(&kernel.axis[..=k]) {
            *entry = coupling[k].dot(axis);
        }
    }
    for k in (0..F).rev() {
        let inverse = T::splat(1.0) / mass[k][k].max(T::splat(f64::MIN_POSITIVE));
        for l in 0..k {
            let factor = mass[k][l] * inverse;
            let (above, below) = (drive[k], coupling[k]);
            drive[l] -= factor * above;
            coupling[l] -= below * factor;
            let pivots = mass[k];
            for (entry, pivot) in mass[l][..=l].iter_mut().zip(pivots) {
                *entry -= factor * pivot;
            }
            kernel.mass[k][l] = factor;
        }
        let (scaled, response) = (coupling[k] * inverse, drive[k] * inverse);
        shown.subtract_dyad(&scaled, &coupling[k]);
        force -= coupling[k] * response;
        kernel.coupling[k] = scaled;
        kernel.response[k] = response;
    }
    hand_over(bundle.parents, &shown, force, workspace);
}

/// Accelerations: eq. (3).
#[inline(always)]
pub(super) fn outward<T: Number>(bundle: &Bundle<T>, kernel: &Kernel<T>, workspace: &mut Workspace) {
    let mut whole: MotionOf<T> = MotionOf::gather(|lane| workspace.free_acceleration[bundle.parents[lane]]);
    let parent = whole;
    let mut found = [T::splat(0.0); crate::model::FREE];
    for k in 0..bundle.columns.min(found.len()) {
        let value = if bundle.driven.is_some() {
            T::gather(|lane| workspace.offset[bundle.velocities[lane] + k])
        } else {
            let mut value = kernel.response[k] - kernel.coupling[k].dot(&parent);
            for (factor, before) in kernel.mass[k].iter().zip(&found[..k]) {
                value -= *factor * *before;
            }
            whole += kernel.axis[k] * value;
            value
        };
        found[k] = value;
        for lane in 0..T::LANES {
            workspace.acceleration[bundle.velocities[lane] + k] = value.lane(lane);
        }
    }
    for lane in 0..T::LANES {
        workspace.free_acceleration[bundle.bodies[0].slots[lane]] = whole.lane(lane);
    }
}
