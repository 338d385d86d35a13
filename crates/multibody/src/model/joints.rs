//! What joints are made of: a link of a revolute–revolute joint is a massless body, a wheel with a
//! spin inertia is a rotor; then each is a list of primitives with their initial coordinates.

use super::PrimitiveKind;
use crate::description::{BodyId, Description, Joint, JointKind};
use crate::math::{Quaternion, Symmetric3, Vector3};

/// Primitives from the first to the second body, each with the number of its coordinate.
pub(super) fn primitives_of(joint: &Joint) -> Vec<(PrimitiveKind, usize)> {
    let axis = joint.axis;
    let turn = |axis| PrimitiveKind::Revolute { axis };
    let shift = |axis| PrimitiveKind::Translation { axis };
    match joint.kind {
        JointKind::Free => {
            let shifts = (0..3).map(|k| (shift(Vector3::AXES[k]), k));
            shifts.chain([(PrimitiveKind::Ball, 3)]).collect()
        }
        JointKind::Revolute => vec![(turn(axis), 0)],
        JointKind::Translational => vec![(shift(axis), 0)],
        JointKind::Cylindrical => vec![(turn(axis), 0), (shift(axis), 1)],
        JointKind::Screw => {
            let pitch = joint.lead / std::f64::consts::TAU;
            vec![(PrimitiveKind::Screw { axis, pitch }, 0)]
        }
        JointKind::Universal => vec![(turn(axis), 0), (turn(joint.second_axis), 1)],
        JointKind::Spherical => vec![(PrimitiveKind::Ball, 0)],
        JointKind::Planar => {
            let first = joint.second_axis;
            vec![(shift(first), 0), (shift(axis.cross(first)), 1), (turn(axis), 2)]
        }
        _ => Vec::new(),
    }
}

pub(super) fn opposite(kind: PrimitiveKind) -> PrimitiveKind {
    match kind {
        PrimitiveKind::Revolute { axis } => PrimitiveKind::Revolute { axis: -axis },
        PrimitiveKind::Translation { axis } => PrimitiveKind::Translation { axis: -axis },
        PrimitiveKind::Screw { axis, pitch } => PrimitiveKind::Screw { axis: -axis, pitch },
        PrimitiveKind::Ball => PrimitiveKind::Ball,
    }
}

/// Initial positions and velocities in the order of the state.
pub(super) fn initial(joint: &Joint, reversed: bool) -> (Vec<f64>, Vec<f64>) {
    let ball_at = match joint.kind {
        JointKind::Free => 3,
        JointKind::Spherical => 0,
        _ => return (joint.coordinates.clone(), joint.velocities.clone()),
    };
    let part = |list: &[f64]| Vector3::new(list[ball_at], list[ball_at + 1], list[ball_at + 2]);
    let (mut q, mut w) = (Quaternion::exp(part(&joint.coordinates)), part(&joint.velocities));
    if reversed {
        w = -q.rotate(w);
        q = q.conjugate();
    }
    let positions = [&joint.coordinates[..ball_at], &q.to_wxyz()].concat();
    let velocities = [&joint.velocities[..ball_at], &w.to_array()].concat();
    (positions, velocities)
}

/// The description with the implied bodies and joints added at the end.
pub(super) fn expanded(description: &Description) -> Description {
    let mut whole = description.clone();
    for index in 0..description.joints.len() {
        if whole.joints[index].kind == JointKind::RevoluteRevolute {
            split_link(&mut whole, index);
        }
    }
    for index in 0..description.wheels.len() {
        add_rotor(&mut whole, index);
    }
    whole
}

/// Two hinges with a massless body between them. The link is drawn where the joint is.
fn split_link(whole: &mut Description, index: usize) {
    let joint = whole.joints[index].clone();
    let name = format!("{}.link", joint.name);
    let link = whole.add_body(&name, 0.0, joint.point, Symmetric3::default());
    let mut second = Joint::new(
        &format!("{}.second", joint.name),
        JointKind::Revolute,
        [link, joint.bodies[1]],
        joint.second_point,
        joint.second_axis,
    );
    second.coordinates = vec![joint.coordinates[1]];
    second.velocities = vec![joint.velocities[1]];
    whole.joints.push(second);
    let first = &mut whole.joints[index];
    first.kind = JointKind::Revolute;
    first.bodies[1] = link;
    first.second_point = joint.point;
    first.coordinates.truncate(1);
    first.velocities.truncate(1);
}

/// A rotor without mass, with inertia about the axis only: the rest of the wheel is part of its
/// carrier.
fn add_rotor(whole: &mut Description, index: usize) {
    let wheel = whole.wheels[index].clone();
    let Some(inertia) = wheel.spin_inertia else { return };
    let tensor = Symmetric3::dyad(inertia, wheel.axis);
    let rotor: BodyId = whole.add_body(&wheel.name, 0.0, wheel.centre, tensor);
    let mut joint = Joint::new(&wheel.name, JointKind::Revolute, [wheel.body, rotor], wheel.centre, wheel.axis);
    joint.velocities = vec![wheel.spin];
    whole.joints.push(joint);
    whole.wheels[index].body = rotor;
    debug_assert!(wheel.axis != Vector3::ZERO);
}
