//! What the backward pass does to a cluster, in general or in lanes: eq. (5) and (8), and the
//! factors of m in eq. (6).

use super::Workspace;
use super::frame::Frame;
use crate::math::{ForceOf, InertiaOf, Number, RigidOf};
use crate::model::Lumped;

/// Inertia at the pole, and eq. (5) by way of the centre of gravity c, which is shorter than two
/// products with the inertia: with a the acceleration of c that the bias gives, V ×ᶠ I V + I β = (
/// I_c β_ω + ω × I_c ω + c × m a, m a ).
#[inline(always)]
pub(super) fn body_terms<T: Number>(
    body: &Lumped<T>,
    frame: &Frame<T>,
    mut force: ForceOf<T>,
) -> (RigidOf<T>, ForceOf<T>) {
    let centre = frame.origin + frame.rotation * body.centre;
    let tensor = body.inertia.rotated(&frame.rotation);
    let (velocity, bias) = (&frame.velocity, &frame.bias);
    let acceleration = bias.at(centre) + velocity.angular.cross(velocity.at(centre));
    let push = acceleration * body.mass;
    let spin = tensor.mul(bias.angular) + velocity.angular.cross(tensor.mul(velocity.angular));
    force.moment -= spin + centre.cross(push);
    force.force -= push;
    (RigidOf::new(body.mass, centre, tensor), force)
}

/// Cholesky factor of a positive matrix, row by row, in the lower triangle, with inverse diagonal.
#[inline(always)]
pub(super) fn cholesky<T: Number>(m: &mut [T], size: usize) {
    for k in 0..size {
        let squares = m[k * size..k * size + k].iter();
        let diagonal = squares.fold(m[k * size + k], |left, entry| left - *entry * *entry);
        let inverse = T::splat(1.0) / diagonal.max(T::splat(f64::MIN_POSITIVE)).sqrt();
        m[k * size + k] = inverse;
        for row in k + 1..size {
            let less = sum(0..k, |l| m[row * size + l] * m[k * size + l]);
            m[row * size + k] = (m[row * size + k] - less) * inverse;
        }
    }
}

/// Solves with the factors of [`cholesky`].
#[inline(always)]
pub(super) fn cholesky_solve<T: Number>(m: &[T], x: &mut [T]) {
    let size = x.len();
    for k in 0..size {
        x[k] = (x[k] - sum(0..k, |l| m[k * size + l] * x[l])) * m[k * size + k];
    }
    for k in (0..size).rev() {
        x[k] = (x[k] - sum(k + 1..size, |l| m[l * size + k] * x[l])) * m[k * size + k];
    }
}

/// −0 is what changes nothing when it is added to, not even a sign.
#[inline(always)]
fn sum<T: Number>(range: std::ops::Range<usize>, term: impl Fn(usize) -> T) -> T {
    range.fold(T::splat(-0.0), |sum, index| sum + term(index))
}

/// K̂ = K − Yᵀ Y of eq. (8), with the Cholesky factor C of m and Y = C⁻¹ Lᵀ, which takes the place
/// of L.
#[inline(always)]
pub(super) fn reduce<T: Number>(inertia: &mut InertiaOf<T>, m: &[T], rows: &mut [ForceOf<T>]) {
    let size = rows.len();
    for k in 0..size {
        for l in 0..k {
            let before = rows[l];
            rows[k] -= before * m[k * size + l];
        }
        rows[k] = rows[k] * m[k * size + k];
        inertia.subtract_dyad(&rows[k], &rows[k]);
    }
}

/// K̂ and ŵ go to the parents, first lane first. Two lanes on one parent count as one, so that a
/// parent's sum takes one term from each task.
#[inline(always)]
pub(super) fn hand_over<T: Number>(
    parents: [usize; 2],
    inertia: &InertiaOf<T>,
    force: ForceOf<T>,
    workspace: &mut Workspace,
) {
    if T::LANES == 2 && parents[0] == parents[1] {
        workspace.inertia[parents[0]] += &inertia.plain(T::sum);
    } else {
        for (lane, parent) in parents.iter().enumerate().take(T::LANES) {
            workspace.inertia[*parent] += &inertia.plain(|it| it.lane(lane));
        }
    }
    push(parents, force, workspace);
}

/// The force of [`hand_over`] alone.
#[inline(always)]
pub(super) fn push<T: Number>(parents: [usize; 2], force: ForceOf<T>, workspace: &mut Workspace) {
    if T::LANES == 2 && parents[0] == parents[1] {
        workspace.force[parents[0]] += force.lane(0) + force.lane(1);
    } else {
        for (lane, parent) in parents.iter().enumerate().take(T::LANES) {
            workspace.force[*parent] += force.lane(lane);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cholesky_solves_a_positive_system() {
        let original = [4.0, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 2.0];
        let (mut matrix, mut right) = (original, [1.0, 2.0, 3.0]);
        cholesky(&mut matrix, 3);
        cholesky_solve(&matrix, &mut right);
        for (row, expected) in original.chunks(3).zip([1.0, 2.0, 3.0]) {
            let sum: f64 = row.iter().zip(&right).map(|(a, b)| a * b).sum();
            assert!((sum - expected).abs() < 1e-14);
        }
    }
}
