//! Antiroll bar as a force element, and forces at points.
//!
//! With p the two points, z the chassis' own vertical axis and b the drawn distance of the points:
//! ```text
//! φ = ( (p_left − p_right) · z − drawn ) / b,     F = k φ / b                                  (1)
//! ```
//! Left is pushed down by F z, right up, and the chassis takes both reactions.

use super::Attachment;
use crate::description::BodyId;
use crate::dynamics::Workspace;
use crate::math::{Force, Vector3};
use crate::model::Model;
use crate::state::Inputs;

/// An antiroll bar, as described.
#[derive(Clone, Debug, PartialEq)]
pub struct Antiroll {
    /// Unique name.
    pub name: String,
    /// The body that carries the bar.
    pub chassis: BodyId,
    /// Left and right wheel carrier.
    pub bodies: [BodyId; 2],
    /// `m` Points in the drawing.
    pub points: [Vector3; 2],
    /// [Nm/rad] k
    pub stiffness: f64,
}

/// A force at a point, as described.
#[derive(Clone, Debug, PartialEq)]
pub struct PointForce {
    /// Unique name.
    pub name: String,
    /// The body.
    pub body: BodyId,
    /// `m` Point in the drawing.
    pub point: Vector3,
    /// `N`
    pub force: Vector3,
    /// `Nm`
    pub torque: Vector3,
    /// Whether it turns with the body.
    pub body_axes: bool,
    /// Whether an input multiplies it.
    pub actuator: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Bar {
    chassis: usize,
    ends: [Attachment; 2],
    drawn: f64,
    distance: f64,
    stiffness: f64,
}

impl Bar {
    pub(super) fn new(model: &Model, it: &Antiroll) -> Self {
        let apart = it.points[0] - it.points[1];
        Self {
            chassis: model.slot(it.chassis),
            ends: [0, 1].map(|k| Attachment::new(model, it.bodies[k], it.points[k])),
            drawn: apart.z,
            distance: apart.norm(),
            stiffness: it.stiffness,
        }
    }

    /// Eq. (1): roll angle and vertical axis.
    fn roll(&self, workspace: &Workspace) -> (f64, Vector3) {
        let axis = workspace.frame[self.chassis].rotation.columns[2];
        let apart = workspace.point(self.ends[0]) - workspace.point(self.ends[1]);
        ((apart.dot(axis) - self.drawn) / self.distance, axis)
    }

    pub(super) fn apply(&self, workspace: &mut Workspace) {
        let (roll, axis) = self.roll(workspace);
        let push = axis * (self.stiffness * roll / self.distance);
        for (end, sign) in self.ends.iter().zip([-1.0, 1.0]) {
            let wrench = Force::at(push * sign, workspace.point(*end));
            workspace.force[end.slot] += wrench;
            workspace.force[self.chassis] -= wrench;
        }
    }

    pub(super) fn energy(&self, workspace: &Workspace) -> f64 {
        0.5 * self.stiffness * self.roll(workspace).0.powi(2)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Point {
    at: Attachment,
    force: Vector3,
    torque: Vector3,
    body_axes: bool,
    channel: Option<usize>,
}

impl Point {
    pub(super) fn new(model: &Model, it: &PointForce, channel: Option<usize>) -> Self {
        Self {
            at: Attachment::new(model, it.body, it.point),
            force: it.force,
            torque: it.torque,
            body_axes: it.body_axes,
            channel,
        }
    }

    pub(super) fn apply(&self, inputs: &Inputs, workspace: &mut Workspace) {
        let scale = self.channel.map_or(1.0, |channel| inputs.actuators[channel]);
        let (mut force, mut torque) = (self.force * scale, self.torque * scale);
        if self.body_axes {
            let rotation = workspace.frame[self.at.slot].rotation;
            (force, torque) = (rotation * force, rotation * torque);
        }
        let point = workspace.point(self.at);
        workspace.force[self.at.slot] += Force::at(force, point) + Force::torque(torque);
    }
}
