//! Backward pass of a bundle: eq. (5), (6) and (8).

use super::inertia::{Articulated, Rigid};
use super::outward::{cholesky, cholesky_solve};
use super::{Memory, open, zero_force, zero_symmetric, zero_vector};
use crate::dynamics::Workspace;
use crate::math::{ForceOf, Inertia, MatrixOf, Number, SymmetricOf, Vector3};
use crate::model::{Bundle, LaneBody};

/// Accumulates what the bundle shows to its parents.
pub(crate) fn backward<T: Number>(bundle: &Bundle<T>, memory: &mut Memory<T>, workspace: &mut Workspace) {
    if bundle.height == 0 {
        return open::backward(bundle, memory, workspace);
    }
    match memory.free {
        1 => backward_fixed::<T, 1>(bundle, memory, workspace),
        2 => backward_fixed::<T, 2>(bundle, memory, workspace),
        _ => backward_fixed::<T, 3>(bundle, memory, workspace),
    }
}

/// Eq. (5) by way of the centre of gravity, as the general pass.
#[inline(always)]
pub(super) fn body_terms<T: Number>(
    body: &LaneBody<T>,
    k: usize,
    memory: &Memory<T>,
    workspace: &Workspace,
) -> (Rigid<T>, ForceOf<T>) {
    let frame = &memory.frame[k];
    let arm = frame.rotation * body.centre;
    let centre = frame.origin + arm;
    let tensor = body.inertia.rotated(&frame.rotation);
    let (velocity, bias) = (&frame.velocity, &frame.bias);
    let acceleration = bias.at(centre) + velocity.angular.cross(velocity.at(centre));
    let push = acceleration * body.mass;
    let spin = tensor.mul(bias.angular) + velocity.angular.cross(tensor.mul(velocity.angular));
    let mut force = ForceOf::gather(|lane| workspace.force[body.slots[lane]]);
    force.moment -= spin + centre.cross(push);
    force.force -= push;
    let rigid = Rigid {
        mass: body.mass,
        moment: centre * body.mass,
        tensor: tensor + SymmetricOf::point_mass(body.mass, centre),
    };
    (rigid, force)
}

fn backward_fixed<T: Number, const F: usize>(
    bundle: &Bundle<T>,
    memory: &mut Memory<T>,
    workspace: &mut Workspace,
) {
    let zero = T::splat(0.0);
    let mut whole = Rigid { mass: zero, moment: zero_vector(), tensor: zero_symmetric() };
    let mut sum = zero_force::<T>();
    let (mut coupling, mut mass, mut drive) = ([zero_force::<T>(); F], [[zero; F]; F], [zero; F]);
    for (k, body) in bundle.bodies.iter().enumerate() {
        let (rigid, force) = body_terms(body, k, memory, workspace);
        let carried = body.carries.then(|| Articulated::gather(|lane| &workspace.inertia[body.slots[lane]]));
        let motions = &memory.unit[k];
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
        whole.tensor = whole.tensor + rigid.tensor;
        sum += force;
    }
    joint_forces(bundle, memory, workspace, &mut drive);
    cholesky(&mut mass);
    let response = cholesky_solve(&mass, drive);
    for column in 0..F {
        sum -= coupling[column] * response[column];
        memory.coupling[column] = coupling[column];
        memory.response[column] = response[column];
        memory.mass[column][..F].copy_from_slice(&mass[column]);
    }
    let mut shown = articulated(&whole, &mass, &coupling);
    for body in bundle.bodies.iter().filter(|body| body.carries) {
        shown.add(&Articulated::gather(|lane| &workspace.inertia[body.slots[lane]]));
    }
    hand_over(bundle, &shown, sum, workspace);
}

/// Rᵀ τ.
#[inline(always)]
fn joint_forces<T: Number, const F: usize>(
    bundle: &Bundle<T>,
    memory: &Memory<T>,
    workspace: &Workspace,
    drive: &mut [T; F],
) {
    let at = |column: usize| T::gather(|lane| workspace.joint_force[bundle.velocities[lane] + column]);
    let rank = memory.rank;
    for (which, value) in drive.iter_mut().enumerate() {
        *value += at(memory.columns[rank + which]);
        for (factor, column) in memory.embedding[which].iter().zip(&memory.columns[..rank]) {
            *value += *factor * at(*column);
        }
    }
}

/// K̂ = K − Yᵀ Y with Y = C⁻¹ Lᵀ.
#[inline(always)]
fn articulated<T: Number, const F: usize>(
    whole: &Rigid<T>,
    mass: &[[T; F]; F],
    coupling: &[ForceOf<T>; F],
) -> Articulated<T> {
    let mut shown = Articulated::rigid(whole);
    let mut rows = *coupling;
    for k in 0..F {
        for l in 0..k {
            let before = rows[l];
            rows[k] -= before * mass[k][l];
        }
        rows[k] = rows[k] * mass[k][k];
        shown.subtract_dyad(&rows[k], &rows[k]);
    }
    shown
}

/// Eq. (8): K̂ and ŵ go to the parents, first lane first.
#[inline(always)]
pub(super) fn hand_over<T: Number>(
    bundle: &Bundle<T>,
    shown: &Articulated<T>,
    force: ForceOf<T>,
    workspace: &mut Workspace,
) {
    let symmetric = |it: &SymmetricOf<T>, of: &dyn Fn(T) -> f64| crate::math::Symmetric3 {
        diagonal: Vector3::new(of(it.diagonal.x), of(it.diagonal.y), of(it.diagonal.z)),
        off: Vector3::new(of(it.off.x), of(it.off.y), of(it.off.z)),
    };
    let whole = |of: &dyn Fn(T) -> f64| Inertia {
        a: symmetric(&shown.a, of),
        b: MatrixOf { columns: shown.b.columns.map(|it| Vector3::new(of(it.x), of(it.y), of(it.z))) },
        d: symmetric(&shown.d, of),
    };
    if T::LANES == 2 && bundle.parents[0] == bundle.parents[1] {
        workspace.inertia[bundle.parents[0]] += &whole(&|it: T| it.sum());
        workspace.force[bundle.parents[0]] += force.lane(0) + force.lane(1);
    } else {
        for lane in 0..T::LANES {
            workspace.inertia[bundle.parents[lane]] += &whole(&|it: T| it.lane(lane));
            workspace.force[bundle.parents[lane]] += force.lane(lane);
        }
    }
}
