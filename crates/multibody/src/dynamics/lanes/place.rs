//! Positions: rotations, origins and joint axes of a bundle.

use super::Kernel;
use crate::dynamics::frame::Frame;
use crate::dynamics::{Workspace, forward};
use crate::math::{MatrixOf, MotionOf, Number, QuaternionOf, VectorOf, sin_cos};
use crate::model::{BODIES, Bundle, LaneJoint, LaneKind};

/// Reads the frames of the bodies outside.
#[inline(always)]
pub(super) fn look_outside<T: Number>(bundle: &Bundle<T>, kernel: &mut Kernel<T>, workspace: &Workspace) {
    for (slots, frame) in bundle.outside.iter().zip(&mut kernel.frame[BODIES..]) {
        let outside = slots.map(|slot| &workspace.frame[slot]);
        *frame = Frame::gather(|lane| outside[lane]);
    }
}

/// Fills rotation and origin of every body, and the joint axes if they are wanted.
#[inline(always)]
pub(super) fn place<T: Number, const AXES: bool>(bundle: &Bundle<T>, position: &[f64], kernel: &mut Kernel<T>) {
    for (k, body) in bundle.bodies.iter().enumerate() {
        let parent = &kernel.frame[body.parent];
        let mut rotation = parent.rotation;
        let mut origin = parent.origin + rotation * body.offset;
        for joint in &bundle.joints[body.joints.clone()] {
            let axes = &mut kernel.axis;
            move_frame::<T, AXES>(joint, position, &mut rotation, &mut origin, axes);
        }
        let frame = &mut kernel.frame[k];
        frame.rotation = rotation;
        frame.origin = origin;
    }
}

/// Turns or shifts a frame.
#[inline(always)]
pub(super) fn move_frame<T: Number, const AXES: bool>(
    joint: &LaneJoint<T>,
    position: &[f64],
    rotation: &mut MatrixOf<T>,
    origin: &mut VectorOf<T>,
    axes: &mut [MotionOf<T>],
) {
    let coordinate = |k: usize| T::gather(|lane| position[joint.positions[lane] + k]);
    match &joint.kind {
        LaneKind::Along(which) => {
            let turned = sin_cos(coordinate(0));
            let [x, y, z] = &mut rotation.columns;
            // Two columns change; the third is the axis.
            let world = match which {
                0 => turn(x, y, z, turned),
                1 => turn(y, z, x, turned),
                _ => turn(z, x, y, turned),
            };
            if AXES {
                axes[joint.column] = MotionOf::rotation(world, *origin);
            }
        }
        LaneKind::Any(kind) => {
            forward::move_frame::<T, AXES>(kind, coordinate, rotation, origin, &mut axes[joint.column..]);
        }
    }
}

/// Turns two columns about the third, which it gives back.
#[inline(always)]
fn turn<T: Number>(
    axis: &VectorOf<T>,
    next: &mut VectorOf<T>,
    last: &mut VectorOf<T>,
    (sine, cosine): (T, T),
) -> VectorOf<T> {
    let (a, b) = (*next, *last);
    *next = a * cosine + b * sine;
    *last = b * cosine - a * sine;
    *axis
}

/// The orientation of a ball.
#[inline(always)]
pub(super) fn quaternion<T: Number>(joint: &LaneJoint<T>, position: &[f64]) -> QuaternionOf<T> {
    forward::ball(|k| T::gather(|lane| position[joint.positions[lane] + k]))
}
