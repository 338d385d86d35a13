//! Reactions: what joints transmit. Off the step path.
//!
//! With all accelerations known, each body needs the wrench n_k = I_k V̇_k + V_k ×ᶠ I_k V_k − f_k
//! from its joints. For a tree coordinate j of a cluster, with F the sum of n over everything
//! outboard,
//! ```text
//! s_jᵀ F = τ_j + Σ_r Φ_rj λ_r                                                               (1)
//! ```
//! The dependent coordinates give the multipliers λ; then the tree joints follow from the tips
//! inwards. Rows that do not decide get no force (in a redundant mechanism the split among them is
//! not determined by rigid bodies).

use crate::dynamics::{Workspace, apply_forces, evaluate, forward};
use crate::forces::Tyre;
use crate::math::{Force, Motion, Vector3};
use crate::model::{Cluster, Model};
use crate::state::{Inputs, Partition, State};
use nalgebra::{DMatrix, DVector};

/// Wrenches at the pole.
#[derive(Clone, Debug)]
pub struct Reactions {
    /// `m` The pole on the earth.
    pub pole: Vector3,
    /// By slot: what the joint that carries a body exerts on it.
    pub tree: Vec<Force>,
    /// For each cut joint of the plan: what it exerts on its second body.
    pub cut: Vec<Force>,
    /// Force of the drive on each driven coordinate.
    pub driven: Vec<f64>,
}

impl Reactions {
    /// Force and moment about a point of the earth.
    pub fn about(&self, wrench: &Force, point: Vector3) -> (Vector3, Vector3) {
        let arm = point - self.pole;
        (wrench.force, wrench.moment - arm.cross(wrench.force))
    }

    /// What a joint exerts on its second body; none for an unknown joint.
    pub fn of_joint(&self, model: &Model, joint: usize) -> Option<Force> {
        if let Some(place) = model.plan.cut.iter().position(|cut| *cut == joint) {
            return self.cut.get(place).copied();
        }
        let carried =
            |edge: &Option<crate::topology::TreeJoint>| edge.as_ref().is_some_and(|edge| edge.joint == Some(joint));
        let body = model.plan.tree.iter().position(carried)?;
        let reversed = model.plan.tree[body].as_ref().is_some_and(|edge| edge.reversed);
        let wrench = self.tree[model.slot_of[body]];
        Some(if reversed { -wrench } else { wrench })
    }
}

/// All reactions at a state.
pub fn reactions(
    model: &Model,
    state: &mut State,
    inputs: &Inputs,
    tyre: &mut impl Tyre,
    workspace: &mut Workspace,
) -> Reactions {
    evaluate(model, state, inputs, tyre, workspace);
    let count = model.bodies.len();
    let accelerations: Vec<Motion> = (0..count).map(|slot| workspace.proper_acceleration(model, slot)).collect();
    forward(model, state, inputs, workspace);
    apply_forces(model, state, inputs, tyre, workspace);
    let (transmitted, multipliers) = transmitted(model, state, workspace, &accelerations);
    let driven = model.driven.iter().flat_map(|driven| &driven.coordinates);
    let slots = slot_of_velocity(model);
    let driven = driven.map(|(_, velocity)| {
        transmitted[slots[*velocity]].dot(&workspace.axis[*velocity]) - workspace.joint_force[*velocity]
    });
    let found = Reactions {
        pole: workspace.pole,
        driven: driven.collect(),
        cut: cut_wrenches(model, workspace, &multipliers),
        tree: transmitted,
    };
    // What was added to the bodies would count as forces from outside in the next step.
    forward(model, state, inputs, workspace);
    found
}

/// What the joint of each slot has to transmit so that the bodies accelerate as given (less
/// gravity), and the multipliers: after a forward pass with its forces.
pub(crate) fn transmitted(
    model: &Model,
    state: &State,
    workspace: &Workspace,
    accelerations: &[Motion],
) -> (Vec<Force>, Vec<f64>) {
    let count = model.bodies.len();
    // n_k; gravity is in the accelerations.
    let mut needed: Vec<Force> = (0..count)
        .map(|slot| {
            let (inertia, velocity) = (workspace.rigid_inertia(model, slot), workspace.frame[slot].velocity);
            inertia.mul(&accelerations[slot]) + velocity.cross_force(&inertia.mul(&velocity)) - workspace.force[slot]
        })
        .collect();
    let multipliers = multipliers(model, state, workspace, &needed);
    for (row, lambda) in multipliers.iter().enumerate() {
        let [i, j] = model.rows[row].bodies;
        let wrench = workspace.row_wrench(&model.rows[row]) * *lambda;
        needed[j] -= wrench;
        needed[i] += wrench;
    }
    sum_outboard(model, &mut needed);
    (needed, multipliers)
}

/// Adds to each slot what is outboard of it.
fn sum_outboard(model: &Model, wrenches: &mut [Force]) {
    for slot in (1..model.bodies.len()).rev() {
        let wrench = wrenches[slot];
        wrenches[model.bodies[slot].parent] += wrench;
    }
}

/// The slot that each velocity coordinate moves first.
pub(crate) fn slot_of_velocity(model: &Model) -> Vec<usize> {
    let mut slots = vec![0; model.velocity_count()];
    for (slot, body) in model.bodies.iter().enumerate() {
        for primitive in &model.primitives[body.primitives.clone()] {
            primitive.velocities().for_each(|velocity| slots[velocity] = slot);
        }
    }
    slots
}

fn cut_wrenches(model: &Model, workspace: &Workspace, multipliers: &[f64]) -> Vec<Force> {
    let of = |joint: &usize| {
        let rows = (0..model.rows.len()).filter(|row| model.row_joint[*row] == *joint);
        let second = model.slot_of[model.description.joints[*joint].bodies[1].0];
        rows.fold(Force::ZERO, |sum, row| {
            let sign = if model.rows[row].bodies[1] == second { 1.0 } else { -1.0 };
            sum + workspace.row_wrench(&model.rows[row]) * (sign * multipliers[row])
        })
    };
    model.plan.cut.iter().map(of).collect()
}

/// λ of eq. (1), zero for rows that do not decide.
fn multipliers(model: &Model, state: &State, workspace: &Workspace, needed: &[Force]) -> Vec<f64> {
    let mut outboard = needed.to_vec();
    sum_outboard(model, &mut outboard);
    let slots = slot_of_velocity(model);
    let mut multipliers = vec![0.0; model.rows.len()];
    for (cluster, partition) in model.clusters.iter().zip(&state.partitions) {
        let rank = partition.rank;
        if rank == 0 {
            continue;
        }
        let column = |place: usize| cluster.velocities.start + partition.columns[place];
        let matrix = dependent_matrix(model, workspace, cluster, partition).transpose();
        let right = DVector::from_fn(rank, |place, _| {
            let velocity = column(place);
            outboard[slots[velocity]].dot(&workspace.axis[velocity]) - workspace.joint_force[velocity]
        });
        if let Some(solved) = matrix.lu().solve(&right) {
            for (row, value) in solved.iter().enumerate() {
                multipliers[cluster.rows.start + partition.rows[row]] = *value;
            }
        }
    }
    multipliers
}

/// Φ_d of a cluster: deciding rows by dependent columns.
pub(crate) fn dependent_matrix(
    model: &Model,
    workspace: &Workspace,
    cluster: &Cluster,
    partition: &Partition,
) -> DMatrix<f64> {
    let width = cluster.velocities.len();
    DMatrix::from_fn(partition.rank, partition.rank, |row, column| {
        let (row, column) = (partition.rows[row], partition.columns[column]);
        let wrench = workspace.row_wrench(&model.rows[cluster.rows.start + row]);
        let sign = model.signs[cluster.signs + row * width + column];
        sign * wrench.dot(&workspace.axis[cluster.velocities.start + column])
    })
}
