//! Spatial vectors at one common pole, along earth axes.
//!
//! All velocities are taken at the same point O of space (the pole), so that along a chain they simply add, and the two sides of
//! an internal force are exactly opposite. With ω the angular velocity and v the velocity of the body-fixed point that
//! passes O:
//! ```text
//! point velocity        v(p) = v + ω × p                                          (1)
//! motion cross motion   V ×ₘ S = (ω × σ, ω × s + v × σ),   S = (σ, s)              (2)
//! motion cross force    V ×ᶠ F = (ω × n + v × f, ω × f),   F = (n, f)              (3)
//! power                 F · V = n · ω + f · v                                     (4)
//! ```

use super::Vector3;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Velocity, acceleration or joint axis at the pole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Angular part.
    pub angular: Vector3,
    /// Velocity of the body-fixed point at the pole.
    pub linear: Vector3,
}

/// A wrench at the pole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Force {
    /// Moment about the pole.
    pub moment: Vector3,
    /// Resultant force.
    pub force: Vector3,
}

impl Motion {
    /// Rest.
    pub const ZERO: Self = Self {
        angular: Vector3::ZERO,
        linear: Vector3::ZERO,
    };

    /// Unit rotation about an axis through a point.
    #[inline]
    #[must_use]
    pub fn rotation(axis: Vector3, point: Vector3) -> Self {
        Self {
            angular: axis,
            linear: point.cross(axis),
        }
    }

    /// Unit translation.
    #[inline]
    #[must_use]
    pub fn translation(axis: Vector3) -> Self {
        Self {
            angular: Vector3::ZERO,
            linear: axis,
        }
    }

    /// Eq. (1).
    #[inline]
    #[must_use]
    pub fn at(&self, point: Vector3) -> Vector3 {
        self.linear + self.angular.cross(point)
    }

    /// Eq. (2).
    #[inline]
    #[must_use]
    pub fn cross(&self, other: &Self) -> Self {
        Self {
            angular: self.angular.cross(other.angular),
            linear: self.angular.cross(other.linear) + self.linear.cross(other.angular),
        }
    }

    /// Eq. (3).
    #[inline]
    #[must_use]
    pub fn cross_force(&self, other: &Force) -> Force {
        Force {
            moment: self.angular.cross(other.moment) + self.linear.cross(other.force),
            force: self.angular.cross(other.force),
        }
    }
}

impl Force {
    /// No wrench.
    pub const ZERO: Self = Self {
        moment: Vector3::ZERO,
        force: Vector3::ZERO,
    };

    /// A force that acts at a point.
    #[inline]
    #[must_use]
    pub fn at(force: Vector3, point: Vector3) -> Self {
        Self {
            moment: point.cross(force),
            force,
        }
    }

    /// A pure torque.
    #[inline]
    #[must_use]
    pub fn torque(moment: Vector3) -> Self {
        Self {
            moment,
            force: Vector3::ZERO,
        }
    }

    /// Eq. (4).
    #[inline]
    #[must_use]
    pub fn dot(&self, motion: &Motion) -> f64 {
        self.moment.dot(motion.angular) + self.force.dot(motion.linear)
    }
}

macro_rules! vector_space {
    ($type:ty, $first:ident, $second:ident) => {
        impl Add for $type {
            type Output = Self;
            #[inline]
            fn add(self, other: Self) -> Self {
                Self {
                    $first: self.$first + other.$first,
                    $second: self.$second + other.$second,
                }
            }
        }
        impl Sub for $type {
            type Output = Self;
            #[inline]
            fn sub(self, other: Self) -> Self {
                Self {
                    $first: self.$first - other.$first,
                    $second: self.$second - other.$second,
                }
            }
        }
        impl AddAssign for $type {
            #[inline]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }
        impl SubAssign for $type {
            #[inline]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }
        impl Neg for $type {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                Self {
                    $first: -self.$first,
                    $second: -self.$second,
                }
            }
        }
        impl Mul<f64> for $type {
            type Output = Self;
            #[inline]
            fn mul(self, factor: f64) -> Self {
                Self {
                    $first: self.$first * factor,
                    $second: self.$second * factor,
                }
            }
        }
    };
}
vector_space!(Motion, angular, linear);
vector_space!(Force, moment, force);
