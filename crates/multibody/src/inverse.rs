//! Inverse dynamics: the forces that a motion asks for, τ(q, q̇, q̈). Off the step path.
//!
//! The accelerations of the independent coordinates are given, those of the driven ones are inputs.
//! In a loop the dependent ones follow from the deciding rows, cluster by cluster in forward order
//! (w the wrench of a row between the bodies i and j, κ its bias):
//! ```text
//! w_r · (V̇_j − V̇_i) + κ_r = 0     with    V̇_k = V̇_p + Σ V_inboard ×ₘ s ż + Σ s z̈                (1)
//! ```
//! Then each joint transmits the sum F of n_k = I_k V̇_k + V_k ×ᶠ I_k V_k − f_k over everything
//! outboard (Luh, Walker and Paul 1980, at a common pole), less what cut joints take, see
//! [`crate::reaction`]; with Q the forces of springs on the coordinate
//! ```text
//! τ_j = s_jᵀ F − Q_j                                                                            (2)
//! ```
//! The multipliers of cut joints are such that no dependent coordinate needs a force. So in a loop
//! τ is the generalised force on the **independent coordinates**: what motors there would have to
//! give. On a driven coordinate it is the force of the drive.

use crate::dense::tree_accelerations;
use crate::dynamics::{Workspace, apply_forces, forward};
use crate::forces::Tyre;
use crate::model::{Cluster, Model};
use crate::reaction::{dependent_matrix, slot_of_velocity, transmitted};
use crate::state::{Inputs, Partition, State};
use nalgebra::DVector;

/// A motion and what it asks for, by velocity coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Motors {
    /// All accelerations: the given ones, those of the drives, and those that follow from the
    /// loops.
    pub acceleration: Vec<f64>,
    /// (Nm or N) τ: zero on dependent coordinates.
    pub force: Vec<f64>,
}

/// The forces that give the independent coordinates the accelerations wanted; of `wanted`, one
/// number for each velocity coordinate, the others are not read. Fed to
/// [`Workspace::add_joint_force`] between forward and backward pass, they give these accelerations
/// back.
pub fn inverse(
    model: &Model,
    state: &mut State,
    inputs: &Inputs,
    wanted: &[f64],
    tyre: &mut impl Tyre,
    workspace: &mut Workspace,
) -> Motors {
    forward(model, state, inputs, workspace);
    apply_forces(model, state, inputs, tyre, workspace);
    let acceleration = accelerations(model, state, inputs, wanted, workspace);
    let bodies = tree_accelerations(model, state, workspace, &acceleration);
    let (wrenches, _) = transmitted(model, state, workspace, &bodies);
    let slots = slot_of_velocity(model);
    let driven = model.driven.iter().flat_map(|it| &it.coordinates);
    let mut force = vec![0.0; model.velocity_count()];
    for index in state.independent(model).chain(driven.map(|(_, velocity)| *velocity)) {
        // Eq. (2)
        force[index] = wrenches[slots[index]].dot(&workspace.axis[index]) - workspace.joint_force[index];
    }
    // What was added to the bodies would count as forces from outside in the next step.
    forward(model, state, inputs, workspace);
    Motors { acceleration, force }
}

/// Accelerations of all coordinates from those of the independent ones.
fn accelerations(model: &Model, state: &State, inputs: &Inputs, wanted: &[f64], workspace: &Workspace) -> Vec<f64> {
    let mut found = vec![0.0; model.velocity_count()];
    for index in state.independent(model) {
        found[index] = wanted[index];
    }
    let driven = model.driven.iter().flat_map(|it| &it.coordinates);
    for ((_, velocity), drive) in driven.zip(&inputs.driven) {
        found[*velocity] = drive[2];
    }
    for (cluster, partition) in model.clusters.iter().zip(&state.partitions) {
        if partition.rank > 0 {
            close(model, state, workspace, cluster, partition, &mut found);
        }
    }
    found
}

/// Eq. (1): what is missing with the dependent ones at zero decides them.
fn close(
    model: &Model,
    state: &State,
    workspace: &Workspace,
    cluster: &Cluster,
    partition: &Partition,
    found: &mut [f64],
) {
    let bodies = tree_accelerations(model, state, workspace, found);
    let missing = DVector::from_fn(partition.rank, |place, _| {
        let row = &model.rows[cluster.rows.start + partition.rows[place]];
        let [i, j] = row.bodies;
        -workspace.row_wrench(row).dot(&(bodies[j] - bodies[i])) - workspace.row_bias(row)
    });
    let solved = dependent_matrix(model, workspace, cluster, partition).lu().solve(&missing);
    for place in 0..partition.rank {
        let column = cluster.velocities.start + partition.columns[place];
        found[column] = solved.as_ref().map_or(f64::NAN, |it| it[place]);
    }
}
