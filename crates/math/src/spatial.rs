//! Spatial vectors at one common pole, along earth axes.
//!
//! All velocities are taken at the same point O of space (the pole), so that along a chain they
//! simply add, and the two sides of an internal force are exactly opposite. With ω the angular
//! velocity and v the velocity of the body-fixed point that passes O:
//! ```text
//! point velocity        v(p) = v + ω × p                                          (1)
//! motion cross motion   V ×ₘ S = (ω × σ, ω × s + v × σ),   S = (σ, s)              (2)
//! motion cross force    V ×ᶠ F = (ω × n + v × f, ω × f),   F = (n, f)              (3)
//! power                 F · V = n · ω + f · v                                     (4)
//! ```

use super::number::by_parts;
use super::{Number, Vector3, VectorOf};

/// Velocity, acceleration or joint axis at the pole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionOf<T> {
    /// Angular part.
    pub angular: VectorOf<T>,
    /// Velocity of the body-fixed point at the pole.
    pub linear: VectorOf<T>,
}

/// A wrench at the pole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceOf<T> {
    /// Moment about the pole.
    pub moment: VectorOf<T>,
    /// Resultant force.
    pub force: VectorOf<T>,
}

/// A motion of plain numbers.
pub type Motion = MotionOf<f64>;

/// A wrench of plain numbers.
pub type Force = ForceOf<f64>;

impl Motion {
    /// Rest.
    pub const ZERO: Self = Self { angular: Vector3::ZERO, linear: Vector3::ZERO };
}

impl<T: Number> MotionOf<T> {
    /// Unit rotation about an axis through a point.
    #[inline(always)]
    pub fn rotation(axis: VectorOf<T>, point: VectorOf<T>) -> Self {
        Self { angular: axis, linear: point.cross(axis) }
    }

    /// Unit translation.
    #[inline(always)]
    pub fn translation(axis: VectorOf<T>) -> Self {
        Self { angular: VectorOf::splat(Vector3::ZERO), linear: axis }
    }

    /// Eq. (1).
    #[inline(always)]
    pub fn at(&self, point: VectorOf<T>) -> VectorOf<T> {
        self.linear + self.angular.cross(point)
    }

    /// Eq. (2).
    #[inline(always)]
    pub fn cross(&self, other: &Self) -> Self {
        Self {
            angular: self.angular.cross(other.angular),
            linear: self.angular.cross(other.linear) + self.linear.cross(other.angular),
        }
    }

    /// Eq. (3).
    #[inline(always)]
    pub fn cross_force(&self, other: &ForceOf<T>) -> ForceOf<T> {
        ForceOf {
            moment: self.angular.cross(other.moment) + self.linear.cross(other.force),
            force: self.angular.cross(other.force),
        }
    }
}

impl Force {
    /// No wrench.
    pub const ZERO: Self = Self { moment: Vector3::ZERO, force: Vector3::ZERO };
}

impl<T: Number> ForceOf<T> {
    /// A force that acts at a point.
    #[inline(always)]
    pub fn at(force: VectorOf<T>, point: VectorOf<T>) -> Self {
        Self { moment: point.cross(force), force }
    }

    /// A pure torque.
    #[inline(always)]
    pub fn torque(moment: VectorOf<T>) -> Self {
        Self { moment, force: VectorOf::splat(Vector3::ZERO) }
    }

    /// Eq. (4).
    #[inline(always)]
    pub fn dot(&self, motion: &MotionOf<T>) -> T {
        self.moment.dot(motion.angular) + self.force.dot(motion.linear)
    }
}

by_parts!(MotionOf, Motion { angular: VectorOf, linear: VectorOf });
by_parts!(ForceOf, Force { moment: VectorOf, force: VectorOf });
