//! Inertias in lanes: rigid ones by mass, first moment and tensor, articulated ones by their
//! blocks.

use super::zero_vector;
use crate::math::{ForceOf, Inertia, MatrixOf, MotionOf, Number, SymmetricOf, VectorOf};

/// Mass, first moment and tensor about the pole.
pub(super) struct Rigid<T> {
    pub(super) mass: T,
    pub(super) moment: VectorOf<T>,
    pub(super) tensor: SymmetricOf<T>,
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

/// A spatial inertia in lanes: the blocks of [`Inertia`].
pub(super) struct Articulated<T> {
    pub(super) a: SymmetricOf<T>,
    pub(super) b: MatrixOf<T>,
    pub(super) d: SymmetricOf<T>,
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
            d: SymmetricOf { diagonal: VectorOf::new(m, m, m), off: zero_vector() },
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
