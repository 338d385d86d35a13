//! TMeasy: a tyre from ten numbers that can be read off a curve.
//!
//! Rill, "Road Vehicle Dynamics: Fundamentals and Modeling" (2012), the chapter on tyres. The force
//! along a slip is given by its initial slope dF₀, its maximum F_m at s_m and its sliding value F_s
//! from s_s on, each at the nominal load and at twice that load. Between them:
//! ```text
//! q = F_z / F_N
//! (1)  forces and slopes:  v(q) = q (2 v₁ − ½ v₂ − (v₁ − ½ v₂) q)       zero at zero load
//! (2)  slips:              v(q) = v₁ + (v₂ − v₁)(q − 1)
//! ```
//! Slips are normalised by the speed at which the tread runs through the contact, not by that of
//! the wheel's centre:
//! ```text
//! (3)  s_x = −(v_x − R_e Ω) / |R_e Ω| =  κ / |1 + κ|
//! (4)  s_y = −v_y / |R_e Ω|           = −tan α / |1 + κ|
//! ```
//! and a locked wheel, where the denominator vanishes, slides all the same. In combined slip s =
//! √(s_x² + s_y²), φ is its direction, and the five numbers of the resulting curve are
//! ```text
//! (5)  v = √((v_x cos φ)² + (v_y sin φ)²),     F_x = F(s) cos φ,   F_y = F(s) sin φ
//! ```
//! Road friction scales F_m, s_m, F_s and s_s but not the initial slope. The contact patch
//! deflects: σ = dF₀ / c, with c its stiffness. Camber makes an overturning torque but no side
//! force, and there is no bore torque: the same parts of TMeasy as in Project Chrono.

mod curve;
mod file;

use super::limits::{bounded, bounded_load_n, rolling_part};
use super::spring::{Spring, spring_methods};
use super::{Relaxation, Slip, SlipForces, Tyre};
use crate::files::{FileError, Source};
use curve::{AtLoads, Curve, Direction};

/// Smallest |1 + κ| by which slips are divided: a wheel that is locked.
const TRANSPORT_MIN: f64 = 1.0e-3;

/// How the pneumatic trail, as a part of the contact length, goes with lateral slip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trail {
    pub at_rest: AtLoads,
    pub slip_at_zero: AtLoads,
    pub slip_at_end: AtLoads,
}

impl Trail {
    /// Trail as a part of the contact length: falls to zero at s₀, is a little negative, and ends
    /// at s_E.
    #[inline]
    fn at(&self, q: f64, slip: f64) -> f64 {
        let first = self.at_rest.slip(q);
        let zero = self.slip_at_zero.slip(q);
        let end = self.slip_at_end.slip(q).max(zero);
        if slip >= end {
            return 0.0;
        }
        let weight = zero / end;
        if slip <= zero {
            let part = slip / zero;
            let line = 1.0 - part;
            let cubic = 1.0 - (3.0 - 2.0 * part) * part * part;
            return first * ((1.0 - weight) * line + weight * cubic);
        }
        let part = (end - slip) / (end - zero);
        -first * (1.0 - weight) * (slip - zero) / zero * part * part
    }
}

/// A TMeasy tyre.
#[derive(Clone, Debug)]
pub struct Tmeasy {
    pub(super) radius_m: f64,
    pub(super) width_m: f64,
    pub(super) spring: Spring,
    pub(super) nominal_load_n: f64,
    pub(super) maximum_load_n: f64,
    pub(super) rolling_resistance: f64,
    /// Stiffness of the contact patch (N/m), longitudinal and lateral.
    pub(super) patch_stiffness_n_m: (f64, f64),
    pub(super) longitudinal: Direction,
    pub(super) lateral: Direction,
    pub(super) trail: Trail,
}

impl Tmeasy {
    /// Reads the TOML file.
    pub fn read(source: &Source<'_>) -> Result<Self, FileError> {
        file::read(source)
    }

    /// q of Eq. (1) and (2), held above the largest load.
    #[inline]
    fn load_part(&self, load_n: f64) -> f64 {
        load_n.min(self.maximum_load_n) / self.nominal_load_n
    }

    /// The curves of both directions.
    #[inline]
    fn curves(&self, q: f64, friction: f64) -> [Curve; 2] {
        [self.longitudinal.at(q, friction), self.lateral.at(q, friction)]
    }

    /// All forces, from those along the slip.
    #[inline]
    fn completed(&self, slip: &Slip, q: f64, pushed: &Pushed) -> SlipForces {
        let deflection = self.spring.deflection_m(slip.load_n).min(self.radius_m);
        let contact_length = 2.0 * (self.radius_m * deflection).sqrt();
        let camber_stiffness = self.width_m * self.width_m * self.spring.stiffness_n_m(deflection) / 12.0;
        let rolling = self.rolling_resistance * slip.load_n * self.radius_m;
        SlipForces {
            longitudinal_n: pushed.longitudinal_n,
            lateral_n: pushed.lateral_n,
            overturning_nm: -camber_stiffness * slip.camber_rad,
            rolling_nm: -rolling * rolling_part(slip.speed_m_s),
            aligning_nm: -pushed.lateral_n * contact_length * self.trail.at(q, pushed.lateral_slip.abs()),
        }
    }
}

/// F_x, F_y (N) and s_y.
#[derive(Default)]
struct Pushed {
    longitudinal_n: f64,
    lateral_n: f64,
    lateral_slip: f64,
}

impl Pushed {
    /// Eq. (3) to (5).
    #[inline]
    fn at(curves: &[Curve; 2], longitudinal: f64, lateral: f64) -> Self {
        let transport = 1.0 / (1.0 + longitudinal).abs().max(TRANSPORT_MIN);
        let (sx, sy) = (longitudinal * transport, -lateral * transport);
        let s = (sx * sx + sy * sy).sqrt();
        if s == 0.0 {
            return Self::default();
        }
        let inverse = 1.0 / s;
        let (cosine, sine) = (sx * inverse, sy * inverse);
        let force = Curve::force_between_n(curves, cosine, sine, s);
        Self { longitudinal_n: force * cosine, lateral_n: force * sine, lateral_slip: sy }
    }
}

impl Tyre for Tmeasy {
    spring_methods!();

    /// R_e = ⅔ R₀ + ⅓ R_static, which is Rill's approximation.
    fn rolling_radius_m(&self, load_n: f64, _spin_rad_s: f64) -> f64 {
        let deflection = self.spring.deflection_m(load_n).min(0.9 * self.radius_m);
        self.radius_m - deflection / 3.0
    }

    fn forces(&self, slip: &Slip) -> SlipForces {
        let slip = bounded(slip);
        if slip.load_n == 0.0 {
            return SlipForces::default();
        }
        let q = self.load_part(slip.load_n);
        let curves = self.curves(q, slip.friction);
        self.completed(&slip, q, &Pushed::at(&curves, slip.longitudinal, slip.lateral))
    }

    fn forces_with_slope(&self, slip: &Slip, step: f64) -> (SlipForces, f64) {
        let slip = bounded(slip);
        if slip.load_n == 0.0 {
            return (SlipForces::default(), 0.0);
        }
        let q = self.load_part(slip.load_n);
        let curves = self.curves(q, slip.friction);
        let here = Pushed::at(&curves, slip.longitudinal, slip.lateral);
        let further = Pushed::at(&curves, slip.longitudinal + step, slip.lateral);
        let slope = (further.longitudinal_n - here.longitudinal_n) / step;
        (self.completed(&slip, q, &here), slope)
    }

    fn relaxation(&self, load_n: f64, _camber_rad: f64) -> Relaxation {
        let q = self.load_part(bounded_load_n(load_n));
        let (along, across) = self.patch_stiffness_n_m;
        Relaxation::bounded(self.longitudinal.slope_n.force(q) / along, self.lateral.slope_n.force(q) / across)
    }

    fn load_range_n(&self) -> (f64, f64) {
        (0.0, self.maximum_load_n)
    }
}
