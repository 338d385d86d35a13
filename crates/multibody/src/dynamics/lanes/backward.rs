//! Backward and outward pass of a bundle: eq. (5)–(8).

use super::{Memory, open, zero_force, zero_symmetric, zero_vector};
use crate::dynamics::Workspace;
use crate::math::{ForceOf, Inertia, MatrixOf, MotionOf, Number, SymmetricOf, Vector3, VectorOf};
use crate::model::{Bundle, LaneBody};

/// Mass, first moment and tensor about the pole.
pub(super) struct Rigid<T> {
    mass: T,
    moment: VectorOf<T>,
    tensor: SymmetricOf<T>,
}

impl<T: Number> Rigid<T> {
    /// n = I ω + h × v,  f = m v − h × ω.
    #[inline(always)]
    pub(super) fn mul(&self, motion: &MotionOf<T>) -> ForceOf<T> {
        ForceOf {
            moment: self.tensor.mul(motion.angular) + self.moment.cross(motion.linear),
            force: motion.linear * self.mass - self.moment.cross(motion.angular),
        }
    }
}

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
    let mut whole = Rigid {
        mass: zero,
        moment: zero_vector(),
        tensor: zero_symmetric(),
    };
    let mut sum = zero_force::<T>();
    let (mut coupling, mut mass, mut drive) = ([zero_force::<T>(); F], [[zero; F]; F], [zero; F]);
    for (k, body) in bundle.bodies.iter().enumerate() {
        let (rigid, force) = body_terms(body, k, memory, workspace);
        let carried = body
            .carries
            .then(|| Articulated::gather(|lane| &workspace.inertia[body.slots[lane]]));
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

/// Cholesky factor in the lower triangle, inverse diagonal.
#[inline(always)]
fn cholesky<T: Number, const F: usize>(m: &mut [[T; F]; F]) {
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
fn cholesky_solve<T: Number, const F: usize>(m: &[[T; F]; F], mut x: [T; F]) -> [T; F] {
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

/// A spatial inertia in lanes: the blocks of [`Inertia`].
pub(super) struct Articulated<T> {
    a: SymmetricOf<T>,
    b: MatrixOf<T>,
    d: SymmetricOf<T>,
}

impl<T: Number> Articulated<T> {
    /// That of a rigid body.
    #[inline(always)]
    pub(super) fn rigid(whole: &Rigid<T>) -> Self {
        let (h, m, zero) = (whole.moment, whole.mass, T::splat(0.0));
        Self {
            a: whole.tensor,
            b: MatrixOf {
                columns: [
                    VectorOf::new(zero, h.z, -h.y),
                    VectorOf::new(-h.z, zero, h.x),
                    VectorOf::new(h.y, -h.x, zero),
                ],
            },
            d: SymmetricOf {
                diagonal: VectorOf::new(m, m, m),
                off: zero_vector(),
            },
        }
    }

    #[inline(always)]
    pub(super) fn gather<'a>(value: impl Fn(usize) -> &'a Inertia) -> Self {
        Self {
            a: SymmetricOf::gather(|lane| value(lane).a),
            b: MatrixOf::gather(|lane| &value(lane).b),
            d: SymmetricOf::gather(|lane| value(lane).d),
        }
    }

    #[inline(always)]
    pub(super) fn mul(&self, motion: &MotionOf<T>) -> ForceOf<T> {
        ForceOf {
            moment: self.a.mul(motion.angular) + self.b * motion.linear,
            force: self.b.transposed_mul(motion.angular) + self.d.mul(motion.linear),
        }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, other: &Self) {
        self.a = self.a + other.a;
        self.d = self.d + other.d;
        for (mine, its) in self.b.columns.iter_mut().zip(other.b.columns) {
            *mine += its;
        }
    }

    /// Less p qᵀ, which is symmetric.
    #[inline(always)]
    pub(super) fn subtract_dyad(&mut self, p: &ForceOf<T>, q: &ForceOf<T>) {
        self.a.subtract_dyad(p.moment, q.moment);
        self.d.subtract_dyad(p.force, q.force);
        self.b.columns[0] -= p.moment * q.force.x;
        self.b.columns[1] -= p.moment * q.force.y;
        self.b.columns[2] -= p.moment * q.force.z;
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
        b: MatrixOf {
            columns: shown
                .b
                .columns
                .map(|it| Vector3::new(of(it.x), of(it.y), of(it.z))),
        },
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
