//! Wheels lumped into their carriers.
//!
//! A body that spins about its own axis of symmetry looks the same to its carrier at every angle.
//! Its energy is
//! ```text
//! ½ m v_c² + ½ I_t |ω_⊥|² + ½ J (ω · a + θ̇)²                                                 (1)
//! ```
//! with ω of the carrier, so mass and transverse inertia may be counted with the carrier, and what
//! is left is a **rotor**: an inertia J about the axis alone, which shows no inertia at all to its
//! carrier (K̂ = J a aᵀ − J a J⁻¹ (J a)ᵀ = 0). That is exact and saves most of a body in the
//! backward pass. Energies, reactions and the dense route use the real bodies. The angle of a rotor
//! changes nothing but its own orientation, so the step does not even turn it; therefore a body to
//! which a spring or a force is attached is not taken as one.

use super::{BodySlot, Model, PrimitiveKind};
use crate::description::{BodyId, Description, Joint, JointKind};
use crate::forces::Wheel;
use crate::math::{Number, Symmetric3, SymmetricOf, Vector3, VectorOf};

/// What counts as symmetric, relative to the largest moment; and as on the axis, in metres.
const TOLERANCE: f64 = 1e-9;

/// Mass and inertia as the backward pass counts them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lumped<T = f64> {
    /// `kg`
    pub mass: T,
    /// `m` Centre of gravity from the origin, body axes.
    pub centre: VectorOf<T>,
    /// [kg m²] About that centre.
    pub inertia: SymmetricOf<T>,
}

impl<T: Number> Lumped<T> {
    /// That of each lane.
    pub(super) fn gather<'a>(value: impl Fn(usize) -> &'a Lumped) -> Self {
        Self {
            mass: T::gather(|lane| value(lane).mass),
            centre: VectorOf::gather(|lane| value(lane).centre),
            inertia: SymmetricOf::gather(|lane| value(lane).inertia),
        }
    }
}

/// Finds the rotors and counts the rest of them with their carriers.
pub(super) fn lump(model: &mut Model) {
    for index in 0..model.clusters.len() {
        let cluster = &model.clusters[index];
        let slot = cluster.bodies.start;
        let single = cluster.bodies.len() == 1 && cluster.rows.is_empty() && cluster.driven.is_none();
        let carries = model.bodies.iter().any(|body| body.parent == slot);
        let closes = model.rows.iter().any(|row| row.bodies.contains(&slot));
        let id = model.bodies[slot].id;
        if !single || carries || closes || cluster.parent == 0 || is_attached(&model.description, id) {
            continue;
        }
        let body = model.bodies[slot].clone();
        let [primitive] = &model.primitives[body.primitives.clone()] else {
            continue;
        };
        let PrimitiveKind::Revolute { axis } = primitive.kind else {
            continue;
        };
        if let Some((spin, transverse)) = symmetric(&body, axis) {
            model.bodies[slot].rotor = Some(spin);
            let rest =
                Lumped { mass: body.mass, centre: body.offset + body.centre, inertia: unturned(transverse, axis) };
            let carrier = &mut model.bodies[body.parent];
            carrier.lumped = joined(&carrier.lumped, &rest);
        }
    }
}

/// Whether a force acts at a point of a body that turns with it.
fn is_attached(description: &Description, body: BodyId) -> bool {
    let joint = |wheel: &Wheel| {
        let carried = |it: &&Joint| it.bodies.contains(&body) && it.kind == JointKind::Revolute;
        let hinge = description.joints.iter().find(carried);
        hinge.is_some_and(|it| it.axis.cross(wheel.axis).norm() == 0.0 && it.point == wheel.centre)
    };
    description.tsda.iter().any(|it| it.bodies.contains(&body))
        || description.antiroll.iter().any(|it| it.bodies.contains(&body) || it.chassis == body)
        || description.point_forces.iter().any(|it| it.body == body)
        || description.wheels.iter().any(|it| it.body == body && !joint(it))
}

/// Moments about the axis and across it, if the body is symmetric about the hinge.
fn symmetric(body: &BodySlot, axis: Vector3) -> Option<(f64, f64)> {
    let (e1, e2) = axis.perpendiculars();
    let spin = axis.dot(body.inertia.mul(axis));
    let transverse = e1.dot(body.inertia.mul(e1));
    let off = |direction: Vector3, moment: f64| (body.inertia.mul(direction) - direction * moment).norm();
    let error = off(axis, spin) + off(e1, transverse) + off(e2, transverse);
    let centred = body.mass == 0.0 || body.centre.cross(axis).norm() < TOLERANCE;
    (spin > 0.0 && centred && error <= TOLERANCE * spin.max(transverse)).then_some((spin, transverse))
}

/// I_t (1 − a aᵀ).
fn unturned(transverse: f64, axis: Vector3) -> Symmetric3 {
    Symmetric3::new([transverse; 3], [0.0; 3]) + Symmetric3::dyad(-transverse, axis)
}

/// Two bodies as one.
fn joined(one: &Lumped, other: &Lumped) -> Lumped {
    let mass = one.mass + other.mass;
    if mass == 0.0 {
        return Lumped { inertia: one.inertia + other.inertia, ..*one };
    }
    let centre = (one.centre * one.mass + other.centre * other.mass) * (1.0 / mass);
    let moved = |part: &Lumped| part.inertia + Symmetric3::point_mass(part.mass, part.centre - centre);
    Lumped { mass, centre, inertia: moved(one) + moved(other) }
}
