//! Vectors of three components.
// A vector of plain numbers may lie in shared memory.
#![allow(unsafe_code)]

use super::Number;
use super::number::by_parts;

/// Three components along earth or body axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct VectorOf<T> {
    /// First component.
    pub x: T,
    /// Second component.
    pub y: T,
    /// Third component.
    pub z: T,
}

/// Three plain numbers.
pub type Vector3 = VectorOf<f64>;

// SAFETY: three numbers of one size in a row, without padding; all zeros are a vector.
unsafe impl bytemuck::Zeroable for Vector3 {}
// SAFETY: as above; every bit pattern of a number is a number.
unsafe impl bytemuck::Pod for Vector3 {}

impl<T: Number> VectorOf<T> {
    /// The same vector in every lane.
    #[inline(always)]
    pub fn splat(it: Vector3) -> Self {
        Self::new(T::splat(it.x), T::splat(it.y), T::splat(it.z))
    }

    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, other: Self) -> T {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// Vector product.
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }
}

impl<T> VectorOf<T> {
    /// From components.
    #[inline(always)]
    pub const fn new(x: T, y: T, z: T) -> Self {
        Self { x, y, z }
    }
}

impl Vector3 {
    /// Nothing.
    pub const ZERO: Self = Self::new(0.0, 0.0, 0.0);
    /// Unit vectors of the three axes.
    pub const AXES: [Self; 3] = [Self::new(1.0, 0.0, 0.0), Self::new(0.0, 1.0, 0.0), Self::new(0.0, 0.0, 1.0)];

    /// Components in order.
    #[inline]
    pub const fn to_array(self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }

    /// Length.
    #[inline]
    pub fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// The unit vector of the same direction; none for a vector that is zero or not finite.
    pub fn normalised(self) -> Option<Self> {
        let norm = self.norm();
        (norm > 0.0 && norm.is_finite()).then(|| self * (1.0 / norm))
    }

    /// Two unit vectors that make a right-handed triad with this unit vector: `(a, b)` with a × b =
    /// self.
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

by_parts!(VectorOf, Vector3 { x: T, y: T, z: T });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perpendiculars_make_a_right_handed_triad() {
        for axis in [[0.0, 0.0, 1.0], [1.0, 2.0, -3.0], [-1.0, 0.0, 0.0], [1e-9, 1.0, 1.0]] {
            let axis = Vector3::from(axis).normalised().expect("not zero");
            let (a, b) = axis.perpendiculars();
            assert!((a.cross(b) - axis).norm() < 1e-15);
            assert!(a.dot(b).abs() < 1e-15 && a.dot(axis).abs() < 1e-15);
        }
        assert_eq!(Vector3::ZERO.normalised(), None);
    }
}
