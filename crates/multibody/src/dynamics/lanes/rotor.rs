//! Rotors in lanes: wheels that are lumped into their carriers.

use super::zero_motion;
use crate::dynamics::Workspace;
use crate::math::{ForceOf, MatrixOf, MotionOf, Number, VectorOf};
use crate::model::Rotor;
use crate::state::State;

/// What a rotor remembers from one pass to the next.
#[derive(Clone, Debug)]
pub(crate) struct RotorMemory<T> {
    axis: MotionOf<T>,
    velocity: VectorOf<T>,
    bias: VectorOf<T>,
    response: T,
}

impl<T: Number> RotorMemory<T> {
    pub(crate) fn new() -> Self {
        let zero = zero_motion::<T>();
        Self {
            axis: zero,
            velocity: zero.angular,
            bias: zero.angular,
            response: T::splat(0.0),
        }
    }

    /// Position, velocity and bias.
    pub(crate) fn forward(&mut self, rotor: &Rotor<T>, state: &State, workspace: &mut Workspace) {
        let parent = |lane: usize| rotor.parents[lane];
        let carrier: MatrixOf<T> = MatrixOf::gather(|lane| &workspace.rotation[parent(lane)]);
        let origin = VectorOf::gather(|lane| workspace.origin[parent(lane)]) + carrier * rotor.offset;
        let velocity: MotionOf<T> = MotionOf::gather(|lane| workspace.velocity[parent(lane)]);
        let bias: MotionOf<T> = MotionOf::gather(|lane| workspace.bias[parent(lane)]);
        let axis = MotionOf::rotation(carrier * rotor.axis, origin);
        let relative = axis * T::gather(|lane| state.velocity[rotor.velocities[lane]]);
        let (bias, velocity) = (bias + velocity.cross(&relative), velocity + relative);
        *self = Self {
            axis,
            velocity: velocity.angular,
            bias: bias.angular,
            response: self.response,
        };
        for lane in 0..T::LANES {
            let slot = rotor.slots[lane];
            workspace.rotation[slot] = workspace.rotation[parent(lane)];
            workspace.spin[slot] = state.position[rotor.positions[lane]];
            workspace.origin[slot] = origin.lane(lane);
            workspace.velocity[slot] = velocity.lane(lane);
            workspace.bias[slot] = bias.lane(lane);
            workspace.axis[rotor.velocities[lane]] = axis.lane(lane);
        }
    }

    /// Eq. (5)–(8) with inertia J about the axis a: K̂ is zero, L = (J a, 0), m = J.
    pub(crate) fn backward(&mut self, rotor: &Rotor<T>, workspace: &mut Workspace) {
        let a = self.axis.angular;
        let momentum = a * (rotor.inertia * a.dot(self.velocity));
        let known = a * (rotor.inertia * a.dot(self.bias));
        let mut force: ForceOf<T> = ForceOf::gather(|lane| workspace.force[rotor.slots[lane]]);
        force.moment -= self.velocity.cross(momentum) + known;
        let given = T::gather(|lane| workspace.joint_force[rotor.velocities[lane]]);
        let torque = given + force.dot(&self.axis);
        self.response = torque / rotor.inertia;
        force.moment -= a * torque;
        // Two on one carrier count as one, so that the sum of a carrier takes one term from each task.
        if T::LANES == 2 && rotor.parents[0] == rotor.parents[1] {
            workspace.force[rotor.parents[0]] += force.lane(0) + force.lane(1);
        } else {
            for lane in 0..T::LANES {
                workspace.force[rotor.parents[lane]] += force.lane(lane);
            }
        }
    }

    /// Its own acceleration.
    pub(crate) fn outward(&self, rotor: &Rotor<T>, workspace: &mut Workspace) {
        let parent: MotionOf<T> = MotionOf::gather(|lane| workspace.free_acceleration[rotor.parents[lane]]);
        let acceleration = self.response - self.axis.angular.dot(parent.angular);
        let free = parent + self.axis * acceleration;
        for lane in 0..T::LANES {
            workspace.free_acceleration[rotor.slots[lane]] = free.lane(lane);
            workspace.acceleration[rotor.velocities[lane]] = acceleration.lane(lane);
        }
    }
}
