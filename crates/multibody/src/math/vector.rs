//! Vectors of three components.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Three components along earth or body axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vector3 {
    /// First component.
    pub x: f64,
    /// Second component.
    pub y: f64,
    /// Third component.
    pub z: f64,
}

impl Vector3 {
    /// Nothing.
    pub const ZERO: Self = Self::new(0.0, 0.0, 0.0);
    /// Unit vectors of the three axes.
    pub const AXES: [Self; 3] = [
        Self::new(1.0, 0.0, 0.0),
        Self::new(0.0, 1.0, 0.0),
        Self::new(0.0, 0.0, 1.0),
    ];

    /// From components.
    #[inline]
    #[must_use]
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }

    /// Components in order.
    #[inline]
    #[must_use]
    pub const fn to_array(self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }

    /// Scalar product.
    #[inline]
    #[must_use]
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// Vector product.
    #[inline]
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    /// Length.
    #[inline]
    #[must_use]
    pub fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// The unit vector of the same direction; none for a vector that is zero or not finite.
    #[must_use]
    pub fn normalised(self) -> Option<Self> {
        let norm = self.norm();
        (norm > 0.0 && norm.is_finite()).then(|| self * (1.0 / norm))
    }

    /// Two unit vectors that make a right-handed triad with this unit vector: `(a, b)` with a × b = self.
    #[must_use]
    pub fn perpendiculars(self) -> (Self, Self) {
        let smallest = if self.x.abs() <= self.y.abs() && self.x.abs() <= self.z.abs() {
            Self::AXES[0]
        } else if self.y.abs() <= self.z.abs() {
            Self::AXES[1]
        } else {
            Self::AXES[2]
        };
        let second = self.cross(smallest).normalised().unwrap_or(Self::AXES[0]);
        (second.cross(self), second)
    }

    /// Whether all components are finite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }
}

impl From<[f64; 3]> for Vector3 {
    #[inline]
    fn from([x, y, z]: [f64; 3]) -> Self {
        Self { x, y, z }
    }
}

impl Add for Vector3 {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl AddAssign for Vector3 {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Vector3 {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl SubAssign for Vector3 {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Vector3 {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl Mul<f64> for Vector3 {
    type Output = Self;
    #[inline]
    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perpendiculars_make_a_right_handed_triad() {
        for axis in [
            [0.0, 0.0, 1.0],
            [1.0, 2.0, -3.0],
            [-1.0, 0.0, 0.0],
            [1e-9, 1.0, 1.0],
        ] {
            let axis = Vector3::from(axis).normalised().expect("not zero");
            let (a, b) = axis.perpendiculars();
            assert!((a.cross(b) - axis).norm() < 1e-15);
            assert!(a.dot(b).abs() < 1e-15 && a.dot(axis).abs() < 1e-15);
        }
        assert_eq!(Vector3::ZERO.normalised(), None);
    }
}
