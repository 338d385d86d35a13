//! Outward pass of a bundle: eq. (7) and (3), with the factors of its mass matrix.

use super::{Memory, open};
use crate::dynamics::Workspace;
use crate::math::{MotionOf, Number};
use crate::model::Bundle;

/// Cholesky factor in the lower triangle, inverse diagonal.
#[inline(always)]
pub(super) fn cholesky<T: Number, const F: usize>(m: &mut [[T; F]; F]) {
    for k in 0..F {
        for l in 0..k {
            m[k][k] -= m[k][l] * m[k][l];
        }
        let smallest = T::splat(f64::MIN_POSITIVE);
        m[k][k] = T::splat(1.0) / m[k][k].max(smallest).sqrt();
        for row in k + 1..F {
            for l in 0..k {
                m[row][k] -= m[row][l] * m[k][l];
            }
            m[row][k] = m[row][k] * m[k][k];
        }
    }
}

#[inline(always)]
pub(super) fn cholesky_solve<T: Number, const F: usize>(m: &[[T; F]; F], mut x: [T; F]) -> [T; F] {
    for k in 0..F {
        for l in 0..k {
            x[k] -= m[k][l] * x[l];
        }
        x[k] = x[k] * m[k][k];
    }
    for k in (0..F).rev() {
        for l in k + 1..F {
            x[k] -= m[l][k] * x[l];
        }
        x[k] = x[k] * m[k][k];
    }
    x
}

/// Accelerations of the bundle.
pub(crate) fn outward<T: Number>(bundle: &Bundle<T>, memory: &Memory<T>, workspace: &mut Workspace) {
    if bundle.height == 0 {
        return open::outward(bundle, memory, workspace);
    }
    match memory.free {
        1 => outward_fixed::<T, 1>(bundle, memory, workspace),
        2 => outward_fixed::<T, 2>(bundle, memory, workspace),
        _ => outward_fixed::<T, 3>(bundle, memory, workspace),
    }
}

#[inline(always)]
fn outward_fixed<T: Number, const F: usize>(
    bundle: &Bundle<T>,
    memory: &Memory<T>,
    workspace: &mut Workspace,
) {
    let parent: MotionOf<T> = MotionOf::gather(|lane| workspace.free_acceleration[bundle.parents[lane]]);
    let (mut mass, mut less) = ([[T::splat(0.0); F]; F], [T::splat(0.0); F]);
    for k in 0..F {
        mass[k].copy_from_slice(&memory.mass[k][..F]);
        less[k] = memory.coupling[k].dot(&parent);
    }
    let less = cholesky_solve(&mass, less);
    let mut response = [T::splat(0.0); F];
    for k in 0..F {
        response[k] = memory.response[k] - less[k];
    }
    for (body, motions) in bundle.bodies.iter().zip(&memory.unit) {
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
    for (place, column) in memory.columns[..memory.rank].iter().enumerate() {
        let mut value = memory.offset[place];
        for (which, response) in response.iter().enumerate() {
            value += memory.embedding[which][place] * *response;
        }
        put(*column, value);
    }
    for (which, value) in response.iter().enumerate() {
        put(memory.columns[memory.rank + which], *value);
    }
}
