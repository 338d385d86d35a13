//! Outward pass of a bundle: eq. (7) and (3), with the factors of its mass matrix.

use super::{Kernel, open};
use crate::dynamics::Workspace;
use crate::dynamics::articulated::cholesky_solve;
use crate::math::{MotionOf, Number};
use crate::model::Bundle;

/// Accelerations of the bundle.
pub(crate) fn outward<T: Number>(bundle: &Bundle<T>, kernel: &Kernel<T>, workspace: &mut Workspace) {
    if bundle.height == 0 {
        return open::outward(bundle, kernel, workspace);
    }
    match kernel.free {
        1 => outward_fixed::<T, 1>(bundle, kernel, workspace),
        2 => outward_fixed::<T, 2>(bundle, kernel, workspace),
        _ => outward_fixed::<T, 3>(bundle, kernel, workspace),
    }
}

#[inline(always)]
fn outward_fixed<T: Number, const F: usize>(bundle: &Bundle<T>, kernel: &Kernel<T>, workspace: &mut Workspace) {
    let parent: MotionOf<T> = MotionOf::gather(|lane| workspace.free_acceleration[bundle.parents[lane]]);
    let (mut mass, mut less) = ([[T::splat(0.0); F]; F], [T::splat(0.0); F]);
    for k in 0..F {
        mass[k].copy_from_slice(&kernel.mass[k][..F]);
        less[k] = kernel.coupling[k].dot(&parent);
    }
    cholesky_solve(mass.as_flattened(), &mut less);
    let mut response = [T::splat(0.0); F];
    for k in 0..F {
        response[k] = kernel.response[k] - less[k];
    }
    for (body, motions) in bundle.bodies.iter().zip(&kernel.unit) {
        let mut acceleration = parent;
        for (motion, value) in motions.iter().zip(&response) {
            acceleration += *motion * *value;
        }
        for lane in 0..T::LANES {
            workspace.free_acceleration[body.slots[lane]] = acceleration.lane(lane);
        }
    }
    // Eq. (3): z̈ = R s̈ + c.
    let mut put = |column: usize, value: T| {
        for lane in 0..T::LANES {
            workspace.acceleration[bundle.velocities[lane] + column] = value.lane(lane);
        }
    };
    for (place, column) in kernel.columns[..kernel.rank].iter().enumerate() {
        let mut value = kernel.offset[place];
        for (which, response) in response.iter().enumerate() {
            value += kernel.embedding[which][place] * *response;
        }
        put(*column, value);
    }
    for (which, value) in response.iter().enumerate() {
        put(kernel.columns[kernel.rank + which], *value);
    }
}
