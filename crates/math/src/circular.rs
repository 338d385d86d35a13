//! Sine and cosine with the same bits on every machine.
//!
//! The system's functions use fused operations where the processor has them, so their last bit
//! depends on the machine. Here is a reduction to |r| ≤ π/4 in three parts (Cody and Waite) and two
//! polynomials, whose coefficients are those of `fdlibm` (Sun Microsystems, k_sin.c and k_cos.c);
//! the error is below one unit in the last place for the angles of mechanisms.

use super::Number;

/// Beyond this many quarter turns the product with the first part of π/2 is no longer exact.
const QUARTERS_MAX: f64 = 1_048_576.0;
const QUARTER: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];
const SINE: [f64; 6] = [
    -1.666_666_666_666_663_2e-1,
    8.333_333_333_322_49e-3,
    -1.984_126_982_985_795e-4,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
];
const COSINE: [f64; 6] = [
    4.166_666_666_666_66e-2,
    -1.388_888_888_887_411e-3,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

#[inline(always)]
fn polynomial<T: Number>(coefficients: &[f64; 6], z: T) -> T {
    let [a, b, c, d, e, f] = coefficients.map(T::splat);
    a + z * (b + z * (c + z * (d + z * (e + z * f))))
}

/// For |x| ≤ π/4.
#[inline(always)]
fn reduced<T: Number>(x: T) -> (T, T) {
    let z = x * x;
    let sine = x + x * z * polynomial(&SINE, z);
    let (half, one) = (z * T::splat(0.5), T::splat(1.0));
    let w = one - half;
    (sine, w + ((one - w - half) + z * z * polynomial(&COSINE, z)))
}

fn any(x: f64) -> (f64, f64) {
    let quarters = (x * std::f64::consts::FRAC_2_PI).round_ties_even();
    if quarters.abs() > QUARTERS_MAX || !x.is_finite() {
        return x.sin_cos();
    }
    let r = ((x - quarters * QUARTER[0]) - quarters * QUARTER[1]) - quarters * QUARTER[2];
    let (sine, cosine) = reduced(r);
    match quarters as i64 & 3 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// Sine and cosine.
#[inline]
pub fn sin_cos<T: Number>(angle: T) -> (T, T) {
    if angle.abs().largest() <= std::f64::consts::FRAC_PI_4 {
        return reduced(angle);
    }
    let lanes = [any(angle.lane(0)), any(angle.lane(T::LANES - 1))];
    (T::gather(|k| lanes[k].0), T::gather(|k| lanes[k].1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pair;

    /// The system's functions are good to the last place or better.
    #[test]
    fn agrees_with_the_system_to_the_last_place() {
        for k in -40_000..40_000 {
            let x = 0.000_977 * f64::from(k) + 1e-9 * f64::from(k % 7);
            let ((sine, cosine), (s, c)) = (sin_cos(x), x.sin_cos());
            assert!((sine - s).abs() <= 2.3e-16 && (cosine - c).abs() <= 2.3e-16, "{x}");
        }
        for x in [1e3, -5e4, 1.5e6, 3e6, 1e12] {
            let ((sine, cosine), (s, c)) = (sin_cos(x), x.sin_cos());
            assert!((sine - s).abs() <= 3e-16 && (cosine - c).abs() <= 3e-16, "{x}");
        }
        assert!(sin_cos(f64::NAN).0.is_nan() && sin_cos(f64::INFINITY).1.is_nan());
    }

    #[test]
    fn lanes_have_the_bits_of_a_single_number() {
        for angles in [[0.1, -0.7], [0.2, 9.0], [-100.0, 3.0]] {
            let (sine, cosine) = sin_cos(Pair::gather(|k| angles[k]));
            for (k, angle) in angles.iter().enumerate() {
                assert_eq!((sine.lane(k), cosine.lane(k)), sin_cos(*angle));
            }
        }
    }
}
