//! Inertias: symmetric matrices, stored once.
//!
//! The spatial inertia at the pole maps motion to momentum:
//! ```text
//! [ n ]   [ A   B ] [ ω ]
//! [ f ] = [ Bᵀ  D ] [ v ],     rigid body: A = I_O,  B = h̃ (h = m c),  D = m 1        (1)
//! I_O = R I_c Rᵀ + m ( c² 1 − c cᵀ )                                                   (2)
//! ```
//! Articulated inertias have general blocks A, B, D, so those are what is stored.

use super::number::by_parts;
use super::{ForceOf, Matrix3, MatrixOf, MotionOf, Number, Vector3, VectorOf};
use std::ops::AddAssign;

/// A symmetric matrix of three rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SymmetricOf<T> {
    /// Diagonal.
    pub diagonal: VectorOf<T>,
    /// Entries yz, xz, xy.
    pub off: VectorOf<T>,
}

/// A symmetric matrix of plain numbers.
pub type Symmetric3 = SymmetricOf<f64>;

impl Symmetric3 {
    /// From the entries on the diagonal and `[xy, xz, yz]`.
    pub fn new(diagonal: [f64; 3], [xy, xz, yz]: [f64; 3]) -> Self {
        Self { diagonal: diagonal.into(), off: Vector3::new(yz, xz, xy) }
    }

    /// The inverse by cofactors, which is good for well-conditioned matrices; zero if there is
    /// none.
    #[inline]
    pub fn inverse(&self) -> Self {
        let (d, o) = (self.diagonal, self.off);
        let (xx, yy, zz) = (d.y * d.z - o.x * o.x, d.x * d.z - o.y * o.y, d.x * d.y - o.z * o.z);
        let (yz, xz, xy) = (o.z * o.y - d.x * o.x, o.z * o.x - d.y * o.y, o.y * o.x - d.z * o.z);
        let determinant = d.x * xx + o.z * xy + o.y * xz;
        let scale = if determinant > 0.0 { 1.0 / determinant } else { 0.0 };
        Self { diagonal: Vector3::new(xx, yy, zz) * scale, off: Vector3::new(yz, xz, xy) * scale }
    }
}

impl<T: Number> SymmetricOf<T> {
    /// Product with a vector.
    #[inline(always)]
    pub fn mul(&self, v: VectorOf<T>) -> VectorOf<T> {
        let (d, o) = (self.diagonal, self.off);
        VectorOf::new(
            d.x * v.x + o.z * v.y + o.y * v.z,
            o.z * v.x + d.y * v.y + o.x * v.z,
            o.y * v.x + o.x * v.y + d.z * v.z,
        )
    }

    /// R S Rᵀ: the tensor in the axes that the columns of R are given in.
    #[inline(always)]
    pub fn rotated(&self, rotation: &MatrixOf<T>) -> Self {
        // Rows of R are the columns of its transpose: (R S Rᵀ)_ij = r_i · S r_j.
        let [x, y, z] = rotation.transposed().columns;
        let (sx, sy, sz) = (self.mul(x), self.mul(y), self.mul(z));
        Self {
            diagonal: VectorOf::new(x.dot(sx), y.dot(sy), z.dot(sz)),
            off: VectorOf::new(y.dot(sz), x.dot(sz), x.dot(sy)),
        }
    }

    /// m ( c² 1 − c cᵀ ): the inertia of a point mass.
    #[inline(always)]
    pub fn point_mass(mass: T, c: VectorOf<T>) -> Self {
        let h = c * mass;
        let (xx, yy, zz) = (h.x * c.x, h.y * c.y, h.z * c.z);
        Self {
            diagonal: VectorOf::new(yy + zz, xx + zz, xx + yy),
            off: VectorOf::new(-h.y * c.z, -h.x * c.z, -h.x * c.y),
        }
    }

    /// s a aᵀ.
    #[inline(always)]
    pub fn dyad(scale: T, a: VectorOf<T>) -> Self {
        let b = a * scale;
        Self {
            diagonal: VectorOf::new(b.x * a.x, b.y * a.y, b.z * a.z),
            off: VectorOf::new(b.y * a.z, b.x * a.z, b.x * a.y),
        }
    }

    /// Subtracts a bᵀ, where the sum of all that is subtracted is symmetric.
    #[inline(always)]
    pub fn subtract_dyad(&mut self, a: VectorOf<T>, b: VectorOf<T>) {
        self.diagonal -= VectorOf::new(a.x * b.x, a.y * b.y, a.z * b.z);
        self.off -= VectorOf::new(a.y * b.z, a.x * b.z, a.x * b.y);
    }
}

by_parts!(SymmetricOf, Symmetric3 { diagonal: VectorOf, off: VectorOf });

/// Inertia of a rigid body at the pole: mass, first moment and tensor.
#[derive(Clone, Copy, Debug, Default)]
pub struct RigidOf<T> {
    /// Mass.
    pub mass: T,
    /// First moment h = m c.
    pub moment: VectorOf<T>,
    /// Tensor about the pole, eq. (2).
    pub tensor: SymmetricOf<T>,
}

impl<T: Number> RigidOf<T> {
    /// From the centre of gravity and the tensor about it in earth axes.
    #[inline(always)]
    pub fn new(mass: T, centre: VectorOf<T>, tensor: SymmetricOf<T>) -> Self {
        Self { mass, moment: centre * mass, tensor: tensor + SymmetricOf::point_mass(mass, centre) }
    }

    /// Momentum of a motion: n = I ω + h × v,  f = m v − h × ω.
    #[inline(always)]
    pub fn mul(&self, motion: &MotionOf<T>) -> ForceOf<T> {
        ForceOf {
            moment: self.tensor.mul(motion.angular) + self.moment.cross(motion.linear),
            force: motion.linear * self.mass - self.moment.cross(motion.angular),
        }
    }
}

/// Spatial inertia at the pole, eq. (1): rigid or articulated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InertiaOf<T> {
    /// Rotation.
    pub a: SymmetricOf<T>,
    /// Coupling.
    pub b: MatrixOf<T>,
    /// Translation.
    pub d: SymmetricOf<T>,
}

/// An inertia of plain numbers.
pub type Inertia = InertiaOf<f64>;

impl Inertia {
    /// Nothing.
    pub const ZERO: Self = Self::filled(0.0);
    /// What changes nothing when it is added to: −0 everywhere.
    pub const NEGATIVE_ZERO: Self = Self::filled(-0.0);

    const fn filled(value: f64) -> Self {
        let vector = Vector3::new(value, value, value);
        let symmetric = Symmetric3 { diagonal: vector, off: vector };
        Self { a: symmetric, b: Matrix3 { columns: [vector; 3] }, d: symmetric }
    }
}

impl<T: Number> InertiaOf<T> {
    /// Of a rigid body.
    #[inline(always)]
    pub fn rigid(body: &RigidOf<T>) -> Self {
        let (h, m, zero) = (body.moment, body.mass, T::splat(0.0));
        Self {
            a: body.tensor,
            b: MatrixOf {
                columns: [
                    VectorOf::new(zero, h.z, -h.y),
                    VectorOf::new(-h.z, zero, h.x),
                    VectorOf::new(h.y, -h.x, zero),
                ],
            },
            d: SymmetricOf { diagonal: VectorOf::new(m, m, m), off: VectorOf::splat(Vector3::ZERO) },
        }
    }

    /// An inertia for each lane.
    #[inline(always)]
    pub fn gather<'a>(value: impl Fn(usize) -> &'a Inertia) -> Self {
        Self {
            a: SymmetricOf::gather(|lane| value(lane).a),
            b: MatrixOf::gather(|lane| &value(lane).b),
            d: SymmetricOf::gather(|lane| value(lane).d),
        }
    }

    /// Plain numbers of the lanes: those of one, or their sum.
    #[inline(always)]
    pub fn plain(&self, of: impl Fn(T) -> f64) -> Inertia {
        let vector = |it: VectorOf<T>| Vector3::new(of(it.x), of(it.y), of(it.z));
        let symmetric = |it: &SymmetricOf<T>| Symmetric3 { diagonal: vector(it.diagonal), off: vector(it.off) };
        Inertia { a: symmetric(&self.a), b: Matrix3 { columns: self.b.columns.map(vector) }, d: symmetric(&self.d) }
    }

    /// Momentum of a motion, eq. (1).
    #[inline(always)]
    pub fn mul(&self, motion: &MotionOf<T>) -> ForceOf<T> {
        ForceOf {
            moment: self.a.mul(motion.angular) + self.b * motion.linear,
            force: self.b.transposed_mul(motion.angular) + self.d.mul(motion.linear),
        }
    }

    /// Subtracts p qᵀ, where the sum of all that is subtracted is symmetric.
    #[inline(always)]
    pub fn subtract_dyad(&mut self, p: &ForceOf<T>, q: &ForceOf<T>) {
        self.a.subtract_dyad(p.moment, q.moment);
        self.d.subtract_dyad(p.force, q.force);
        self.b.columns[0] -= p.moment * q.force.x;
        self.b.columns[1] -= p.moment * q.force.y;
        self.b.columns[2] -= p.moment * q.force.z;
    }
}

impl<T: Number> AddAssign<&Self> for InertiaOf<T> {
    #[inline(always)]
    fn add_assign(&mut self, other: &Self) {
        self.a = self.a + other.a;
        self.d = self.d + other.d;
        for (mine, its) in self.b.columns.iter_mut().zip(other.b.columns) {
            *mine += its;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Motion;

    #[test]
    fn momentum_at_the_pole_is_that_of_the_body() {
        let (mass, centre) = (3.0, Vector3::new(1.0, -2.0, 0.5));
        let tensor = Symmetric3::new([1.0, 2.0, 2.5], [0.1, -0.2, 0.3]);
        let motion = Motion { angular: Vector3::new(0.3, 0.7, -1.1), linear: Vector3::new(2.0, 0.1, 0.4) };
        let momentum = Inertia::rigid(&RigidOf::new(mass, centre, tensor)).mul(&motion);
        let linear = motion.at(centre) * mass;
        let angular = tensor.mul(motion.angular) + centre.cross(linear);
        assert!((momentum.force - linear).norm() < 1e-14);
        assert!((momentum.moment - angular).norm() < 1e-13);
    }

    #[test]
    fn inverse_undoes_the_product() {
        let tensor = Symmetric3::new([1.0, 2.0, 2.5], [0.1, -0.2, 0.3]);
        let v = Vector3::new(0.2, -0.4, 0.9);
        assert!((tensor.inverse().mul(tensor.mul(v)) - v).norm() < 1e-15);
        assert_eq!(Symmetric3::default().inverse(), Symmetric3::default());
    }

    #[test]
    fn tensor_turns_with_its_axes() {
        let tensor = Symmetric3::new([1.0, 2.0, 2.5], [0.1, -0.2, 0.3]);
        let rotation = Matrix3::about(Vector3::new(0.6, 0.0, 0.8), 0.5_f64.sin(), 0.5_f64.cos());
        let v = Vector3::new(0.2, -0.4, 0.9);
        let expected = rotation * tensor.mul(rotation.transposed_mul(v));
        assert!((tensor.rotated(&rotation).mul(v) - expected).norm() < 1e-15);
    }
}
