//! A mechanism whose wheels spin elsewhere.
//!
//! Wheel spin is coupled stiffly to slip, brakes and driveline. The models of those also integrate
//! the spin, and the mechanism keeps what is slow: mass and transverse inertia of the wheel join
//! its carrier, and the rotor, a moment J about the axle, is left out (see the energy in
//! `model/lump.rs`: the split is exact). Its owner returns the torques of brake, drive and
//! gyroscope to the carrier.

use crate::description::{BodyId, Description, JointKind};
use crate::math::Symmetric3;

/// Why the wheels cannot be taken off.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "wheel `{wheel}`: {problem}; expected a wheel with a spin inertia, or a body on one revolute joint along the wheel's axis and symmetric about it"
)]
pub struct WheelError {
    /// Name of the wheel.
    pub wheel: String,
    /// What does not fit.
    pub problem: &'static str,
}

/// What counts as symmetric and as parallel, relative.
const TOLERANCE: f64 = 1e-6;

/// The mechanism without the spin of its wheels, and the moment of each wheel about its axis (kg
/// m²).
pub fn outside(description: &Description) -> Result<(Description, Vec<f64>), WheelError> {
    let mut whole = description.clone();
    let mut moments = Vec::with_capacity(whole.wheels.len());
    for index in 0..whole.wheels.len() {
        let moment = match whole.wheels[index].spin_inertia.take() {
            Some(moment) => moment,
            None => join_carrier(&mut whole, index)
                .map_err(|problem| WheelError { wheel: description.wheels[index].name.clone(), problem })?,
        };
        moments.push(moment);
    }
    Ok((whole, moments))
}

/// Joins the body of a wheel to its carrier and removes it and its hub; returns its moment about
/// the axis.
fn join_carrier(whole: &mut Description, index: usize) -> Result<f64, &'static str> {
    let (body, axis) = (whole.wheels[index].body, whole.wheels[index].axis);
    let mut hubs = (0..whole.joints.len()).filter(|joint| whole.joints[*joint].bodies.contains(&body));
    let (Some(hub), None) = (hubs.next(), hubs.next()) else {
        return Err("its body has no joint, or more than one");
    };
    let joint = &whole.joints[hub];
    if joint.kind != JointKind::Revolute || joint.driven || joint.axis.cross(axis).norm() > TOLERANCE {
        return Err("the joint of its body is no free hinge along its axis");
    }
    let carrier = if joint.bodies[0] == body { joint.bodies[1] } else { joint.bodies[0] };
    let moment = axis.dot(whole.bodies[body.0].inertia.mul(axis));
    if (whole.bodies[body.0].inertia.mul(axis) - axis * moment).norm() > TOLERANCE * moment {
        return Err("its inertia is not symmetric about its axis");
    }
    if whole.rsda.iter().any(|spring| spring.joint == hub || spring.against == Some(hub)) {
        return Err("a spring acts on its hub");
    }
    add_mass(whole, carrier, body, Symmetric3::dyad(-moment, axis));
    remove(whole, hub, body, carrier);
    Ok(moment)
}

fn add_mass(whole: &mut Description, carrier: BodyId, body: BodyId, correction: Symmetric3) {
    let (one, other) = (whole.bodies[carrier.0].clone(), whole.bodies[body.0].clone());
    let mass = one.mass + other.mass;
    let joined = &mut whole.bodies[carrier.0];
    joined.mass = mass;
    joined.inertia = one.inertia + other.inertia + correction;
    if mass > 0.0 {
        joined.centre = (one.centre * one.mass + other.centre * other.mass) * (1.0 / mass);
        for part in [&one, &other] {
            joined.inertia += Symmetric3::point_mass(part.mass, part.centre - joined.centre);
        }
    }
}

/// Takes a body and its joint out; what was attached to it goes to the carrier.
fn remove(whole: &mut Description, hub: usize, body: BodyId, carrier: BodyId) {
    let renumbered = |old: BodyId| {
        let old = if old == body { carrier } else { old };
        BodyId(old.0 - usize::from(old.0 > body.0))
    };
    whole.joints.remove(hub);
    whole.bodies.remove(body.0);
    let joints = whole.joints.iter_mut().flat_map(|it| &mut it.bodies);
    let springs = whole.tsda.iter_mut().flat_map(|it| &mut it.bodies);
    let bars = whole.antiroll.iter_mut().flat_map(|it| &mut it.bodies);
    joints.chain(springs).chain(bars).for_each(|it| *it = renumbered(*it));
    whole.antiroll.iter_mut().for_each(|it| it.chassis = renumbered(it.chassis));
    whole.point_forces.iter_mut().for_each(|it| it.body = renumbered(it.body));
    whole.wheels.iter_mut().for_each(|it| it.body = renumbered(it.body));
    whole.base = whole.base.map(renumbered);
    let earlier = |joint: usize| joint - usize::from(joint > hub);
    for spring in &mut whole.rsda {
        spring.joint = earlier(spring.joint);
        spring.against = spring.against.map(earlier);
    }
}
