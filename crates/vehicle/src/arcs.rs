//! Arcsine with the same bits on every machine.
//!
//! The system's function uses fused operations where the processor has them, so its last bit
//! depends on the machine. This is the rational approximation of `fdlibm` (Sun Microsystems,
//! e_asin.c), whose error is below one unit in the last place:
//! ```text
//! |x| ≤ ½:   arcsin x = x + x P(x²)/Q(x²)                                           (1)
//! |x| > ½:   arcsin x = π/2 − 2 arcsin √((1 − x)/2)                                 (2)
//! ```

const NUMERATOR: [f64; 6] = [
    1.666_666_666_666_666_6e-1,
    -3.255_658_186_224_009e-1,
    2.012_125_321_348_629_3e-1,
    -4.005_553_450_067_941e-2,
    7.915_349_942_898_145e-4,
    3.479_331_075_960_212e-5,
];
const DENOMINATOR: [f64; 5] =
    [1.0, -2.403_394_911_734_414, 2.020_945_760_233_505_7, -6.882_839_716_054_533e-1, 7.703_815_055_590_194e-2];

/// Eq. (1).
#[inline]
fn small(x: f64) -> f64 {
    let z = x * x;
    let horner = |coefficients: &[f64]| coefficients.iter().rev().fold(0.0, |sum, it| sum * z + it);
    x + x * (z * horner(&NUMERATOR) / horner(&DENOMINATOR))
}

/// arcsin x (rad), for |x| ≤ 1.
#[inline]
pub(crate) fn arcsine(x: f64) -> f64 {
    if x.abs() <= 0.5 {
        return small(x);
    }
    let half = (0.5 * (1.0 - x.abs())).sqrt();
    (std::f64::consts::FRAC_PI_2 - 2.0 * small(half)).copysign(x) // Eq. (2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The library is right to the last place; ours adds the rounding of Eq. (2), a unit in the
    /// last place of π/2.
    #[test]
    fn it_agrees_with_the_library() {
        for step in -10_000..=10_000 {
            let x = f64::from(step) / 10_000.0;
            let tolerance = if x.abs() <= 0.5 { 1.2e-16 } else { 3e-16 };
            assert!((arcsine(x) - x.asin()).abs() <= tolerance, "{x}");
        }
        assert_eq!(arcsine(-0.0).to_bits(), (-0.0_f64).to_bits());
    }
}
