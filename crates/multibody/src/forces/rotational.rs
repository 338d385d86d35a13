//! Spring, damper and actuator on a joint coordinate (RSDA), or on the difference of two.
//!
//! ```text
//! n = law(θ, θ̇) − u,    Q = −n,   see [`super::Law`]                                            (1)
//! ```
//! Joint angles of the tree are not wrapped, so revolutions count by themselves.

use super::Law;
use crate::description::JointKind;
use crate::dynamics::Workspace;
use crate::model::{BuildError, Model};
use crate::state::{Inputs, State};

/// A spring on a coordinate, as described.
#[derive(Clone, Debug, PartialEq)]
pub struct Rsda {
    /// Unique name.
    pub name: String,
    /// Joint of the description.
    pub joint: usize,
    /// The joint whose coordinate is subtracted.
    pub against: Option<usize>,
    /// Whether it acts on the displacement instead of the angle.
    pub displacement: bool,
    /// Over the coordinate.
    pub law: Law,
    /// Whether there is an input u.
    pub actuator: bool,
}

/// The same, resolved: position and velocity indices.
#[derive(Clone, Debug)]
pub(super) struct Rotational {
    on: (usize, usize),
    against: Option<(usize, usize)>,
    law: Law,
    channel: Option<usize>,
}

impl Rotational {
    pub(super) fn new(model: &Model, element: &Rsda, channel: Option<usize>) -> Result<Self, BuildError> {
        let find = |joint: usize| {
            let it = &model.description().joints[joint];
            let which = match (it.kind, element.displacement) {
                (JointKind::Revolute | JointKind::Cylindrical | JointKind::Screw, false) => Some(0),
                (JointKind::Translational, true) => Some(0),
                (JointKind::Cylindrical, true) => Some(1),
                _ => None,
            };
            let index = which.and_then(|which| model.coordinate(joint, which));
            index.ok_or_else(|| BuildError::NoCoordinate { spring: element.name.clone(), joint: it.name.clone() })
        };
        Ok(Self {
            on: find(element.joint)?,
            against: element.against.map(find).transpose()?,
            law: element.law.clone(),
            channel,
        })
    }

    #[inline]
    pub(super) fn apply(&self, state: &State, inputs: &Inputs, workspace: &mut Workspace) {
        let (mut angle, mut rate) = (state.position[self.on.0], state.velocity[self.on.1]);
        if let Some((position, velocity)) = self.against {
            angle -= state.position[position];
            rate -= state.velocity[velocity];
        }
        let torque = self.law.force(angle, rate) - self.channel.map_or(0.0, |channel| inputs.actuators[channel]);
        workspace.joint_force[self.on.1] -= torque;
        if let Some((_, velocity)) = self.against {
            workspace.joint_force[velocity] += torque;
        }
    }

    pub(super) fn energy(&self, state: &State) -> f64 {
        let against = self.against.map_or(0.0, |(position, _)| state.position[position]);
        self.law.energy(state.position[self.on.0] - against)
    }
}
