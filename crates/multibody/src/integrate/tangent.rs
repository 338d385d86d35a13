//! Moving positions along velocities.

use crate::dynamics::quaternion;
use crate::math::{Quaternion, Vector3};
use crate::model::{Model, PrimitiveKind};

#[inline]
pub(super) fn at(list: &[f64], from: usize) -> Vector3 {
    Vector3::new(list[from], list[from + 1], list[from + 2])
}

/// position ← position ⊕ factor · tangent.
#[inline]
pub(super) fn advance(model: &Model, position: &mut [f64], tangent: &[f64], factor: f64) {
    for primitive in &model.primitives {
        let (place, column) = (primitive.position, primitive.velocity);
        if primitive.kind == PrimitiveKind::Ball {
            turn(position, place, at(tangent, column) * factor);
        } else {
            position[place] += factor * tangent[column];
        }
    }
}

/// Turns a ball by a rotation vector in its own axes.
#[inline]
pub(super) fn turn(position: &mut [f64], place: usize, rotation: Vector3) {
    let turned = (quaternion(position, place) * Quaternion::exp(rotation)).normalised();
    position[place..place + 4].copy_from_slice(&turned.to_wxyz());
}
