//! Spring, damper and actuator on a joint coordinate (RSDA), or on the difference of two.
//!
//! ```text
//! n = n₀ + k (θ − θ₀) + c θ̇ + S(θ − θ₀) + D(θ̇) + stops − u,    Q = −n                         (1)
//! ```
//! Joint angles of the tree are not wrapped, so revolutions count by themselves.

use super::{Curve, Stop};
use crate::description::JointKind;
use crate::dynamics::Workspace;
use crate::model::{BuildError, Model};
use crate::state::{Inputs, State};

/// A spring on a coordinate, as described. For a displacement read metres and newtons for radians
/// and newton metres.
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
    /// `rad` θ₀
    pub free: f64,
    /// [Nm/rad] k
    pub stiffness: f64,
    /// [Nms/rad] c
    pub damping: f64,
    /// `Nm` n₀
    pub preload: f64,
    /// S
    pub spring: Option<Curve>,
    /// D
    pub damper: Option<Curve>,
    /// Acts below its limit.
    pub lower: Option<Stop>,
    /// Acts above its limit.
    pub upper: Option<Stop>,
    /// Whether there is an input u.
    pub actuator: bool,
}

/// The same, resolved: position and velocity indices.
#[derive(Clone, Debug)]
pub(super) struct Rotational {
    on: (usize, usize),
    against: Option<(usize, usize)>,
    element: Rsda,
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
            element: element.clone(),
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
        let torque = self.torque(angle, rate) - self.channel.map_or(0.0, |channel| inputs.actuators[channel]);
        workspace.joint_force[self.on.1] -= torque;
        if let Some((_, velocity)) = self.against {
            workspace.joint_force[velocity] += torque;
        }
    }

    /// Eq. (1) without the input.
    #[inline]
    fn torque(&self, angle: f64, rate: f64) -> f64 {
        let it = &self.element;
        let turned = angle - it.free;
        let mut torque = it.preload + it.stiffness * turned + it.damping * rate;
        if let Some(curve) = &it.spring {
            torque += curve.value(turned);
        }
        if let Some(curve) = &it.damper {
            torque += curve.value(rate);
        }
        if let Some(stop) = &it.lower {
            torque += stop.below(angle, rate);
        }
        if let Some(stop) = &it.upper {
            torque += stop.above(angle, rate);
        }
        torque
    }

    pub(super) fn energy(&self, state: &State) -> f64 {
        let it = &self.element;
        let angle = state.position[self.on.0] - self.against.map_or(0.0, |(position, _)| state.position[position]);
        let turned = angle - it.free;
        it.preload * turned
            + 0.5 * it.stiffness * turned * turned
            + it.spring.as_ref().map_or(0.0, |curve| curve.integral(turned))
            + it.lower.map_or(0.0, |stop| stop.energy(stop.limit - angle))
            + it.upper.map_or(0.0, |stop| stop.energy(angle - stop.limit))
    }
}
