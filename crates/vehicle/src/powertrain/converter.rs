//! Torque converter: impeller and turbine torque from the ratio of their speeds.
//!
//! With ν = ω_t / ω_e, capacity factor K(ν) in (rad/s)/√Nm and torque ratio R(ν):
//! ```text
//! driving, ν < 1:  T_p = (ω_e / K(ν))² g(1 − ν),   T_t = R(ν) T_p                 (1)
//! overrun, ν > 1:  T_p = T_t = −(ω_t / K(1/ν))² g(1 − 1/ν)                        (2)
//! g(x) = min(x / 0.02, 1)                                                         (3)
//! ```
//! Eq. (3) lets the torque pass through zero where both turn alike, although a table ends with a
//! finite K there; Eq. (2) is the coupling driven from its other side, which does not multiply. A
//! turbine that turns backwards counts as standing.

use crate::files::Curve;

/// Part of the speed over which the torque goes to zero near equal speeds.
const COAST: f64 = 0.02;

/// The characteristic.
#[derive(Clone, Debug, PartialEq)]
pub struct Converter {
    /// K over ν from 0 to 1.
    pub capacity: Curve,
    /// R over ν from 0 to 1.
    pub ratio: Curve,
}

/// Torques of a slipping device, linear in both speeds: `T_p = p + p_e Δω_e + p_t Δω_t`, and so
/// T_t.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Transfer {
    /// Torque taken from the engine (Nm).
    pub p: f64,
    /// Its derivative by the engine's speed (Nms/rad).
    pub p_e: f64,
    /// Its derivative by the turbine's speed (Nms/rad).
    pub p_t: f64,
    /// Torque given to the gearbox (Nm).
    pub t: f64,
    /// Its derivative by the engine's speed (Nms/rad).
    pub t_e: f64,
    /// Its derivative by the turbine's speed (Nms/rad).
    pub t_t: f64,
}

impl Transfer {
    /// A friction clutch beside it takes its share: the same torque on both sides.
    #[inline]
    pub fn with_clutch(self, secant: f64, slip_rad_s: f64) -> Self {
        Self {
            p: self.p + secant * slip_rad_s,
            p_e: self.p_e + secant,
            p_t: self.p_t - secant,
            t: self.t + secant * slip_rad_s,
            t_e: self.t_e + secant,
            t_t: self.t_t - secant,
        }
    }
}

impl Converter {
    /// Torques at these speeds, with slopes.
    #[inline]
    pub fn at(&self, engine_rad_s: f64, turbine_rad_s: f64) -> Transfer {
        let (engine, turbine) = (engine_rad_s.max(0.0), turbine_rad_s.max(0.0));
        if engine >= turbine {
            self.driving(engine, turbine, turbine_rad_s > 0.0)
        } else {
            self.overrun(engine, turbine)
        }
    }

    /// Eq. (1). With F = g/K²: ∂T_p/∂ω_e = ω_e (2F − ν F'), ∂T_p/∂ω_t = ω_e F'.
    #[inline]
    fn driving(&self, engine: f64, turbine: f64, turns: bool) -> Transfer {
        if engine <= 0.0 {
            return Transfer::default();
        }
        let nu = turbine / engine;
        let (f, f_slope) = self.conductance(nu);
        let (ratio, ratio_slope) = self.ratio.at(nu);
        let (g, g_slope) = (ratio * f, ratio_slope * f + ratio * f_slope);
        let by_turbine = if turns { 1.0 } else { 0.0 };
        Transfer {
            p: engine * engine * f,
            p_e: (engine * (2.0 * f - nu * f_slope)).max(0.0),
            p_t: (engine * f_slope * by_turbine).min(0.0),
            t: engine * engine * g,
            t_e: engine * (2.0 * g - nu * g_slope),
            t_t: (engine * g_slope * by_turbine).min(0.0),
        }
    }

    /// Eq. (2).
    #[inline]
    fn overrun(&self, engine: f64, turbine: f64) -> Transfer {
        let nu = engine / turbine;
        let (f, f_slope) = self.conductance(nu);
        let (torque, by_turbine) = (-turbine * turbine * f, -turbine * (2.0 * f - nu * f_slope));
        let by_engine = (-turbine * f_slope).max(0.0);
        Transfer {
            p: torque,
            p_e: by_engine,
            p_t: by_turbine.min(0.0),
            t: torque,
            t_e: by_engine,
            t_t: by_turbine.min(0.0),
        }
    }

    /// F = g / K² and its derivative by ν.
    #[inline]
    fn conductance(&self, nu: f64) -> (f64, f64) {
        let (capacity, capacity_slope) = self.capacity.at(nu);
        let full = 1.0 / (capacity * capacity);
        let full_slope = -2.0 * capacity_slope * full / capacity;
        let x = (1.0 - nu) / COAST;
        if x < 1.0 { (full * x, full_slope * x - full / COAST) } else { (full, full_slope) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converter() -> Converter {
        let table = |points: &[[f64; 2]]| Curve::new(points.to_vec(), crate::files::Ends::Level).expect("rising");
        Converter {
            capacity: table(&[[0.0, 15.0], [0.5, 15.0], [0.75, 16.0], [0.9, 18.0], [1.0, 35.0]]),
            ratio: table(&[[0.0, 2.0], [0.25, 1.8], [0.5, 1.5], [0.75, 1.15], [1.0, 1.0]]),
        }
    }

    /// By hand: (150/15)² = 100 Nm at the impeller, twice that at the turbine.
    #[test]
    fn stall_torque() {
        let at = converter().at(150.0, 0.0);
        assert!((at.p - 100.0).abs() < 1e-12 && (at.t - 200.0).abs() < 1e-12);
        assert_eq!(converter().at(150.0, -30.0).t, at.t);
    }

    #[test]
    fn the_torque_passes_through_zero_at_equal_speeds_and_reverses() {
        assert_eq!(converter().at(150.0, 150.0).t, 0.0);
        let overrun = converter().at(100.0, 150.0);
        assert!(overrun.t < 0.0 && overrun.t == overrun.p);
        let (below, above) = (converter().at(150.0, 149.999).t, converter().at(150.0, 150.001).t);
        assert!(below > 0.0 && above < 0.0 && below - above < 0.1);
    }

    #[test]
    fn slopes_are_derivatives() {
        let step = 1e-6;
        for (engine, turbine) in [(150.0, 20.0), (150.0, 100.0), (150.0, 149.0), (90.0, 140.0), (90.0, 91.0)] {
            let at = converter().at(engine, turbine);
            let by_engine = converter().at(engine + step, turbine);
            let by_turbine = converter().at(engine, turbine + step);
            for (slope, difference) in [
                (at.p_e, by_engine.p - at.p),
                (at.t_e, by_engine.t - at.t),
                (at.p_t, by_turbine.p - at.p),
                (at.t_t, by_turbine.t - at.t),
            ] {
                // Differences of a function with a second derivative below 100 Nms²/rad², and
                // rounding of 1e-13/1e-6.
                assert!((slope - difference / step).abs() < 2e-4 * (1.0 + slope.abs()), "{engine} {turbine}");
            }
        }
    }
}
