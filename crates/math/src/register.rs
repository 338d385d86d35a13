//! The register that holds two numbers: SSE2, which every x86-64 machine has, so that nothing is
//! asked at run time; two plain numbers elsewhere.
// The intrinsics are unsafe to call because a processor might lack them; this one cannot.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
pub(super) use sse2::*;

#[cfg(not(target_arch = "x86_64"))]
pub(super) use plain::*;

#[cfg(target_arch = "x86_64")]
mod sse2 {
    use std::arch::x86_64::*;

    pub type Two = __m128d;

    macro_rules! kernel {
        ($name:ident($($argument:ident: $type:ty),*) -> $result:ty, $body:expr) => {
            #[inline(always)]
            pub fn $name($($argument: $type),*) -> $result {
                // SAFETY: the intrinsics need SSE2, which is part of x86-64.
                #[allow(clippy::multiple_unsafe_ops_per_block)]
                unsafe { $body }
            }
        };
    }

    kernel!(new(first: f64, second: f64) -> Two, _mm_set_pd(second, first));
    kernel!(splat(value: f64) -> Two, _mm_set1_pd(value));
    kernel!(first(a: Two) -> f64, _mm_cvtsd_f64(a));
    kernel!(second(a: Two) -> f64, _mm_cvtsd_f64(_mm_unpackhi_pd(a, a)));
    kernel!(add(a: Two, b: Two) -> Two, _mm_add_pd(a, b));
    kernel!(sub(a: Two, b: Two) -> Two, _mm_sub_pd(a, b));
    kernel!(mul(a: Two, b: Two) -> Two, _mm_mul_pd(a, b));
    kernel!(div(a: Two, b: Two) -> Two, _mm_div_pd(a, b));
    kernel!(neg(a: Two) -> Two, _mm_xor_pd(a, _mm_set1_pd(-0.0)));
    kernel!(sqrt(a: Two) -> Two, _mm_sqrt_pd(a));
    kernel!(abs(a: Two) -> Two, _mm_andnot_pd(_mm_set1_pd(-0.0), a));
    kernel!(max(a: Two, b: Two) -> Two, _mm_max_pd(a, b));
}

#[cfg(not(target_arch = "x86_64"))]
mod plain {
    pub type Two = [f64; 2];

    macro_rules! kernel {
        ($name:ident($($argument:ident: $type:ty),*) -> $result:ty, $body:expr) => {
            pub fn $name($($argument: $type),*) -> $result {
                $body
            }
        };
    }

    kernel!(new(first: f64, second: f64) -> Two, [first, second]);
    kernel!(splat(value: f64) -> Two, [value; 2]);
    kernel!(first(a: Two) -> f64, a[0]);
    kernel!(second(a: Two) -> f64, a[1]);
    kernel!(add(a: Two, b: Two) -> Two, [a[0] + b[0], a[1] + b[1]]);
    kernel!(sub(a: Two, b: Two) -> Two, [a[0] - b[0], a[1] - b[1]]);
    kernel!(mul(a: Two, b: Two) -> Two, [a[0] * b[0], a[1] * b[1]]);
    kernel!(div(a: Two, b: Two) -> Two, [a[0] / b[0], a[1] / b[1]]);
    kernel!(neg(a: Two) -> Two, a.map(|it| -it));
    kernel!(sqrt(a: Two) -> Two, a.map(f64::sqrt));
    kernel!(abs(a: Two) -> Two, a.map(f64::abs));
    kernel!(max(a: Two, b: Two) -> Two, [0, 1].map(|k| if a[k] > b[k] { a[k] } else { b[k] }));
}
