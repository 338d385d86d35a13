//! What there is to say of a mechanism at rest: pose of the base, loads of the wheels, lengths and
//! forces of the springs.

use crate::description::{BodyId, Description};
use crate::dynamics::Workspace;
use crate::forces::{ContactState, Tsda, Tyre};
use crate::math::{Matrix3, Vector3};
use crate::model::Model;
use crate::state::State;

/// Where a body is.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyPose {
    /// The body.
    pub name: String,
    /// `m` Where the origin of its drawing is on the earth.
    pub origin_m: Vector3,
    /// `rad` Roll, pitch, yaw of ISO 8855: yaw about z, then pitch about y, then roll about x.
    pub roll_pitch_yaw_rad: [f64; 3],
}

/// A wheel on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct WheelRest {
    /// The wheel.
    pub name: String,
    /// `m` Height of its centre.
    pub height_m: f64,
    /// `N` Force of the ground on it, upwards.
    pub load_n: f64,
    /// `m` How much the tyre is pressed in.
    pub deflection_m: f64,
}

/// A spring.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringRest {
    /// The spring.
    pub name: String,
    /// `m`
    pub length_m: f64,
    /// `N` Tension positive, actuators apart.
    pub force_n: f64,
}

/// A mechanism at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct AtRest {
    /// The base; the bodies on the ground when there is no floating base.
    pub poses: Vec<BodyPose>,
    /// All wheels.
    pub wheels: Vec<WheelRest>,
    /// All springs along lines.
    pub springs: Vec<SpringRest>,
    /// For each joint in the tree: its coordinates (a ball has a unit quaternion).
    pub coordinates: Vec<(String, Vec<f64>)>,
    /// (m/s² or rad/s²) Largest acceleration that is left.
    pub residual: f64,
}

/// Reads it off after an evaluation ([`crate::dynamics::evaluate`]).
pub fn at_rest(model: &Model, state: &State, tyre: &mut impl Tyre, workspace: &Workspace) -> AtRest {
    let description = model.description();
    let base = model.plan().base;
    let shown = |id: &usize| base == BodyId::GROUND || BodyId(*id) == base;
    let bodies = (1..description.bodies.len()).filter(shown);
    let accelerations = workspace.acceleration().iter();
    AtRest {
        poses: bodies.map(|id| pose(model, workspace, BodyId(id))).collect(),
        wheels: wheels(model, workspace, tyre),
        springs: description.tsda.iter().map(|it| spring(model, workspace, it)).collect(),
        coordinates: coordinates(model, state, description),
        residual: accelerations.fold(0.0, |max, it| it.abs().max(max)),
    }
}

fn pose(model: &Model, workspace: &Workspace, body: BodyId) -> BodyPose {
    BodyPose {
        name: model.description().bodies[body.0].name.clone(),
        origin_m: workspace.position(model, body, Vector3::ZERO),
        roll_pitch_yaw_rad: roll_pitch_yaw(&workspace.orientation(model, body)),
    }
}

/// Angles of R = R_z(yaw) R_y(pitch) R_x(roll).
pub fn roll_pitch_yaw(rotation: &Matrix3) -> [f64; 3] {
    let [x, y, z] = rotation.columns;
    [y.z.atan2(z.z), (-x.z).clamp(-1.0, 1.0).asin(), x.y.atan2(x.x)]
}

fn wheels(model: &Model, workspace: &Workspace, tyre: &mut impl Tyre) -> Vec<WheelRest> {
    let list = model.description().wheels.iter().enumerate();
    let rest = |(number, wheel): (usize, &crate::forces::Wheel)| {
        let centre = workspace.position(model, wheel.body, wheel.centre);
        let contact = ContactState {
            centre,
            centre_velocity: workspace.point_velocity(model, wheel.body, wheel.centre),
            axis: workspace.orientation(model, wheel.body) * wheel.axis,
            angular_velocity: workspace.body_velocity(model, wheel.body).angular,
        };
        WheelRest {
            name: wheel.name.clone(),
            height_m: centre.z,
            load_n: tyre.wrench(number, &contact).0.z,
            deflection_m: (wheel.tyre.radius - centre.z).max(0.0),
        }
    };
    list.map(rest).collect()
}

fn spring(model: &Model, workspace: &Workspace, it: &Tsda) -> SpringRest {
    let end = |k: usize| workspace.position(model, it.bodies[k], it.points[k]);
    let length = (end(1) - end(0)).norm();
    SpringRest { name: it.name.clone(), length_m: length, force_n: it.law.force(length, 0.0) }
}

fn coordinates(model: &Model, state: &State, description: &Description) -> Vec<(String, Vec<f64>)> {
    let mut list = Vec::new();
    for slot in &model.bodies()[1..] {
        let edge = model.plan().tree[slot.id.0].as_ref();
        let name = match edge.and_then(|edge| edge.joint) {
            Some(joint) => description.joints[joint].name.clone(),
            None => description.bodies[slot.id.0].name.clone(),
        };
        let mut places: Vec<usize> = Vec::new();
        for primitive in &model.primitives()[slot.primitives.clone()] {
            let width = if primitive.velocities().len() == 3 { 4 } else { 1 };
            places.extend(primitive.position..primitive.position + width);
        }
        places.sort_unstable();
        if !places.is_empty() {
            list.push((name, places.iter().map(|place| state.position[*place]).collect()));
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_come_back_from_their_rotation() {
        let about = |axis: usize, angle: f64| Matrix3::about(Vector3::AXES[axis], angle.sin(), angle.cos());
        let rotation = about(2, 2.0) * about(1, -0.4) * about(0, 0.3);
        for (found, given) in roll_pitch_yaw(&rotation).iter().zip([0.3, -0.4, 2.0]) {
            assert!((found - given).abs() < 1e-15);
        }
    }
}
