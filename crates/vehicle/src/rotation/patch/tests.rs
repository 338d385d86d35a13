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
