//! Rotors in lanes: wheels that are lumped into their carriers.
//!
//! With a the axis, J the moment about it, ω and β those of the carrier and σ the spin against the
//! earth, eq. (5)–(8) shrink to
//! ```text
//! σ = a·ω + θ̇,      q = τ + F·(a, p × a)                                                      (1)
//! θ̈ = q/J − a·β − a·A_ω,      ŵ = F − ( (ω × a) J σ + a q, 0 )                                 (2)
//! ```
//! because ω × a and a are at right angles. The step needs place, velocity and axis for the tyre,
//! and no more: bias and acceleration of the body are worked out when they are asked for.

use crate::dynamics::Workspace;
use crate::dynamics::articulated::push;
use crate::math::{ForceOf, MatrixOf, MotionOf, Number, VectorOf};
use crate::model::Rotor;
use crate::state::State;

/// What the kernel of a rotor keeps from one pass to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct RotorKernel<T> {
    axis: MotionOf<T>,
    /// (ω × a) J σ
    gyroscopic: VectorOf<T>,
    /// a·β
    known: T,
    /// q/J − a·β
    response: T,
}

impl<T: Number> RotorKernel<T> {
    /// Position and velocity.
    #[inline(always)]
    pub(crate) fn forward(&mut self, rotor: &Rotor<T>, state: &State, workspace: &mut Workspace) {
        let parents = rotor.parents;
        let carriers = parents.map(|slot| &workspace.frame[slot]);
        let carrier: MatrixOf<T> = MatrixOf::gather(|lane| &carriers[lane].rotation);
        let origin = VectorOf::gather(|lane| carriers[lane].origin) + carrier * rotor.offset;
        let velocity: MotionOf<T> = MotionOf::gather(|lane| carriers[lane].velocity);
        let bias = VectorOf::gather(|lane| carriers[lane].bias.angular);
        let axis = MotionOf::rotation(carrier * rotor.axis, origin);
        let rate = T::gather(|lane| state.velocity[rotor.velocities[lane]]);
        let a = axis.angular;
        // Eq. (1)
        let spin = a.dot(velocity.angular) + rate;
        self.axis = axis;
        self.gyroscopic = velocity.angular.cross(a) * (rotor.inertia * spin);
        self.known = a.dot(bias);
        let velocity = velocity + axis * rate;
        for lane in 0..T::LANES {
            let slot = rotor.slots[lane];
            workspace.spin[slot] = state.position[rotor.positions[lane]];
            let frame = &mut workspace.frame[slot];
            (frame.origin, frame.velocity) = (origin.lane(lane), velocity.lane(lane));
            workspace.axis[rotor.velocities[lane]] = axis.lane(lane);
        }
    }

    /// Eq. (2): what it leaves to its carrier.
    #[inline(always)]
    pub(crate) fn backward(&mut self, rotor: &Rotor<T>, workspace: &mut Workspace) {
        let mut force: ForceOf<T> = ForceOf::gather(|lane| workspace.force[rotor.slots[lane]]);
        let given = T::gather(|lane| workspace.joint_force[rotor.velocities[lane]]);
        let torque = given + force.dot(&self.axis);
        self.response = torque / rotor.inertia - self.known;
        force.moment -= self.gyroscopic + self.axis.angular * torque;
        push(rotor.parents, force, workspace);
    }

    /// Its own acceleration.
    #[inline(always)]
    pub(crate) fn outward(&self, rotor: &Rotor<T>, workspace: &mut Workspace) {
        let parent = VectorOf::gather(|lane| workspace.free_acceleration[rotor.parents[lane]].angular);
        let acceleration = self.response - self.axis.angular.dot(parent);
        for lane in 0..T::LANES {
            workspace.acceleration[rotor.velocities[lane]] = acceleration.lane(lane);
        }
    }
}
