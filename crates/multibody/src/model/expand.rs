//! What a description implies: a link of a revolute–revolute joint is a massless body, a wheel with
//! a spin inertia is a rotor.

use crate::description::{BodyId, Description, Joint, JointKind};
use crate::math::{Symmetric3, Vector3};

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
