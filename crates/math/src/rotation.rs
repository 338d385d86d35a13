//! Orientation as a unit quaternion.
//!
//! With q the orientation of a body and u a small rotation vector in its own axes, the update is q
//! ← q ⊗ exp(u/2): it stays on the unit sphere. For a multi-step method the rates of earlier steps
//! have to be carried to the same chart, which is what [`Quaternion::log`] and [`rotation_rate`]
//! are for.
//!
//! In the chart q = q₀ ⊗ exp(u/2) with body angular velocity ω:
//! ```text
//! u̇ = ω + ½ u × ω + κ u × (u × ω),   κ = (1 − (θ/2) cot(θ/2)) / θ²,  θ = |u|          (1)
//! ```
// An orientation of plain numbers may lie in shared memory.
#![allow(unsafe_code)]

use super::{Matrix3, MatrixOf, Number, Vector3, VectorOf, sin_cos};
use std::ops::Mul;

/// Orientation: scalar part and vector part.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct QuaternionOf<T> {
    /// Cosine of half the angle.
    pub w: T,
    /// Axis times sine of half the angle.
    pub v: VectorOf<T>,
}

/// An orientation of plain numbers.
pub type Quaternion = QuaternionOf<f64>;

// SAFETY: four numbers of one size in a row, without padding; all zeros are four numbers.
unsafe impl bytemuck::Zeroable for Quaternion {}
// SAFETY: as above; every bit pattern of a number is a number.
unsafe impl bytemuck::Pod for Quaternion {}

impl Default for Quaternion {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Quaternion {
    /// No rotation.
    pub const IDENTITY: Self = Self { w: 1.0, v: Vector3::ZERO };

    /// From four numbers, scalar first.
    #[inline]
    pub fn from_wxyz([w, x, y, z]: [f64; 4]) -> Self {
        Self { w, v: Vector3::new(x, y, z) }
    }

    /// Four numbers, scalar first.
    #[inline]
    pub fn to_wxyz(self) -> [f64; 4] {
        [self.w, self.v.x, self.v.y, self.v.z]
    }

    /// That of a rotation matrix, from its largest component.
    pub fn from_matrix(rotation: &Matrix3) -> Self {
        let entry = |row: usize, column: usize| rotation.columns[column].to_array()[row];
        let trace = entry(0, 0) + entry(1, 1) + entry(2, 2);
        let squares = [trace, entry(0, 0), entry(1, 1), entry(2, 2)];
        let largest = (1..4).fold(0, |best, it| if squares[it] > squares[best] { it } else { best });
        if largest == 0 {
            let w = 0.5 * (1.0 + trace).sqrt();
            let skew = Vector3::new(entry(2, 1) - entry(1, 2), entry(0, 2) - entry(2, 0), entry(1, 0) - entry(0, 1));
            return Self { w, v: skew * (0.25 / w) };
        }
        let i = largest - 1;
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let size = 0.5 * (1.0 + entry(i, i) - entry(j, j) - entry(k, k)).sqrt();
        let mut v = [0.0; 3];
        v[i] = size;
        v[j] = (entry(i, j) + entry(j, i)) * (0.25 / size);
        v[k] = (entry(i, k) + entry(k, i)) * (0.25 / size);
        Self { w: (entry(k, j) - entry(j, k)) * (0.25 / size), v: v.into() }
    }

    /// The rotation vector, shorter than half a turn.
    #[inline]
    pub fn log(self) -> Vector3 {
        let (w, v) = if self.w < 0.0 { (-self.w, -self.v) } else { (self.w, self.v) };
        let square = v.dot(v);
        if square < 1e-5 {
            // 2 asin(s)/s with s the sine of half the angle; the first term left out is below
            // 1e-21.
            let series =
                2.0 + square * (1.0 / 3.0 + square * (3.0 / 20.0 + square * (5.0 / 56.0 + square * (35.0 / 576.0))));
            return v * series;
        }
        let sine = square.sqrt();
        v * (2.0 * sine.atan2(w) / sine)
    }

    /// The inverse of a unit quaternion.
    #[inline]
    pub fn conjugate(self) -> Self {
        Self { w: self.w, v: -self.v }
    }

    /// A vector turned by this rotation.
    #[inline]
    pub fn rotate(self, vector: Vector3) -> Vector3 {
        let twice = self.v.cross(vector) * 2.0;
        vector + twice * self.w + self.v.cross(twice)
    }
}

/// Below this square of an angle the series of [`QuaternionOf::small`] are exact.
const SMALL_SQUARE: f64 = 1e-4;

impl<T: Number> QuaternionOf<T> {
    /// From a rotation vector whose square is below 1e-4.
    #[inline(always)]
    pub fn small(rotation: VectorOf<T>) -> Self {
        let (square, number) = (rotation.dot(rotation), T::splat);
        // Series of sin(θ/2)/θ and cos(θ/2); the first term left out is below 1e-19.
        let sine = number(0.5)
            - square * (number(1.0 / 48.0) - square * (number(1.0 / 3840.0) - square * number(1.0 / 645_120.0)));
        let cosine = number(1.0)
            - square
                * (number(0.125)
                    - square
                        * (number(1.0 / 384.0)
                            - square * (number(1.0 / 46080.0) - square * number(1.0 / 10_321_920.0))));
        Self { w: cosine, v: rotation * sine }
    }

    /// From a rotation vector: axis times angle.
    #[inline]
    pub fn exp(rotation: VectorOf<T>) -> Self {
        let square = rotation.dot(rotation);
        if square.largest() < SMALL_SQUARE {
            return Self::small(rotation);
        }
        let angle = square.sqrt();
        let (sine, cosine) = sin_cos(angle * T::splat(0.5));
        // A lane may stand still beside one that turns far.
        let ratio = T::gather(|k| if angle.lane(k) > 0.0 { sine.lane(k) / angle.lane(k) } else { 0.5 });
        Self { w: cosine, v: rotation * ratio }
    }

    /// Scaled to length one.
    #[inline(always)]
    pub fn normalised(self) -> Self {
        let scale = T::splat(1.0) / (self.w * self.w + self.v.dot(self.v)).sqrt();
        Self { w: self.w * scale, v: self.v * scale }
    }

    /// The rotation matrix.
    #[inline(always)]
    pub fn to_matrix(self) -> MatrixOf<T> {
        let (one, two) = (T::splat(1.0), T::splat(2.0));
        let (w, VectorOf { x, y, z }) = (self.w, self.v);
        let (xx, yy, zz) = (two * x * x, two * y * y, two * z * z);
        let (xy, xz, yz) = (two * x * y, two * x * z, two * y * z);
        let (wx, wy, wz) = (two * w * x, two * w * y, two * w * z);
        MatrixOf {
            columns: [
                VectorOf::new(one - yy - zz, xy + wz, xz - wy),
                VectorOf::new(xy - wz, one - xx - zz, yz + wx),
                VectorOf::new(xz + wy, yz - wx, one - xx - yy),
            ],
        }
    }
}

impl<T: Number> Mul for QuaternionOf<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self {
            w: self.w * other.w - self.v.dot(other.v),
            v: other.v * self.w + self.v * other.w + self.v.cross(other.v),
        }
    }
}

/// The rate in the chart of another orientation, from which `relative` leads to this one:
/// [`rotation_rate`] at u = log(relative).
#[inline]
pub fn carried_rate<T: Number>(relative: QuaternionOf<T>, angular: VectorOf<T>) -> VectorOf<T> {
    let (square, number) = (relative.v.dot(relative.v), T::splat);
    if square.largest() < 1e-5 && (-relative.w).largest() < 0.0 {
        // The series of `log` and `rotation_rate`.
        let series = number(2.0)
            + square
                * (number(1.0 / 3.0)
                    + square * (number(3.0 / 20.0) + square * (number(5.0 / 56.0) + square * number(35.0 / 576.0))));
        let u = relative.v * series;
        let square = u.dot(u);
        let kappa = number(1.0 / 12.0)
            + square * (number(1.0 / 720.0) + square * (number(1.0 / 30240.0) + square * number(1.0 / 1_209_600.0)));
        let once = u.cross(angular);
        return angular + once * number(0.5) + u.cross(once) * kappa;
    }
    let lane = |lane: usize| {
        let relative = Quaternion { w: relative.w.lane(lane), v: relative.v.lane(lane) };
        rotation_rate(relative.log(), angular.lane(lane))
    };
    VectorOf::gather(lane)
}

/// Eq. (1): the rate of the rotation vector `u` of a chart, for a body angular velocity.
#[inline]
pub fn rotation_rate(u: Vector3, angular: Vector3) -> Vector3 {
    let square = u.dot(u);
    let kappa = if square < 1e-3 {
        // The first term left out is below 1e-17.
        1.0 / 12.0 + square * (1.0 / 720.0 + square * (1.0 / 30240.0 + square / 1_209_600.0))
    } else {
        let half = 0.5 * square.sqrt();
        (1.0 - half / half.tan()) / square
    };
    let once = u.cross(angular);
    angular + once * 0.5 + u.cross(once) * kappa
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_and_logarithm_are_inverse_on_both_sides_of_the_series_limit() {
        for size in [1e-9, 1e-4, 5e-3, 0.0099, 0.0101, 0.3, 3.0] {
            let u = Vector3::new(0.6, -0.48, 0.64) * size;
            let q = Quaternion::exp(u);
            assert!((q.log() - u).norm() < 1e-14 * size.max(1e-3), "{size}");
            assert!((q.w * q.w + q.v.dot(q.v) - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn quaternions_come_back_from_their_matrices() {
        for wxyz in [
            [1.0, 0.0, 0.0, 0.0],
            [0.5, 0.5, 0.5, -0.5],
            [0.1, 0.9, 0.2, -0.3],
            [0.1, 0.2, -0.9, 0.3],
            [-0.05, 0.2, 0.3, 0.9],
        ] {
            let given = Quaternion::from_wxyz(wxyz).normalised();
            let found = Quaternion::from_matrix(&given.to_matrix());
            let dot: f64 = given.to_wxyz().iter().zip(found.to_wxyz()).map(|(a, b)| a * b).sum();
            assert!((dot.abs() - 1.0).abs() < 1e-14, "{given:?} {found:?}");
        }
    }

    #[test]
    fn matrix_and_quaternion_rotate_alike() {
        let q = Quaternion::exp(Vector3::new(0.3, -1.2, 0.7));
        let v = Vector3::new(1.0, 2.0, -0.5);
        assert!((q.to_matrix() * v - q.rotate(v)).norm() < 1e-15);
        let p = Quaternion::exp(Vector3::new(-0.5, 0.1, 0.2));
        assert!(((q * p).rotate(v) - q.rotate(p.rotate(v))).norm() < 1e-14);
    }

    #[test]
    fn a_rate_is_carried_as_logarithm_and_chart_say() {
        for sizes in [[1e-3, 2e-3], [1e-3, 0.4], [2.0, -1e-4]] {
            let angular = Vector3::new(0.4, 1.1, -0.7);
            let relative = sizes.map(|size| Quaternion::exp(Vector3::new(0.36, -0.48, 0.8) * size));
            let both: VectorOf<crate::Pair> = carried_rate(
                QuaternionOf { w: Number::gather(|k| relative[k].w), v: VectorOf::gather(|k| relative[k].v) },
                VectorOf::splat(angular),
            );
            for (k, relative) in relative.iter().enumerate() {
                let expected = rotation_rate(relative.log(), angular);
                assert!((both.lane(k) - expected).norm() < 1e-15);
            }
        }
    }

    #[test]
    fn rate_of_the_chart_is_the_derivative_of_the_logarithm() {
        for size in [1e-3, 0.02, 0.05, 1.0, 2.5] {
            let u = Vector3::new(0.36, -0.48, 0.8) * size;
            let angular = Vector3::new(0.4, 1.1, -0.7);
            let at = |t: f64| (Quaternion::exp(u) * Quaternion::exp(angular * t)).log();
            let h = 1e-5;
            let numeric = (at(h) - at(-h)) * (0.5 / h);
            assert!((numeric - rotation_rate(u, angular)).norm() < 1e-8, "{size}");
        }
    }
}
