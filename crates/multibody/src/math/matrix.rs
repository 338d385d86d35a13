//! Square matrices of three rows.

use super::Vector3;
use std::ops::Mul;

/// Three by three numbers, by columns: a rotation from body to earth axes has the body's axes as columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix3 {
    /// The columns.
    pub columns: [Vector3; 3],
}

impl Default for Matrix3 {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Matrix3 {
    /// No rotation.
    pub const IDENTITY: Self = Self {
        columns: Vector3::AXES,
    };

    /// From rows, as one writes them.
    #[must_use]
    pub const fn from_rows(rows: [[f64; 3]; 3]) -> Self {
        Self {
            columns: [
                Vector3::new(rows[0][0], rows[1][0], rows[2][0]),
                Vector3::new(rows[0][1], rows[1][1], rows[2][1]),
                Vector3::new(rows[0][2], rows[1][2], rows[2][2]),
            ],
        }
    }

    /// The transposed matrix: the inverse of a rotation.
    #[inline]
    #[must_use]
    pub fn transposed(&self) -> Self {
        let [a, b, c] = self.columns;
        Self {
            columns: [
                Vector3::new(a.x, b.x, c.x),
                Vector3::new(a.y, b.y, c.y),
                Vector3::new(a.z, b.z, c.z),
            ],
        }
    }

    /// The product of the transposed matrix with a vector: from earth to body axes.
    #[inline]
    #[must_use]
    pub fn transposed_mul(&self, vector: Vector3) -> Vector3 {
        let [a, b, c] = self.columns;
        Vector3::new(a.dot(vector), b.dot(vector), c.dot(vector))
    }

    /// Rotation about a unit axis by an angle, whose sine and cosine are given:
    /// R = 1 cos + aaᵀ (1 − cos) + ã sin.
    #[inline]
    #[must_use]
    pub fn about(axis: Vector3, sine: f64, cosine: f64) -> Self {
        let (scaled, a) = (axis * (1.0 - cosine), axis * sine);
        let column = |component: f64| scaled * component;
        let [mut x, mut y, mut z] = [column(axis.x), column(axis.y), column(axis.z)];
        x += Vector3::new(cosine, a.z, -a.y);
        y += Vector3::new(-a.z, cosine, a.x);
        z += Vector3::new(a.y, -a.x, cosine);
        Self { columns: [x, y, z] }
    }
}

impl Mul<Vector3> for Matrix3 {
    type Output = Vector3;
    #[inline]
    fn mul(self, v: Vector3) -> Vector3 {
        let [a, b, c] = self.columns;
        a * v.x + b * v.y + c * v.z
    }
}

impl Mul for Matrix3 {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self {
            columns: [
                self * other.columns[0],
                self * other.columns[1],
                self * other.columns[2],
            ],
        }
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
