//! The floating base: six freedoms, with the pole at its own reference point.
//!
//! Its axes span all motions, so that the accelerations at the pole are found directly, without
//! unit motions:
//! ```text
//! V = (R ω, v),      β = (0, v × R ω − g)                                                     (1)
//! K A = w + (R τ_ω, τ_v),      z̈ = ( A_v, Rᵀ A_ω )                                             (2)
//! ```
//! with the blocks of K eliminated one after the other: S = A − B D⁻¹ Bᵀ, A_ω = S⁻¹ (n − B D⁻¹ f),
//! A_v = D⁻¹ (f − Bᵀ A_ω).

use super::Workspace;
use super::forward::quaternion;
use crate::math::{Inertia, Matrix3, Motion, Symmetric3, Vector3};
use crate::model::{Cluster, Model};
use crate::state::State;

#[inline]
fn three(list: &[f64], from: usize) -> Vector3 {
    Vector3::new(list[from], list[from + 1], list[from + 2])
}

/// Eq. (1). Translations along earth axes come first in the state, then the ball.
pub(super) fn forward(model: &Model, cluster: &Cluster, state: &State, workspace: &mut Workspace) {
    let (slot, start) = (cluster.bodies.start, cluster.velocities.start);
    let place = model.primitives[model.bodies[slot].primitives.start].position;
    let rotation = quaternion(&state.position, place + 3).to_matrix();
    let linear = three(&state.velocity, start);
    let angular = rotation * three(&state.velocity, start + 3);
    workspace.frame[slot].rotation = rotation;
    workspace.frame[slot].origin = Vector3::ZERO;
    workspace.frame[slot].velocity = Motion { angular, linear };
    workspace.frame[slot].bias = Motion::translation(linear.cross(angular) - model.description.gravity);
    for k in 0..3 {
        workspace.axis[start + k] = Motion::translation(Vector3::AXES[k]);
        workspace.axis[start + 3 + k] = Motion { angular: rotation.columns[k], linear: Vector3::ZERO };
    }
}

/// Eq. (2): leaves A as the free acceleration of the base.
pub(super) fn backward(cluster: &Cluster, workspace: &mut Workspace) {
    let (slot, start) = (cluster.bodies.start, cluster.velocities.start);
    let mut force = workspace.force[slot];
    force.force += three(&workspace.joint_force, start);
    force.moment += workspace.frame[slot].rotation * three(&workspace.joint_force, start + 3);
    let Inertia { a, b, d } = workspace.inertia[slot];
    let inverse = d.inverse();
    // B D⁻¹, column by column of its transpose.
    let rows = b.transposed().columns.map(|row| inverse.mul(row));
    let across = Matrix3 { columns: rows };
    let [bx, by, bz] = b.transposed().columns;
    let less = Symmetric3 {
        diagonal: Vector3::new(rows[0].dot(bx), rows[1].dot(by), rows[2].dot(bz)),
        off: Vector3::new(rows[1].dot(bz), rows[0].dot(bz), rows[0].dot(by)),
    };
    let schur = Symmetric3 { diagonal: a.diagonal - less.diagonal, off: a.off - less.off };
    let angular = schur.inverse().mul(force.moment - across.transposed_mul(force.force));
    let linear = inverse.mul(force.force - b.transposed_mul(angular));
    workspace.free_acceleration[slot] = Motion { angular, linear };
}

/// Eq. (2): coordinates.
pub(super) fn outward(cluster: &Cluster, workspace: &mut Workspace) {
    let (slot, start) = (cluster.bodies.start, cluster.velocities.start);
    let Motion { angular, linear } = workspace.free_acceleration[slot];
    let turned = workspace.frame[slot].rotation.transposed_mul(angular);
    workspace.acceleration[start..start + 3].copy_from_slice(&linear.to_array());
    workspace.acceleration[start + 3..start + 6].copy_from_slice(&turned.to_array());
}
