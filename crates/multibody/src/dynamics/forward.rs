//! Forward pass: positions, loop closure, velocities, biases, unit motions, cluster by cluster.

use super::tasks::forward_task;
use super::{Workspace, loops};
use crate::math::{MatrixOf, Motion, MotionOf, Number, Quaternion, QuaternionOf, Vector3, VectorOf, sin_cos};
use crate::model::{BodySlot, Cluster, Model, Primitive, PrimitiveKind};
use crate::state::{Inputs, State};

/// How a forward pass went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Status {
    /// Newton iterations of the cluster that needed most.
    pub iterations: u32,
    /// Clusters that chose other independent coordinates.
    pub repartitions: u32,
    /// Largest violation that was left.
    pub violation: f64,
}

impl Status {
    /// The worse of two.
    pub fn worst(self, other: Self) -> Self {
        Self {
            iterations: self.iterations.max(other.iterations),
            repartitions: self.repartitions + other.repartitions,
            violation: self.violation.max(other.violation),
        }
    }
}

/// Closes all loops by moving the dependent coordinates, sets the dependent velocities, and fills
/// the workspace with everything that follows from position and velocity. Forces are cleared.
pub fn forward(model: &Model, state: &mut State, inputs: &Inputs, workspace: &mut Workspace) -> Status {
    begin(model, state, workspace);
    let mut lanes = std::mem::take(&mut workspace.lanes);
    let mut status = Status::default();
    for task in &model.schedule.tasks {
        if let Some(one) = forward_task(model, *task, &mut lanes, state, inputs, workspace) {
            status = status.worst(one);
        }
    }
    workspace.lanes = lanes;
    status
}

/// Chooses the pole and clears the forces.
fn begin(model: &Model, state: &State, workspace: &mut Workspace) {
    workspace.pole = pole(model, state);
    workspace.frame[0].origin = -workspace.pole;
    workspace.frame[0].bias = Motion::translation(-model.description.gravity);
    workspace.force.fill(Default::default());
    workspace.joint_force.fill(0.0);
}

/// The general forward pass of a cluster.
pub(super) fn general(
    model: &Model,
    index: usize,
    state: &mut State,
    inputs: &Inputs,
    workspace: &mut Workspace,
) -> Status {
    let cluster = &model.clusters[index];
    let mut status = Status::default();
    if let Some(driven) = cluster.driven {
        let driven = &model.driven[driven];
        for ((position, velocity), drive) in driven.coordinates.iter().zip(&inputs.driven[driven.first..]) {
            state.position[*position] = drive[0];
            state.velocity[*velocity] = drive[1];
            workspace.offset[*velocity] = drive[2];
        }
    }
    place(model, state, cluster, workspace);
    if !cluster.rows.is_empty() {
        status = loops::close(model, state, index, workspace);
    }
    propagate(model, state, cluster, workspace);
    if !cluster.rows.is_empty() {
        loops::solve_offsets(model, &state.partitions[index], cluster, workspace);
    }
    if cluster.driven.is_some() || !cluster.rows.is_empty() {
        propagate_offsets(model, cluster, workspace);
    }
    if !cluster.rows.is_empty() {
        loops::unit_motions(model, &state.partitions[index], cluster, workspace);
    }
    status
}

fn pole(model: &Model, state: &State) -> Vector3 {
    model.pole.map_or(Vector3::ZERO, |pole| {
        let [x, y, z] = pole.positions.map(|index| state.position[index]);
        pole.offset + Vector3::new(x, y, z)
    })
}

/// The orientation of a ball.
#[inline]
pub(crate) fn quaternion(position: &[f64], at: usize) -> Quaternion {
    ball(|k| position[at + k])
}

/// The orientation that four coordinates give.
#[inline(always)]
pub(super) fn ball<T: Number>(coordinate: impl Fn(usize) -> T) -> QuaternionOf<T> {
    QuaternionOf { w: coordinate(0), v: VectorOf::new(coordinate(1), coordinate(2), coordinate(3)) }
}

/// Rotations, origins and joint axes of a cluster.
#[inline]
pub(super) fn place(model: &Model, state: &State, cluster: &Cluster, workspace: &mut Workspace) {
    for slot in cluster.bodies.clone() {
        let body = &model.bodies[slot];
        let mut rotation = workspace.frame[body.parent].rotation;
        let mut origin = workspace.frame[body.parent].origin + rotation * body.offset;
        for primitive in primitives(model, body) {
            let coordinate = |k: usize| state.position[primitive.position + k];
            let axes = &mut workspace.axis[primitive.velocity..];
            move_frame::<f64, true>(&primitive.kind, coordinate, &mut rotation, &mut origin, axes);
        }
        workspace.frame[slot].rotation = rotation;
        workspace.frame[slot].origin = origin;
    }
}

#[inline]
fn primitives<'a>(model: &'a Model, body: &BodySlot) -> &'a [Primitive] {
    &model.primitives[body.primitives.clone()]
}

/// Turns or shifts a frame; fills the first of `axes` where they are wanted.
#[inline(always)]
pub(super) fn move_frame<T: Number, const AXES: bool>(
    kind: &PrimitiveKind<T>,
    coordinate: impl Fn(usize) -> T,
    rotation: &mut MatrixOf<T>,
    origin: &mut VectorOf<T>,
    axes: &mut [MotionOf<T>],
) {
    match *kind {
        PrimitiveKind::Revolute { axis } => {
            if AXES {
                axes[0] = MotionOf::rotation(*rotation * axis, *origin);
            }
            let (sine, cosine) = sin_cos(coordinate(0));
            *rotation = *rotation * MatrixOf::about(axis, sine, cosine);
        }
        PrimitiveKind::Translation { axis } => {
            let world = *rotation * axis;
            if AXES {
                axes[0] = MotionOf::translation(world);
            }
            *origin += world * coordinate(0);
        }
        PrimitiveKind::Screw { axis, pitch } => {
            let (world, angle) = (*rotation * axis, coordinate(0));
            if AXES {
                axes[0] = MotionOf::rotation(world, *origin) + MotionOf::translation(world * pitch);
            }
            let (sine, cosine) = sin_cos(angle);
            *origin += world * (pitch * angle);
            *rotation = *rotation * MatrixOf::about(axis, sine, cosine);
        }
        PrimitiveKind::Ball => {
            *rotation = *rotation * ball(coordinate).to_matrix();
            if AXES {
                for (axis, world) in axes.iter_mut().zip(&rotation.columns) {
                    *axis = MotionOf::rotation(*world, *origin);
                }
            }
        }
    }
}

/// Velocities and biases of a cluster: eq. (1) and (2).
#[inline]
fn propagate(model: &Model, state: &State, cluster: &Cluster, workspace: &mut Workspace) {
    for slot in cluster.bodies.clone() {
        let body = &model.bodies[slot];
        let (mut velocity, mut bias) = (workspace.frame[body.parent].velocity, workspace.frame[body.parent].bias);
        for primitive in primitives(model, body) {
            let column = primitive.velocity;
            let mut relative = workspace.axis[column] * state.velocity[column];
            if primitive.kind == PrimitiveKind::Ball {
                relative += workspace.axis[column + 1] * state.velocity[column + 1]
                    + workspace.axis[column + 2] * state.velocity[column + 2];
            }
            bias += velocity.cross(&relative);
            velocity += relative;
        }
        workspace.frame[slot].velocity = velocity;
        workspace.frame[slot].bias = bias;
    }
}

/// Known accelerations: the second part of eq. (4).
#[inline]
fn propagate_offsets(model: &Model, cluster: &Cluster, workspace: &mut Workspace) {
    // The free acceleration is not in use yet: it holds the sum along the chain.
    for slot in cluster.bodies.clone() {
        let body = &model.bodies[slot];
        let mut known =
            if cluster.bodies.contains(&body.parent) { workspace.free_acceleration[body.parent] } else { Motion::ZERO };
        for primitive in primitives(model, body) {
            for column in primitive.velocities() {
                known += workspace.axis[column] * workspace.offset[column];
            }
        }
        workspace.free_acceleration[slot] = known;
        workspace.frame[slot].bias += known;
    }
}
