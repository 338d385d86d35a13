//! Joints as lists of primitives, with their initial coordinates.

use super::PrimitiveKind;
use crate::description::{Joint, JointKind};
use crate::math::{Quaternion, Vector3};

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
