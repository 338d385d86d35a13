//! Whether the curves of a file are those of a tyre.
//!
//! Without camber and in the middle of its loads, F_y must fall when the wheel slides to the left
//! and F_x must rise when it is driven, to both sides of zero; and a curve must bend: what it gains
//! from half to full slip is little beside its first slope.

use super::{Slip, Tyre};

/// A small slip, on the straight part of the curve.
const SMALL: f64 = 0.01;
/// Share of the first slope that may be left between half and full slip.
const SLOPE_LEFT: f64 = 0.2;

/// What is odd: the force and why.
pub(super) fn check(tyre: &dyn Tyre) -> Vec<(&'static str, String)> {
    let (least_n, most_n) = tyre.load_range_n();
    let load_n = 0.5 * (least_n + most_n.min(1e5));
    let at = |longitudinal: f64, lateral: f64| {
        let slip = Slip { load_n, longitudinal, lateral, camber_rad: 0.0, friction: 1.0, speed_m_s: 15.0 };
        tyre.forces(&slip)
    };
    let across = |slip: f64| -at(0.0, slip).lateral_n;
    let along = |slip: f64| at(slip, 0.0).longitudinal_n;
    let problems = [
        ("F_y", odd(load_n, "falls with slip to the left", &across)),
        ("F_x", odd(load_n, "rises with driving slip", &along)),
    ];
    problems.into_iter().filter_map(|(name, problem)| Some((name, problem?))).collect()
}

fn odd(load_n: f64, rises: &str, force: &dyn Fn(f64) -> f64) -> Option<String> {
    let [back, zero, ahead] = [-SMALL, 0.0, SMALL].map(force);
    if !(back < zero && zero < ahead && force(-0.1) < 0.0 && force(0.1) > 0.0) {
        return Some(format!(
            "at {load_n:.0} N the curve is none of a tyre: expected a force that {rises}, found {zero:.0} N at no slip \
             and {:.0} N at a slip of 0.1 in that direction",
            force(0.1)
        ));
    }
    let (first, left) = ((ahead - back) / (2.0 * SMALL), (force(1.0) - force(0.5)) / 0.5);
    (left > SLOPE_LEFT * first).then(|| {
        format!("at {load_n:.0} N the curve has no peak: its slope is {first:.0} N at no slip and still {left:.0} N beyond 0.5")
    })
}
