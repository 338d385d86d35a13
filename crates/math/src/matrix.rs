//! Square matrices of three rows.

use super::{Number, Vector3, VectorOf};
use std::ops::Mul;

/// Three by three numbers, by columns: a rotation from body to earth axes has the body's axes as
/// columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatrixOf<T> {
    /// The columns.
    pub columns: [VectorOf<T>; 3],
}

/// A matrix of plain numbers.
pub type Matrix3 = MatrixOf<f64>;

impl Default for Matrix3 {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Matrix3 {
    /// No rotation.
    pub const IDENTITY: Self = Self { columns: Vector3::AXES };

    /// From rows, as one writes them.
    pub const fn from_rows(rows: [[f64; 3]; 3]) -> Self {
        Self {
            columns: [
                Vector3::new(rows[0][0], rows[1][0], rows[2][0]),
                Vector3::new(rows[0][1], rows[1][1], rows[2][1]),
                Vector3::new(rows[0][2], rows[1][2], rows[2][2]),
            ],
        }
    }
}

impl<T: Number> MatrixOf<T> {
    /// A matrix for each lane.
    #[inline(always)]
    pub fn gather<'a>(value: impl Fn(usize) -> &'a Matrix3) -> Self {
        Self { columns: [0, 1, 2].map(|k| VectorOf::gather(|lane| value(lane).columns[k])) }
    }

    /// The matrix of a lane.
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> Matrix3 {
        Matrix3 { columns: self.columns.map(|column| column.lane(lane)) }
    }

    /// The transposed matrix: the inverse of a rotation.
    #[inline(always)]
    pub fn transposed(&self) -> Self {
        let [a, b, c] = self.columns;
        Self { columns: [VectorOf::new(a.x, b.x, c.x), VectorOf::new(a.y, b.y, c.y), VectorOf::new(a.z, b.z, c.z)] }
    }

    /// The product of the transposed matrix with a vector: from earth to body axes.
    #[inline(always)]
    pub fn transposed_mul(&self, vector: VectorOf<T>) -> VectorOf<T> {
        let [a, b, c] = self.columns;
        VectorOf::new(a.dot(vector), b.dot(vector), c.dot(vector))
    }

    /// Rotation about a unit axis by an angle, whose sine and cosine are given: R = 1 cos + aaᵀ (1
    /// − cos) + ã sin.
    #[inline(always)]
    pub fn about(axis: VectorOf<T>, sine: T, cosine: T) -> Self {
        let (scaled, a) = (axis * (T::splat(1.0) - cosine), axis * sine);
        let column = |component: T| scaled * component;
        let [mut x, mut y, mut z] = [column(axis.x), column(axis.y), column(axis.z)];
        x += VectorOf::new(cosine, a.z, -a.y);
        y += VectorOf::new(-a.z, cosine, a.x);
        z += VectorOf::new(a.y, -a.x, cosine);
        Self { columns: [x, y, z] }
    }
}

impl<T: Number> Mul<VectorOf<T>> for MatrixOf<T> {
    type Output = VectorOf<T>;
    #[inline(always)]
    fn mul(self, v: VectorOf<T>) -> VectorOf<T> {
        let [a, b, c] = self.columns;
        a * v.x + b * v.y + c * v.z
    }
}

impl<T: Number> Mul for MatrixOf<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self { columns: [self * other.columns[0], self * other.columns[1], self * other.columns[2]] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation_about_an_axis_follows_the_right_hand_rule() {
        let (sine, cosine) = 0.5_f64.sin_cos();
        let turned = Matrix3::about(Vector3::AXES[2], sine, cosine) * Vector3::AXES[0];
        assert!((turned - Vector3::new(cosine, sine, 0.0)).norm() < 1e-15);
        let axis = Vector3::new(1.0, -2.0, 0.5).normalised().expect("not zero");
        let rotation = Matrix3::about(axis, sine, cosine);
        assert!((rotation * axis - axis).norm() < 1e-15);
        let unity = rotation * rotation.transposed();
        for (column, expected) in unity.columns.iter().zip(Vector3::AXES) {
            assert!((*column - expected).norm() < 1e-15);
        }
    }
}
