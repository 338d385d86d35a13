//! What the small mathematics is made of: one number, or several side by side.
//!
//! Vehicles have corners that are built alike. [`Number`] lets one kernel serve a single mechanism
//! (`f64`) and two alike mechanisms in the two halves of a register ([`super::Pair`]); each lane
//! sees exactly the operations that a single number would see, so that the bits do not depend on
//! the machine.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// One or more real numbers that undergo the same arithmetic.
pub trait Number:
    Copy
    + Debug
    + Default
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
{
    /// How many numbers there are.
    const LANES: usize;

    /// The same number in every lane.
    fn splat(value: f64) -> Self;

    /// A number for each lane.
    fn gather(value: impl Fn(usize) -> f64) -> Self;

    /// The number of a lane.
    fn lane(self, lane: usize) -> f64;

    /// Square root.
    fn sqrt(self) -> Self;

    /// Magnitude.
    fn abs(self) -> Self;

    /// The larger of two; where one is not a number, the result is unspecified but
    /// [`Number::largest`] of a sum shows it.
    fn max(self, other: Self) -> Self;

    /// Largest number of all lanes.
    fn largest(self) -> f64;

    /// Sum of all lanes, first lane first.
    fn sum(self) -> f64;
}

impl Number for f64 {
    const LANES: usize = 1;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn gather(value: impl Fn(usize) -> f64) -> Self {
        value(0)
    }

    #[inline(always)]
    fn lane(self, _lane: usize) -> f64 {
        self
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        f64::abs(self)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn largest(self) -> f64 {
        self
    }

    #[inline(always)]
    fn sum(self) -> f64 {
        self
    }
}

/// What a type of several parts does part by part: the arithmetic of vectors, and the way to lanes
/// and back. `$plain` is the type of plain numbers; a part is a number (`T`) or such a type itself.
macro_rules! by_parts {
    ($type:ident, $plain:ident { $($part:ident: $of:ident),* }) => {
        impl<T: Number> $type<T> {
            /// One for each lane.
            #[inline(always)]
            pub fn gather(value: impl Fn(usize) -> $plain) -> Self {
                Self { $($part: $of::gather(|lane| value(lane).$part)),* }
            }

            /// That of a lane.
            #[inline(always)]
            pub fn lane(self, lane: usize) -> $plain {
                $plain { $($part: self.$part.lane(lane)),* }
            }
        }
        impl<T: Number> std::ops::Add for $type<T> {
            type Output = Self;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                Self { $($part: self.$part + other.$part),* }
            }
        }
        impl<T: Number> std::ops::Sub for $type<T> {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                Self { $($part: self.$part - other.$part),* }
            }
        }
        impl<T: Number> std::ops::AddAssign for $type<T> {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }
        impl<T: Number> std::ops::SubAssign for $type<T> {
            #[inline(always)]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }
        impl<T: Number> std::ops::Neg for $type<T> {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                Self { $($part: -self.$part),* }
            }
        }
        impl<T: Number> std::ops::Mul<T> for $type<T> {
            type Output = Self;
            #[inline(always)]
            fn mul(self, factor: T) -> Self {
                Self { $($part: self.$part * factor),* }
            }
        }
    };
}
pub(crate) use by_parts;
