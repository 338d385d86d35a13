//! What every tyre model must do, run on every shipped tyre.

use crate::tyre_support::{SHIPPED, shipped, slip};
use proptest::prelude::*;
use vehicle::tyre::{Mirrored, Slip, SlipForces, Tyre};

fn on_every_tyre(check: impl Fn(&str, &dyn Tyre)) {
    for file in SHIPPED {
        let tyre = shipped(file);
        check(file, &*tyre);
        check(&format!("{file} mirrored"), &Mirrored(tyre));
    }
}

/// A load in the middle of what the tyre was made for.
fn usual_load(tyre: &dyn Tyre) -> f64 {
    0.35 * tyre.load_range_n().1
}

fn is_finite(forces: &SlipForces) -> bool {
    let all = [forces.longitudinal_n, forces.lateral_n, forces.overturning_nm, forces.rolling_nm, forces.aligning_nm];
    all.iter().all(|value| value.is_finite())
}

/// A model that shares work between forces and slope gives what two evaluations give; the
/// difference of two forces of up to 10⁴ N has a rounding error of 10⁻¹² N, by the step 10⁻⁹ N.
#[test]
fn forces_with_slope_are_two_evaluations() {
    const STEP: f64 = 1e-3;
    const POINTS: [(f64, f64, f64); 4] = [(0.0, 0.1, 2.0), (0.2, -0.3, 5.0), (1.0, 0.02, -3.0), (2.0, 0.9, 20.0)];
    on_every_tyre(|name, tyre| {
        for (part, kappa, angle) in POINTS {
            let load = part * usual_load(tyre);
            let at = slip(load, kappa, angle, 2.0);
            let (forces, slope) = tyre.forces_with_slope(&at, STEP);
            assert_eq!(forces, tyre.forces(&at), "{name}");
            let further = tyre.forces(&slip(load, kappa + STEP, angle, 2.0));
            let expected = (further.longitudinal_n - forces.longitudinal_n) / STEP;
            assert!((slope - expected).abs() < 1e-8, "{name}: {slope}, not {expected}");
        }
    });
}

#[test]
fn no_load_no_forces() {
    on_every_tyre(|name, tyre| {
        for load in [0.0, -500.0] {
            let forces = tyre.forces(&slip(load, 0.1, 5.0, 2.0));
            let sum = forces.longitudinal_n.abs()
                + forces.lateral_n.abs()
                + forces.overturning_nm.abs()
                + forces.rolling_nm.abs()
                + forces.aligning_nm.abs();
            assert_eq!(sum, 0.0, "{name}");
        }
        // And little load, little force: nothing jumps when a wheel lands.
        let forces = tyre.forces(&slip(1.0, 0.1, 5.0, 2.0));
        assert!(forces.lateral_n.abs() < 2.0 && forces.longitudinal_n.abs() < 2.0, "{name}: {forces:?}");
    });
}

#[test]
fn mirroring_turns_the_lateral_side_around() {
    for file in SHIPPED {
        let (tyre, mirrored) = (shipped(file), Mirrored(shipped(file)));
        for (kappa, angle, camber) in [(0.0, 3.0, 0.0), (0.05, -4.0, 2.0), (-0.2, 8.0, -3.0)] {
            let load = usual_load(&*tyre);
            let (one, other) =
                (tyre.forces(&slip(load, kappa, angle, camber)), mirrored.forces(&slip(load, kappa, -angle, -camber)));
            assert_eq!((one.longitudinal_n, one.rolling_nm), (other.longitudinal_n, other.rolling_nm));
            assert_eq!(
                (one.lateral_n, one.overturning_nm, one.aligning_nm),
                (-other.lateral_n, -other.overturning_nm, -other.aligning_nm),
                "{file}"
            );
        }
    }
}

/// Models without plysteer and conicity are their own mirror image.
#[test]
fn symmetric_models_are_their_own_mirror_image() {
    for file in SHIPPED.iter().filter(|file| file.ends_with(".toml")) {
        let (tyre, mirrored) = (shipped(file), Mirrored(shipped(file)));
        for (kappa, angle, camber) in [(0.0, 3.0, 0.0), (0.05, -4.0, 2.0), (-0.2, 8.0, -3.0)] {
            let at = slip(usual_load(&*tyre), kappa, angle, camber);
            let (one, other) = (tyre.forces(&at), mirrored.forces(&at));
            assert!((one.lateral_n - other.lateral_n).abs() < 1e-9, "{file}");
            assert!((one.aligning_nm - other.aligning_nm).abs() < 1e-9, "{file}");
            assert!((one.overturning_nm - other.overturning_nm).abs() < 1e-9, "{file}");
        }
    }
}

/// Driving pushes forward, moving left is pushed right, the torque turns the wheel into the
/// direction of motion, rolling brakes.
#[test]
fn slopes_have_the_right_sign() {
    on_every_tyre(|name, tyre| {
        let load = usual_load(tyre);
        let at = |kappa, angle| tyre.forces(&slip(load, kappa, angle, 0.0));
        assert!(at(0.02, 0.0).longitudinal_n > at(-0.02, 0.0).longitudinal_n + 0.1 * load, "{name}");
        assert!(at(0.0, 1.0).lateral_n < at(0.0, -1.0).lateral_n - 0.1 * load, "{name}");
        assert!(at(0.0, 1.0).aligning_nm > at(0.0, -1.0).aligning_nm, "{name}");
        assert!(at(0.0, 0.0).rolling_nm < 0.0, "{name}");
        let rest = Slip { speed_m_s: 0.0, ..slip(load, 0.0, 0.0, 0.0) };
        assert_eq!(tyre.forces(&rest).rolling_nm, 0.0, "{name}: a tyre at rest does not roll itself");
    });
}

/// Small steps of slip make small steps of force: 2·10⁻⁵ of slip moves the force by less than a
/// hundredth of the load.
#[test]
fn forces_are_continuous() {
    on_every_tyre(|name, tyre| {
        let load = usual_load(tyre);
        for fixed in [0.0, 0.03] {
            for step in -2000..2000 {
                let x = f64::from(step) * 2e-5;
                let (near, next) = (x, x + 2e-5);
                let along =
                    |kappa| tyre.forces(&Slip { longitudinal: kappa, lateral: fixed, ..slip(load, 0.0, 0.0, 0.0) });
                let across =
                    |tangent| tyre.forces(&Slip { longitudinal: fixed, lateral: tangent, ..slip(load, 0.0, 0.0, 0.0) });
                for (one, two) in [(along(near), along(next)), (across(near), across(next))] {
                    let jump = (one.longitudinal_n - two.longitudinal_n).abs() + (one.lateral_n - two.lateral_n).abs();
                    assert!(jump < 0.01 * load, "{name} at {x}: {jump} N");
                    let turn = (one.aligning_nm - two.aligning_nm).abs();
                    assert!(turn < 0.005 * load * tyre.radius_m(), "{name} at {x}: {turn} Nm");
                }
            }
        }
    });
}

/// Up to its peak a force only rises; beyond it falls, or stays. The vertical shifts of a `.tir`
/// move the curve, not its shape.
#[test]
fn forces_rise_to_one_peak() {
    on_every_tyre(|name, tyre| {
        let load = usual_load(tyre);
        let along: Vec<f64> =
            (0..500).map(|step| tyre.forces(&slip(load, f64::from(step) * 2e-3, 0.0, 0.0)).longitudinal_n).collect();
        let across: Vec<f64> =
            (0..500).map(|step| -tyre.forces(&slip(load, 0.0, f64::from(step) * 0.1, 0.0)).lateral_n).collect();
        for curve in [along, across] {
            let peak = (0..curve.len()).max_by(|a, b| curve[*a].total_cmp(&curve[*b])).expect("values");
            assert!(peak > 5, "{name}: the peak is at {peak}");
            let slack = 1e-9 * load;
            assert!(curve[..=peak].windows(2).all(|pair| pair[1] >= pair[0] - slack), "{name} rises");
            assert!(curve[peak..].windows(2).all(|pair| pair[1] <= pair[0] + slack), "{name} falls");
        }
    });
}

/// No combination of slips gives more than the largest pure force, with a tenth for vertical shifts
/// and shifted weights.
#[test]
fn combined_forces_stay_in_the_friction_circle() {
    on_every_tyre(|name, tyre| {
        let load = usual_load(tyre);
        let pure = (1..400).map(|step| {
            let x = f64::from(step) * 2.5e-3;
            let along = tyre.forces(&slip(load, x, 0.0, 0.0)).longitudinal_n.abs();
            let back = tyre.forces(&slip(load, -x, 0.0, 0.0)).longitudinal_n.abs();
            let across = tyre.forces(&Slip { lateral: x, ..slip(load, 0.0, 0.0, 0.0) }).lateral_n.abs();
            let left = tyre.forces(&Slip { lateral: -x, ..slip(load, 0.0, 0.0, 0.0) }).lateral_n.abs();
            along.max(back).max(across).max(left)
        });
        let limit = 1.1 * pure.fold(0.0, f64::max);
        for kappa in [-1.0, -0.3, -0.1, -0.03, 0.0, 0.03, 0.1, 0.3, 1.0, 30.0] {
            for angle in [-60.0, -20.0, -8.0, -3.0, 0.0, 3.0, 8.0, 20.0, 60.0] {
                let forces = tyre.forces(&slip(load, kappa, angle, 0.0));
                let resultant = forces.longitudinal_n.hypot(forces.lateral_n);
                assert!(resultant <= limit, "{name}, κ {kappa}, α {angle}: {resultant} N above {limit} N");
            }
        }
    });
}

/// Half the friction: about half the peak, the same slope at zero.
#[test]
fn friction_scales_the_peak_and_not_the_slope() {
    on_every_tyre(|name, tyre| {
        let load = usual_load(tyre);
        let at = |friction: f64, tangent: f64| {
            let side =
                |sign: f64| tyre.forces(&Slip { friction, lateral: sign * tangent, ..slip(load, 0.0, 0.0, 0.0) });
            0.5 * (side(-1.0).lateral_n - side(1.0).lateral_n)
        };
        let peak = |friction| (1..200).map(|step| at(friction, f64::from(step) * 5e-3)).fold(0.0, f64::max);
        let (full, half) = (peak(1.0), peak(0.5));
        assert!((half / full - 0.5).abs() < 0.06, "{name}: {full} N and {half} N");
        assert!((at(0.5, 1e-3) / at(1.0, 1e-3) - 1.0).abs() < 0.05, "{name}");
        assert!(at(0.0, 0.1).abs() < 1e-3, "{name}: no friction, no force");
    });
}

#[test]
fn load_rises_with_deflection_and_is_never_negative() {
    on_every_tyre(|name, tyre| {
        for rate in [-3.0, 0.0, 3.0] {
            for spin in [0.0, -90.0, 200.0] {
                let load = |step: i32| tyre.load_n(f64::from(step) * 1e-3, rate, spin);
                assert_eq!(load(-60), 0.0, "{name}: in the air");
                for step in -60..150 {
                    assert!(load(step) >= 0.0 && load(step + 1) >= load(step), "{name} at {step} mm");
                }
            }
        }
        assert_eq!(tyre.load_n(0.0, 0.0, 0.0), 0.0, "{name}");
    });
}

#[test]
fn the_rolling_radius_lies_between_loaded_and_free_radius() {
    on_every_tyre(|name, tyre| {
        let free = tyre.radius_m();
        let load = tyre.load_n(0.03, 0.0, 0.0);
        let rolling = tyre.rolling_radius_m(load, 0.0);
        assert!(rolling >= free - 0.03 - 1e-9 && rolling <= free, "{name}: {rolling} m of {free} m");
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_finite_input_gives_finite_outputs(
        load in wide(), kappa in wide(), tangent in wide(), camber in wide(), friction in wide(), speed in wide(),
        deflection in wide(), rate in wide(), spin in wide(),
    ) {
        on_every_tyre(|name, tyre| {
            let at = Slip { load_n: load, longitudinal: kappa, lateral: tangent, camber_rad: camber, friction, speed_m_s: speed };
            let forces = tyre.forces(&at);
            assert!(is_finite(&forces), "{name}: {at:?} gives {forces:?}");
            let carried = tyre.load_n(deflection, rate, spin);
            assert!(carried.is_finite() && carried >= 0.0, "{name}: {carried} N");
            let radius = tyre.rolling_radius_m(load, spin);
            assert!(radius.is_finite() && radius > 0.0, "{name}: {radius} m");
            let relaxation = tyre.relaxation(load, camber);
            for length in [relaxation.longitudinal_m, relaxation.lateral_m] {
                assert!((1e-3..=10.0).contains(&length), "{name}: {length} m");
            }
        });
    }
}

/// Usual, small, and absurd numbers.
fn wide() -> impl Strategy<Value = f64> {
    prop_oneof![
        -1.0..1.0,
        -1.0e4..1.0e4,
        prop::sample::select(vec![0.0, -0.0, 1e-300, -1e-12, 1e12, -1e12, 1e300, -1e300, f64::MAX, f64::MIN, -1.0]),
    ]
}
