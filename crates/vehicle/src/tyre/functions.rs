//! Elementary functions for the step path: polynomials instead of the system's library.
//!
//! The Magic Formula takes about thirty arctangents and sines per wheel. These are branchless, so
//! that the compiler computes two at a time ([`arctangents`], [`sines`]), and give the same bits on
//! every machine. Their error is below 10⁻¹² (a test compares them with the library), where a
//! tyre's coefficients have four digits. The coefficients interpolate the functions at Chebyshev
//! points:
//! ```text
//! (1)  arctan t = t P(t²)           |t| ≤ tan(π/8);  larger arguments by arctan x = π/4 + arctan((x − 1)/(x + 1)), = π/2 − arctan(1/x)
//! (2)  sin r = r P(r²)              |r| ≤ π/2;       other arguments by whole multiples of π
//! (3)  e^r = P(r)                   |r| ≤ ½ ln 2;    other arguments by powers of two
//! (4)  ln m = s P(s²)               s = (m − 1)/(m + 1), √½ ≤ m < √2; other arguments by powers of two
//! ```

use std::f64::consts::{FRAC_1_PI, FRAC_PI_2, FRAC_PI_4, LN_2, LOG2_E};

/// tan(π/8) and tan(3π/8).
const ARCTANGENT_LIMITS: (f64, f64) = (std::f64::consts::SQRT_2 - 1.0, std::f64::consts::SQRT_2 + 1.0);
/// π and ln 2 in two parts, the first with few bits, so that its multiples are exact.
const PI_PARTS: (f64, f64) = (3.141_592_621_803_283_7, 3.178_650_954_705_639e-8);
const LN_2_PARTS: (f64, f64) = (0.693_147_167_563_438_4, 1.299_650_689_388_988_9e-8);
/// Adding and subtracting this rounds to a whole number.
const ROUNDING: f64 = 6_755_399_441_055_744.0;

const ARCTANGENT: [f64; 8] = [
    0.999_999_999_999_244_7,
    -0.333_333_332_769_224_94,
    0.199_999_930_535_558_15,
    -0.142_853_865_537_521_39,
    0.111_034_569_089_474_64,
    -0.089_925_529_061_509_12,
    0.069_741_976_865_952_65,
    -0.037_655_106_012_914_02,
];
const SINE: [f64; 7] = [
    0.999_999_999_999_949_6,
    -0.166_666_666_664_666_73,
    0.008_333_333_320_358_35,
    -0.000_198_412_666_831_306_72,
    2.755_695_291_285_804_7e-6,
    -2.503_026_818_882_279e-8,
    1.541_121_974_664_89e-10,
];
const EXPONENTIAL: [f64; 11] = [
    1.0,
    1.000_000_000_000_006_7,
    0.500_000_000_000_000_6,
    0.166_666_666_665_544_06,
    0.041_666_666_666_573_14,
    0.008_333_333_385_667_782,
    0.001_388_888_893_248_859_9,
    0.000_198_411_702_704_400_67,
    2.480_150_434_699_768_6e-5,
    2.764_018_079_620_985e-6,
    2.762_635_724_144_722_3e-7,
];
const LOGARITHM: [f64; 8] = [
    2.0,
    0.666_666_666_666_676_5,
    0.399_999_999_993_023_4,
    0.285_714_287_606_416_8,
    0.222_221_970_567_260_48,
    0.181_836_316_802_293_29,
    0.153_125_281_483_641_9,
    0.148_097_103_606_552_76,
];

/// Even and odd powers apart: half the waiting of Horner's rule.
#[inline(always)]
fn polynomial<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let square = x * x;
    let (mut even, mut odd) = (0.0, 0.0);
    let mut index = N;
    while index > 0 {
        index -= 1;
        if index.is_multiple_of(2) {
            even = even * square + coefficients[index];
        } else {
            odd = odd * square + coefficients[index];
        }
    }
    even + x * odd
}

/// Nearest whole number, for numbers of less than 2⁵¹.
#[inline(always)]
fn nearest(x: f64) -> f64 {
    (x + ROUNDING) - ROUNDING
}

/// arctan x, Eq. (1).
#[inline(always)]
pub(super) fn arctangent(x: f64) -> f64 {
    let size = x.abs();
    let (is_middle, is_large) = (size > ARCTANGENT_LIMITS.0, size > ARCTANGENT_LIMITS.1);
    let choose = |small: f64, middle: f64, large: f64| {
        if is_large {
            large
        } else if is_middle {
            middle
        } else {
            small
        }
    };
    let t = choose(size, size - 1.0, -1.0) / choose(1.0, size + 1.0, size);
    (choose(0.0, FRAC_PI_4, FRAC_PI_2) + t * polynomial(&ARCTANGENT, t * t)).copysign(x)
}

/// Arctangents of several numbers.
#[inline(always)]
pub(super) fn arctangents<const N: usize>(x: &[f64; N]) -> [f64; N] {
    let mut y = [0.0; N];
    for (y, x) in y.iter_mut().zip(x) {
        *y = arctangent(*x);
    }
    y
}

/// sin x, Eq. (2), for |x| below a million.
#[inline(always)]
pub(super) fn sine(x: f64) -> f64 {
    let rounded = x * FRAC_1_PI + ROUNDING;
    let multiple = rounded - ROUNDING;
    let r = (x - multiple * PI_PARTS.0) - multiple * PI_PARTS.1;
    let value = r * polynomial(&SINE, r * r);
    // The last bit of the rounded number says whether the multiple is odd: then the sign turns.
    f64::from_bits(value.to_bits() ^ (rounded.to_bits() << 63))
}

/// Sines of several numbers.
#[inline(always)]
pub(super) fn sines<const N: usize>(x: &[f64; N]) -> [f64; N] {
    let mut y = [0.0; N];
    for (y, x) in y.iter_mut().zip(x) {
        *y = sine(*x);
    }
    y
}

/// e^x, Eq. (3), for |x| below 700.
#[inline]
pub(super) fn exponential(x: f64) -> f64 {
    let power = nearest(x * LOG2_E);
    let r = (x - power * LN_2_PARTS.0) - power * LN_2_PARTS.1;
    let scale = f64::from_bits(((power as i64 + 1023) as u64) << 52);
    scale * polynomial(&EXPONENTIAL, r)
}

/// ln x, Eq. (4), for normal numbers above zero.
#[inline]
pub(super) fn logarithm(x: f64) -> f64 {
    let bits = x.to_bits();
    // Adding moves the border between powers of two to √2.
    let shifted = bits + 0x0009_5f61_9980_c433;
    let power = (shifted >> 52) as i64 - 1023;
    let m = f64::from_bits(bits.wrapping_sub((power as u64) << 52));
    let s = (m - 1.0) / (m + 1.0);
    power as f64 * LN_2 + s * polynomial(&LOGARITHM, s * s)
}

/// x^n for x of zero or more and n above zero.
#[inline]
pub(super) fn power(x: f64, n: f64) -> f64 {
    if x < f64::MIN_POSITIVE {
        return 0.0;
    }
    exponential((n * logarithm(x)).clamp(-700.0, 700.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(name: &str, ours: fn(f64) -> f64, theirs: fn(f64) -> f64, (from, to): (f64, f64), tolerance: f64) {
        for step in 0..=20_000 {
            let x = from + (to - from) * f64::from(step) / 20_000.0;
            let (one, other) = (ours(x), theirs(x));
            let difference = (one - other).abs() / other.abs().max(1.0);
            assert!(difference <= tolerance, "{name}({x}): {one} instead of {other}, {difference:e}");
        }
    }

    /// The library is right to half a unit of the last digit; the tolerances are the errors of the
    /// polynomials.
    #[test]
    fn they_agree_with_the_library() {
        compare("arctan", arctangent, f64::atan, (-30.0, 30.0), 1e-12);
        compare("arctan", arctangent, f64::atan, (-1.0, 1.0), 1e-12);
        compare("arctan", arctangent, f64::atan, (-1e12, 1e12), 1e-12);
        compare("sin", sine, f64::sin, (-20.0, 20.0), 1e-13);
        compare("sin", sine, f64::sin, (-1e4, 1e4), 1e-12);
        compare("exp", exponential, f64::exp, (-50.0, 50.0), 1e-14);
        compare("ln", logarithm, f64::ln, (1e-3, 1e3), 1e-15);
        compare("x^0.9", |x| power(x, 0.9), |x| x.powf(0.9), (0.0, 10.0), 4e-15);
    }

    #[test]
    fn the_ends_are_finite() {
        for x in [0.0, -0.0, 1e300, -1e300, f64::MAX] {
            assert!((arctangent(x) - x.atan()).abs() < 1e-12);
        }
        assert!((sine(1e6) - 1e6_f64.sin()).abs() < 1e-9);
        assert_eq!(power(0.0, 0.9), 0.0);
        assert!(exponential(-700.0) > 0.0 && exponential(700.0).is_finite());
    }
}
