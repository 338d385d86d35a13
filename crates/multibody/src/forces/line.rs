//! Translational spring, damper and actuator between two points (TSDA).
//!
//! ```text
//! d = p_j − p_i,  l = |d|,  l̇ = d·(v_j − v_i)/l                                               (1)
//! f = f₀ + k (l − l₀) + c l̇ + S(l − l₀) + D(l̇) + stops + u      tension positive            (2)
//! ```
//! Body i is pulled along d with f, body j the other way; at a common pole the two wrenches are
//! exactly opposite.

use super::{Attachment, Curve};
use crate::description::BodyId;
use crate::dynamics::Workspace;
use crate::math::{ForceOf, MatrixOf, MotionOf, Number, Vector3, VectorOf};
use crate::model::Model;
use crate::state::Inputs;

/// A stop: a spring and damper that act beyond a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// `m` or `rad`
    pub limit: f64,
    /// [N/m] or [Nm/rad]
    pub stiffness: f64,
    /// [Ns/m] or [Nms/rad]
    pub damping: f64,
}

impl Stop {
    /// Force of a stop that acts below its limit: never above zero.
    #[inline]
    pub(super) fn below(&self, at: f64, rate: f64) -> f64 {
        if at < self.limit { (self.stiffness * (at - self.limit) + self.damping * rate).min(0.0) } else { 0.0 }
    }

    /// Force of a stop that acts above its limit: never below zero.
    #[inline]
    pub(super) fn above(&self, at: f64, rate: f64) -> f64 {
        if at > self.limit { (self.stiffness * (at - self.limit) + self.damping * rate).max(0.0) } else { 0.0 }
    }

    pub(super) fn energy(&self, beyond: f64) -> f64 {
        0.5 * self.stiffness * beyond.max(0.0).powi(2)
    }
}

/// A spring along a line, as described.
#[derive(Clone, Debug, PartialEq)]
pub struct Tsda {
    /// Unique name.
    pub name: String,
    /// First and second body.
    pub bodies: [BodyId; 2],
    /// `m` Points in the drawing.
    pub points: [Vector3; 2],
    /// `m` l₀
    pub free_length: f64,
    /// [N/m] k
    pub stiffness: f64,
    /// [Ns/m] c
    pub damping: f64,
    /// `N` f₀
    pub preload: f64,
    /// S
    pub spring: Option<Curve>,
    /// D
    pub damper: Option<Curve>,
    /// Pushes below its limit.
    pub bump: Option<Stop>,
    /// Pulls above its limit.
    pub rebound: Option<Stop>,
    /// Whether there is an input u.
    pub actuator: bool,
}

impl Tsda {
    /// Between two points, without any force.
    #[must_use]
    pub fn new(name: impl Into<String>, bodies: [BodyId; 2], points: [Vector3; 2]) -> Self {
        Self {
            name: name.into(),
            bodies,
            points,
            free_length: 0.0,
            stiffness: 0.0,
            damping: 0.0,
            preload: 0.0,
            spring: None,
            damper: None,
            bump: None,
            rebound: None,
            actuator: false,
        }
    }
}

/// The same, resolved.
#[derive(Clone, Debug)]
pub(super) struct Line {
    ends: [Attachment; 2],
    element: Tsda,
    channel: Option<usize>,
    /// Whether eq. (2) has no curve, no stop and no input.
    linear: bool,
}

impl Line {
    pub(super) fn new(model: &Model, element: &Tsda, channel: Option<usize>) -> Self {
        let end = |k: usize| Attachment::new(model, element.bodies[k], element.points[k]);
        Self {
            ends: [end(0), end(1)],
            element: element.clone(),
            channel,
            linear: element.spring.is_none()
                && element.damper.is_none()
                && element.bump.is_none()
                && element.rebound.is_none()
                && channel.is_none(),
        }
    }

    /// Eq. (2).
    #[inline]
    fn pull(&self, length: f64, rate: f64, inputs: &Inputs) -> f64 {
        if self.linear {
            let it = &self.element;
            return it.preload + it.stiffness * (length - it.free_length) + it.damping * rate;
        }
        self.tension(length, rate) + self.channel.map_or(0.0, |channel| inputs.actuators[channel])
    }

    /// Eq. (2) without the input.
    #[inline]
    fn tension(&self, length: f64, rate: f64) -> f64 {
        let it = &self.element;
        let stretch = length - it.free_length;
        let mut tension = it.preload + it.stiffness * stretch + it.damping * rate;
        if let Some(curve) = &it.spring {
            tension += curve.value(stretch);
        }
        if let Some(curve) = &it.damper {
            tension += curve.value(rate);
        }
        if let Some(stop) = &it.bump {
            tension += stop.below(length, rate);
        }
        if let Some(stop) = &it.rebound {
            tension += stop.above(length, rate);
        }
        tension
    }

    pub(super) fn energy(&self, workspace: &Workspace) -> f64 {
        let it = &self.element;
        let length = (workspace.point(self.ends[1]) - workspace.point(self.ends[0])).norm();
        let stretch = length - it.free_length;
        it.preload * stretch
            + 0.5 * it.stiffness * stretch * stretch
            + it.spring.as_ref().map_or(0.0, |curve| curve.integral(stretch))
            + it.bump.map_or(0.0, |stop| stop.energy(stop.limit - length))
            + it.rebound.map_or(0.0, |stop| stop.energy(length - stop.limit))
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
