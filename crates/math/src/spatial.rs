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

use super::{Number, Vector3, VectorOf};
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

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
    /// A motion for each lane.
    #[inline(always)]
    pub fn gather(value: impl Fn(usize) -> Motion) -> Self {
        Self {
            angular: VectorOf::gather(|lane| value(lane).angular),
            linear: VectorOf::gather(|lane| value(lane).linear),
        }
    }

    /// The motion of a lane.
    #[inline(always)]
    pub fn lane(self, lane: usize) -> Motion {
        Motion { angular: self.angular.lane(lane), linear: self.linear.lane(lane) }
    }

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
    /// A wrench for each lane.
    #[inline(always)]
    pub fn gather(value: impl Fn(usize) -> Force) -> Self {
        Self { moment: VectorOf::gather(|lane| value(lane).moment), force: VectorOf::gather(|lane| value(lane).force) }
    }

    /// The wrench of a lane.
    #[inline(always)]
    pub fn lane(self, lane: usize) -> Force {
        Force { moment: self.moment.lane(lane), force: self.force.lane(lane) }
    }

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

macro_rules! vector_space {
    ($type:ident, $first:ident, $second:ident) => {
        impl<T: Number> Add for $type<T> {
            type Output = Self;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                Self { $first: self.$first + other.$first, $second: self.$second + other.$second }
            }
        }
        impl<T: Number> Sub for $type<T> {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                Self { $first: self.$first - other.$first, $second: self.$second - other.$second }
            }
        }
        impl<T: Number> AddAssign for $type<T> {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }
        impl<T: Number> SubAssign for $type<T> {
            #[inline(always)]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }
        impl<T: Number> Neg for $type<T> {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                Self { $first: -self.$first, $second: -self.$second }
            }
        }
        impl<T: Number> Mul<T> for $type<T> {
            type Output = Self;
            #[inline(always)]
            fn mul(self, factor: T) -> Self {
                Self { $first: self.$first * factor, $second: self.$second * factor }
            }
        }
    };
}
vector_space!(MotionOf, angular, linear);
vector_space!(ForceOf, moment, force);
