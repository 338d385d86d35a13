//! Two numbers in one register.
//!
//! Each operation is that of a plain number in both lanes, bit for bit.

use super::{Number, register};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Two numbers that undergo the same arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct Pair(register::Two);

impl Default for Pair {
    #[inline(always)]
    fn default() -> Self {
        Self::splat(0.0)
    }
}

impl Number for Pair {
    const LANES: usize = 2;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(register::splat(value))
    }

    #[inline(always)]
    fn gather(value: impl Fn(usize) -> f64) -> Self {
        Self(register::new(value(0), value(1)))
    }

    #[inline(always)]
    fn lane(self, lane: usize) -> f64 {
        if lane == 0 { register::first(self.0) } else { register::second(self.0) }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(register::sqrt(self.0))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(register::abs(self.0))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(register::max(self.0, other.0))
    }

    #[inline(always)]
    fn largest(self) -> f64 {
        let (one, other) = (register::first(self.0), register::second(self.0));
        if one > other { one } else { other }
    }

    #[inline(always)]
    fn sum(self) -> f64 {
        register::first(self.0) + register::second(self.0)
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident) => {
        impl $trait for Pair {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(register::$method(self.0, other.0))
            }
        }
    };
}

operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);
operator!(Div, div);

impl Neg for Pair {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(register::neg(self.0))
    }
}

impl AddAssign for Pair {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Pair {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lanes_do_what_a_single_number_does() {
        let (a, b) = ([1.5, -2.25], [-0.3, 7.0]);
        let (x, y) = (Pair::gather(|k| a[k]), Pair::gather(|k| b[k]));
        for k in 0..2 {
            assert_eq!((x + y).lane(k), a[k] + b[k]);
            assert_eq!((x - y).lane(k), a[k] - b[k]);
            assert_eq!((x * y).lane(k), a[k] * b[k]);
            assert_eq!((x / y).lane(k), a[k] / b[k]);
            assert_eq!((-x).lane(k), -a[k]);
            assert_eq!(x.abs().sqrt().lane(k), a[k].abs().sqrt());
            assert_eq!(Number::max(x, y).lane(k), a[k].max(b[k]));
        }
        assert_eq!((x.sum(), x.largest(), Pair::splat(3.0).sum()), (-0.75, 1.5, 6.0));
    }
}
