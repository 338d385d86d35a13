//! Backward pass of a bundle, eq. (5), (6) and (8), and its outward pass, eq. (7) and (3).

use super::{Kernel, open, sized};
use crate::dynamics::Workspace;
use crate::dynamics::articulated::{body_terms, cholesky, cholesky_solve, hand_over, reduce};
use crate::math::{ForceOf, InertiaOf, MotionOf, Number, RigidOf};
use crate::model::{Bundle, LaneBody};

/// Accumulates what the bundle shows to its parents.
pub(crate) fn backward<T: Number>(bundle: &Bundle<T>, kernel: &mut Kernel<T>, workspace: &mut Workspace) {
    if bundle.height == 0 {
        return open::backward(bundle, kernel, workspace);
    }
    sized!(kernel.free, F in [1 2] or 3: backward_fixed::<T, F>(bundle, kernel, workspace));
}

impl<T: Number> LaneBody<T> {
    /// Forces on the bodies.
    #[inline(always)]
    pub(super) fn force(&self, workspace: &Workspace) -> ForceOf<T> {
        ForceOf::gather(|lane| workspace.force[self.slots[lane]])
    }

    /// What other clusters left at the bodies.
    #[inline(always)]
    pub(super) fn carried(&self, workspace: &Workspace) -> InertiaOf<T> {
        InertiaOf::gather(|lane| &workspace.inertia[self.slots[lane]])
    }
}

fn backward_fixed<T: Number, const F: usize>(bundle: &Bundle<T>, kernel: &mut Kernel<T>, workspace: &mut Workspace) {
    let zero = T::splat(0.0);
    let mut whole = RigidOf::default();
    let mut sum = ForceOf::default();
    let (mut coupling, mut mass, mut drive) = ([ForceOf::default(); F], [[zero; F]; F], [zero; F]);
    for (k, body) in bundle.bodies.iter().enumerate() {
        let (rigid, force) = body_terms(&body.lumped, &kernel.frame[k], body.force(workspace));
        let carried = body.carries.then(|| body.carried(workspace));
        let motions = &kernel.unit[k];
        for column in 0..F {
            let mut momentum = rigid.mul(&motions[column]);
            if let Some(carried) = &carried {
                momentum += carried.mul(&motions[column]);
            }
            coupling[column] += momentum;
            for row in column..F {
                mass[row][column] += momentum.dot(&motions[row]);
            }
            drive[column] += force.dot(&motions[column]);
        }
        whole.mass += rigid.mass;
        whole.moment += rigid.moment;
        whole.tensor += rigid.tensor;
        sum += force;
    }
    joint_forces(bundle, kernel, workspace, &mut drive);
    cholesky(mass.as_flattened_mut(), F);
    cholesky_solve(mass.as_flattened(), &mut drive);
    for column in 0..F {
        sum -= coupling[column] * drive[column];
        kernel.coupling[column] = coupling[column];
        kernel.response[column] = drive[column];
        kernel.mass[column][..F].copy_from_slice(&mass[column]);
    }
    let mut shown = InertiaOf::rigid(&whole);
    reduce(&mut shown, mass.as_flattened(), &mut coupling);
    for body in bundle.bodies.iter().filter(|body| body.carries) {
        shown += &body.carried(workspace);
    }
    hand_over(bundle.parents, &shown, sum, workspace);
}

/// Rᵀ τ.
#[inline(always)]
fn joint_forces<T: Number, const F: usize>(
    bundle: &Bundle<T>,
    kernel: &Kernel<T>,
    workspace: &Workspace,
    drive: &mut [T; F],
) {
    let at = |column: usize| T::gather(|lane| workspace.joint_force[bundle.velocities[lane] + column]);
    let rank = kernel.rank;
    for (which, value) in drive.iter_mut().enumerate() {
        *value += at(kernel.columns[rank + which]);
        for (factor, column) in kernel.embedding[which].iter().zip(&kernel.columns[..rank]) {
            *value += *factor * at(*column);
        }
    }
}

/// Accelerations of the bundle.
pub(crate) fn outward<T: Number>(bundle: &Bundle<T>, kernel: &Kernel<T>, workspace: &mut Workspace) {
    if bundle.height == 0 {
        return open::outward(bundle, kernel, workspace);
    }
    sized!(kernel.free, F in [1 2] or 3: outward_fixed::<T, F>(bundle, kernel, workspace));
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
