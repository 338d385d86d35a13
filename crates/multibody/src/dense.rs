//! A second route to the accelerations: the dense Lagrange-multiplier system of the whole
//! mechanism.
//!
//! ```text
//! [ M  Φᵀ ] [ z̈ ]   [ τ + Σ B_kᵀ ( f_k − V_k ×ᶠ I_k V_k − I_k β_k ) ]
//! [ Φ  0  ] [ λ ] = [ −w · (β_j − β_i) − κ                           ],   M = Σ B_kᵀ I_k B_k
//! ```
//! with β the bias of the open tree and a row z̈ = given for each driven coordinate. It knows
//! nothing of clusters, partitions and unit motions; it serves tests and diagnosis. A mechanism
//! with redundant rows is solved in the least-squares sense.

use crate::dynamics::{Workspace, apply_forces, forward};
use crate::forces::Tyre;
use crate::math::Motion;
use crate::model::{Model, PrimitiveKind};
use crate::state::{Inputs, State};
use nalgebra::{DMatrix, DVector};

/// Accelerations of all coordinates.
pub fn accelerations(
    model: &Model,
    state: &mut State,
    inputs: &Inputs,
    tyre: &mut impl Tyre,
    workspace: &mut Workspace,
) -> Vec<f64> {
    forward(model, state, inputs, workspace);
    apply_forces(model, state, inputs, tyre, workspace);
    solve(model, state, inputs, workspace)
}

/// The same from a workspace with kinematics and forces.
pub fn solve(model: &Model, state: &State, inputs: &Inputs, workspace: &Workspace) -> Vec<f64> {
    let count = model.velocity_count();
    let driven: Vec<usize> =
        model.driven.iter().flat_map(|it| it.coordinates.iter().map(|(_, velocity)| *velocity)).collect();
    let size = count + model.rows.len() + driven.len();
    let (mut matrix, mut right) = (DMatrix::zeros(size, size), DVector::zeros(size));
    let biases = tree_accelerations(model, state, workspace, &vec![0.0; count]);
    for (k, force) in workspace.joint_force.iter().enumerate() {
        right[k] = *force;
    }
    for (slot, bias) in biases.iter().enumerate().skip(1) {
        let (inertia, velocity) = (workspace.rigid_inertia(model, slot), workspace.frame[slot].velocity);
        let momentum = inertia.mul(&velocity);
        let net = workspace.force[slot] - velocity.cross_force(&momentum) - inertia.mul(bias);
        let path = path(model, slot);
        for row in &path {
            right[*row] += net.dot(&workspace.axis[*row]);
            let pushed = inertia.mul(&workspace.axis[*row]);
            for column in &path {
                matrix[(*row, *column)] += pushed.dot(&workspace.axis[*column]);
            }
        }
    }
    for (index, row) in model.rows.iter().enumerate() {
        let [i, j] = row.bodies;
        let (at, wrench) = (count + index, workspace.row_wrench(row));
        for (slot, sign) in [(i, -1.0), (j, 1.0)] {
            for column in path(model, slot) {
                let entry = sign * wrench.dot(&workspace.axis[column]);
                matrix[(at, column)] += entry;
                matrix[(column, at)] += entry;
            }
        }
        right[at] = -wrench.dot(&(biases[j] - biases[i])) - workspace.row_bias(row);
    }
    for (index, (column, drive)) in driven.iter().zip(&inputs.driven).enumerate() {
        let at = count + model.rows.len() + index;
        matrix[(at, *column)] = 1.0;
        matrix[(*column, at)] = 1.0;
        right[at] = drive[2];
    }
    let redundant = state.partitions.iter().map(|it| it.rows.len() - it.rank).sum::<usize>() > 0;
    let solved =
        if redundant { matrix.svd(true, true).solve(&right, 1e-11).ok() } else { matrix.full_piv_lu().solve(&right) };
    solved.map_or_else(|| vec![f64::NAN; count], |all| all.iter().take(count).copied().collect())
}

/// Velocity coordinates between the ground and a slot.
fn path(model: &Model, mut slot: usize) -> Vec<usize> {
    let mut columns = Vec::new();
    while slot != 0 {
        let body = &model.bodies[slot];
        for primitive in &model.primitives[body.primitives.clone()] {
            columns.extend(primitive.velocities());
        }
        slot = body.parent;
    }
    columns
}

/// Accelerations of all bodies less gravity, by slot, for given accelerations of the coordinates;
/// with zeros the biases β of the open tree.
pub(crate) fn tree_accelerations(model: &Model, state: &State, workspace: &Workspace, given: &[f64]) -> Vec<Motion> {
    let mut found = vec![Motion::translation(-model.description.gravity)];
    for body in &model.bodies[1..] {
        let (mut velocity, mut acceleration) = (workspace.frame[body.parent].velocity, found[body.parent]);
        for primitive in &model.primitives[body.primitives.clone()] {
            let mut relative = Motion::ZERO;
            for column in primitive.velocities() {
                relative += workspace.axis[column] * state.velocity[column];
                acceleration += workspace.axis[column] * given[column];
            }
            debug_assert!(primitive.kind == PrimitiveKind::Ball || primitive.velocities().len() == 1);
            acceleration += velocity.cross(&relative);
            velocity += relative;
        }
        found.push(acceleration);
    }
    found
}
