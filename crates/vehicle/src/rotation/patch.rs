//! How strongly a patch is damped near rest.
//!
//! A held wheel stands on its patch as on a spring of stiffness k, which carries the mass m = N/g.
//! τ of eq. (1) and (2) makes a damper k τ of it, and follows from both:
//! ```text
//! k_x = C/σ_x,   k_y = C/σ_y,   C = max(∂F_x/∂κ, |∂F_y/∂tan α|)                                   (6)
//! τ = min(2 ζ √(m/k), β m/(h k))                                                                 (7)
//! ```
//! The first part is a share ζ of critical damping. C is the larger slope for both directions,
//! because a patch that is bent along answers across with F(s)/s of the direction in which it is
//! bent: a truck tyre that holds on a slope is 2.4 times as stiff across as one that only corners.
//!
//! The second part is for the step. The mechanism gets the damper as a force that is held over its
//! step h, and the method there (Adams–Bashforth of order three) is stable up to h c/m = 6/11. The
//! mass that moves with a patch may be much less than the mass that it carries: an axle that rolls
//! on its springs, whose dampers need most of the 6/11 for themselves (a trailer's at 1 ms: 0.40).
//! Beyond the bound the axle chatters from one step to the next, for ever.

use crate::tyre::{Relaxation, Slip, Tyre};

/// ζ: a vehicle comes to rest after one or two swings.
const DAMPING_RATIO: f64 = 0.3;
/// β: with a tenth of the mass moving with the patch this is 0.3 of the 6/11; springs and dampers
/// have the rest.
const STEP_SHARE: f64 = 0.03;
/// Step of slip for the slopes.
const SLOPE_STEP: f64 = 1e-3;
/// Where in the range of its fit a tyre's stiffness is taken. It hardly depends on the load,
/// because σ grows with it as C does; vehicles stand about here.
const LOAD_SHARE: f64 = 1.0 / 3.0;
const GRAVITY_M_S2: f64 = 9.81;

/// What does not change of the damping of one tyre.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    /// 1/(g k) (s²/N), along and across: m/k for a load of 1 N.
    per_load: [f64; 2],
}

impl Patch {
    pub(super) fn new(tyre: &dyn Tyre) -> Self {
        let (least_n, most_n) = tyre.load_range_n();
        let load_n = least_n + LOAD_SHARE * (most_n - least_n);
        let at = Slip { load_n, longitudinal: 0.0, lateral: 0.0, camber_rad: 0.0, friction: 1.0, speed_m_s: 0.0 };
        let (unbent, along_n) = tyre.forces_with_slope(&at, SLOPE_STEP);
        let bent = tyre.forces(&Slip { lateral: SLOPE_STEP, ..at });
        let across_n = (bent.lateral_n - unbent.lateral_n).abs() / SLOPE_STEP;
        let slope_n = along_n.max(across_n);
        let Relaxation { longitudinal_m, lateral_m } = tyre.relaxation(load_n, 0.0);
        // A tyre without slope has nothing to damp.
        let per_load = |sigma_m: f64| {
            if slope_n > 0.0 { sigma_m / (GRAVITY_M_S2 * slope_n) } else { 0.0 }
        };
        Self { per_load: [per_load(longitudinal_m), per_load(lateral_m)] }
    }

    /// τ (s) at rest, along and across, eq. (7).
    #[inline]
    pub(super) fn damping_s(&self, load_n: f64, step_s: f64) -> [f64; 2] {
        self.per_load.map(|per_load| {
            let square_s2 = per_load * load_n;
            (2.0 * DAMPING_RATIO * square_s2.sqrt()).min(STEP_SHARE * square_s2 / step_s)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tyre::SlipForces;

    /// Slopes over slip (N) along and across at any load, and relaxation lengths (m).
    struct Linear {
        slopes_n: [f64; 2],
        sigmas_m: [f64; 2],
    }

    impl Tyre for Linear {
        fn radius_m(&self) -> f64 {
            0.5
        }

        fn load_n(&self, deflection_m: f64, _rate_m_s: f64, _spin_rad_s: f64) -> f64 {
            1e6 * deflection_m.max(0.0)
        }

        fn rolling_radius_m(&self, _load_n: f64, _spin_rad_s: f64) -> f64 {
            0.5
        }

        fn forces(&self, slip: &Slip) -> SlipForces {
            SlipForces {
                longitudinal_n: self.slopes_n[0] * slip.longitudinal,
                lateral_n: -self.slopes_n[1] * slip.lateral,
                ..SlipForces::default()
            }
        }

        fn relaxation(&self, _load_n: f64, _camber_rad: f64) -> Relaxation {
            Relaxation { longitudinal_m: self.sigmas_m[0], lateral_m: self.sigmas_m[1] }
        }

        fn load_range_n(&self) -> (f64, f64) {
            (0.0, 90_000.0)
        }
    }

    /// 400 kg on 100,000 N/m along: √(m/k) = 1/√250 s. Across, σ is half as long and so k twice as
    /// large, though the tyre corners with a third of the slope only.
    #[test]
    fn a_patch_has_its_share_of_critical_damping() {
        let tyre = Linear { slopes_n: [40_000.0, 13_000.0], sigmas_m: [0.4, 0.2] };
        let [along, across] = Patch::new(&tyre).damping_s(400.0 * GRAVITY_M_S2, 1e-3);
        assert!((along / (0.6 / 250_f64.sqrt()) - 1.0).abs() < 1e-9, "{along} s");
        assert!((across / (0.6 / 500_f64.sqrt()) - 1.0).abs() < 1e-9, "{across} s");
    }

    /// A patch that would swing at 36 Hz: h k τ/m is β, and not 2 ζ h √(k/m) = 0.13 and 0.07.
    #[test]
    fn the_step_bounds_the_damping_of_a_stiff_patch() {
        let tyre = Linear { slopes_n: [4e6, 4e6], sigmas_m: [0.2, 0.2] };
        let (mass, stiffness, patch) = (400.0, 2e7, Patch::new(&tyre));
        for step_s in [1e-3, 5e-4] {
            let [along, _] = patch.damping_s(mass * GRAVITY_M_S2, step_s);
            let share = step_s * stiffness * along / mass;
            assert!((share / STEP_SHARE - 1.0).abs() < 1e-9, "{share}");
        }
    }

    #[test]
    fn what_carries_nothing_or_has_no_slope_is_not_damped() {
        let tyre = Linear { slopes_n: [4e4, 4e4], sigmas_m: [0.2, 0.2] };
        assert_eq!(Patch::new(&tyre).damping_s(0.0, 1e-3), [0.0; 2]);
        let smooth = Linear { slopes_n: [0.0, 0.0], ..tyre };
        assert_eq!(Patch::new(&smooth).damping_s(4e3, 1e-3), [0.0; 2]);
    }
}
