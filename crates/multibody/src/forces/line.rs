//! Translational spring, damper and actuator between two points (TSDA).
//!
//! ```text
//! d = p_j − p_i,  l = |d|,  l̇ = d·(v_j − v_i)/l                                               (1)
//! f = law(l, l̇) + u      tension positive, see [`super::Law`]                                 (2)
//! ```
//! Body i is pulled along d with f, body j the other way; at a common pole the two wrenches are
//! exactly opposite.

use super::{Attachment, Law};
use crate::description::BodyId;
use crate::dynamics::Workspace;
use crate::math::{ForceOf, MatrixOf, MotionOf, Number, Vector3, VectorOf};
use crate::model::Model;
use crate::state::Inputs;

/// A spring along a line, as described.
#[derive(Clone, Debug, PartialEq)]
pub struct Tsda {
    /// Unique name.
    pub name: String,
    /// First and second body.
    pub bodies: [BodyId; 2],
    /// `m` Points in the drawing.
    pub points: [Vector3; 2],
    /// Over the length; its lower stop is the bump stop, its upper one the rebound stop.
    pub law: Law,
    /// Whether there is an input u.
    pub actuator: bool,
}

impl Tsda {
    /// Between two points, without an input.
    pub fn new(name: impl Into<String>, bodies: [BodyId; 2], points: [Vector3; 2], law: Law) -> Self {
        Self { name: name.into(), bodies, points, law, actuator: false }
    }
}

/// The same, resolved.
#[derive(Clone, Debug)]
pub(super) struct Line {
    ends: [Attachment; 2],
    law: Law,
    channel: Option<usize>,
    /// Whether eq. (2) has no curve, no stop and no input.
    linear: bool,
}

impl Line {
    pub(super) fn new(model: &Model, element: &Tsda, channel: Option<usize>) -> Self {
        Self {
            ends: [0, 1].map(|k| Attachment::new(model, element.bodies[k], element.points[k])),
            law: element.law.clone(),
            channel,
            linear: element.law.is_linear() && channel.is_none(),
        }
    }

    /// Eq. (2).
    #[inline]
    fn pull(&self, length: f64, rate: f64, inputs: &Inputs) -> f64 {
        if self.linear {
            return self.law.linear(length, rate);
        }
        self.law.force(length, rate) + self.channel.map_or(0.0, |channel| inputs.actuators[channel])
    }

    pub(super) fn energy(&self, workspace: &Workspace) -> f64 {
        self.law.energy((workspace.point(self.ends[1]) - workspace.point(self.ends[0])).norm())
    }
}

/// `m` Springs shorter than this have no direction: their force fades out.
const LENGTH_MIN: f64 = 1e-9;

/// One element, or two side by side in lanes: neighbours in the list.
#[derive(Clone, Debug)]
pub(super) struct Lines<T> {
    first: usize,
    /// Slots by end and lane.
    slots: [[usize; 2]; 2],
    locals: [VectorOf<T>; 2],
}

impl<T: Number> Lines<T> {
    pub(super) fn new(lines: &[Line], first: usize) -> Self {
        let end = |end: usize, lane: usize| lines[first + lane % T::LANES].ends[end];
        Self {
            first,
            slots: [0, 1].map(|it| [0, 1].map(|lane| end(it, lane).slot)),
            locals: [0, 1].map(|it| VectorOf::gather(|lane| end(it, lane).local)),
        }
    }

    #[inline(always)]
    pub(super) fn apply(&self, lines: &[Line], inputs: &Inputs, workspace: &mut Workspace) {
        let ends = [0, 1].map(|end| {
            let frames = self.slots[end].map(|slot| &workspace.frame[slot]);
            let rotation: MatrixOf<T> = MatrixOf::gather(|lane| &frames[lane].rotation);
            let point = VectorOf::gather(|lane| frames[lane].origin) + rotation * self.locals[end];
            let velocity: MotionOf<T> = MotionOf::gather(|lane| frames[lane].velocity);
            (point, velocity.at(point))
        });
        let [(pi, vi), (pj, vj)] = ends;
        // Eq. (1)
        let d = pj - pi;
        let length = d.dot(d).sqrt();
        let direction = d * (T::splat(1.0) / length.max(T::splat(LENGTH_MIN)));
        let rate = direction.dot(vj - vi);
        let pull = |lane: usize| lines[self.first + lane].pull(length.lane(lane), rate.lane(lane), inputs);
        let wrench = ForceOf::at(direction * T::gather(pull), pi);
        for lane in 0..T::LANES {
            workspace.force[self.slots[0][lane]] += wrench.lane(lane);
            workspace.force[self.slots[1][lane]] -= wrench.lane(lane);
        }
    }
}
