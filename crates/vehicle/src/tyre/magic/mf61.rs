//! MF-Tyre 6.1: Magic Formula with inflation pressure.
//!
//! Pacejka, "Tire and Vehicle Dynamics" (3rd edition, 2012), equations 4.E1 to 4.E78 without turn
//! slip (all ζ = 1), with the corrections of Besselink, Schmeitz and Pacejka, "An improved Magic
//! Formula/Swift tyre model that can handle inflation pressure changes" (2010), written A48 to A60
//! here. Symbols as there: α* = tan α, γ* = sin γ, dp = p/p_0 − 1. Where book and paper differ, the
//! paper counts:
//! ```text
//! B_t and D_t with γ, not |γ| and γ*                     (A58, A60; 4.E40, 4.E43)
//! α_eq = arctan √(tan² α_i + (K_xκ/K_yα)² κ²) sgn α_i    (A54, A55; 4.E77, 4.E78)
//! M_y  = −R_0 F_z0 λ_My (…)(F_z/F_z0)^q_sy7 (p/p_0)^q_sy8 (A48; 4.E70)
//! σ    = K / c, c the tangential stiffness of the tyre   (19)
//! ```

use super::common::{Common, Trail, TrailWave, common_methods};
use super::condition::{
    Condition, at_most_one, load_change, overturning, overturning_wave, rolling_bracket, slip_stiffness,
};
use super::shape::{TINY, Wave, away_from_zero, cosine_of_arctangent, evaluate, sign, sine_of_arctangent};
use super::vertical::{Pressure, Tangential};
use crate::files::FileError;
use crate::tyre::combined::Pure;
use crate::tyre::limits::{bounded, bounded_camber_rad, bounded_load_n, rolling_part};
use crate::tyre::property::{Dimension, PropertyFile};
use crate::tyre::{Relaxation, Slip, SlipForces, Tyre, functions};

/// A tyre of MF 6.1.
#[derive(Clone, Debug)]
pub struct MagicFormula61 {
    common: Common,
    pressure: Pressure,
    along: Tangential,
    across: Tangential,
}

/// D_y sin(…) as a wave with D_y and B_y C_y.
struct LateralWave {
    wave: Wave,
    d: f64,
    slope: f64,
}

/// F_y0 = D wave + S_V, the same at zero camber for M_z (4.E74), and what else M_z needs.
struct PureLateral {
    leaning: LateralWave,
    sv: f64,
    upright: LateralWave,
    sv_upright: f64,
    stiffness: f64,
    /// S_Hf = S_Hy + S_Vy / K'_yα (4.E38)
    zero: f64,
}

impl MagicFormula61 {
    pub(super) fn from_properties(file: &PropertyFile<'_>) -> Result<Self, FileError> {
        const SECTION: &str = "OPERATING_CONDITIONS";
        let nominal = file.within(SECTION, "NOMPRES", Dimension::Pressure, (1.0e3, 1.0e8))?;
        let inflation = file.quantity_or(SECTION, "INFLPRES", Dimension::Pressure, nominal)?;
        let change = inflation / nominal - 1.0;
        if !(-0.99..=10.0).contains(&change) {
            let line = file.require(SECTION).unwrap_or(1);
            let problem = format!("expected a pressure near NOMPRES, found {inflation} Pa");
            return Err(file.fault(line, "INFLPRES", problem));
        }
        let common = Common::read(file, change)?;
        let stiffness = common.vertical.stiffness_n_m();
        Ok(Self {
            pressure: Pressure::new(&common.coefficients, change),
            along: Tangential::read(file, "LONGITUDINAL_STIFFNESS", "X", stiffness, change)?,
            across: Tangential::read(file, "LATERAL_STIFFNESS", "Y", stiffness, change)?,
            common,
        })
    }

    /// K_yα (4.E25) at γ*.
    #[inline]
    fn cornering_stiffness(&self, fz: f64, fz0: f64, gamma: f64) -> f64 {
        let (p, change) = (&self.common.coefficients.y, self.pressure.change);
        let peak = (p.pky2 + p.pky5 * gamma * gamma) * (1.0 + p.ppy2 * change);
        let peak = peak.abs().max(TINY).copysign(peak);
        p.pky1
            * fz0
            * (1.0 + p.ppy1 * change)
            * (1.0 - p.pky3 * gamma.abs())
            * sine_of_arctangent(p.pky4, fz / fz0 / peak)
            * self.common.coefficients.scale.lky
    }

    /// 4.E19 to 4.E30.
    #[inline]
    fn lateral(&self, at: &Condition) -> PureLateral {
        let (p, scale, dfz, gamma) = (&self.common.coefficients.y, &self.common.coefficients.scale, at.dfz, at.gamma);
        let k = self.cornering_stiffness(at.fz, at.fz0, gamma);
        let sv_camber = at.fz * (p.pvy3 + p.pvy4 * dfz) * gamma * scale.lkyc * at.lmuy;
        let k_camber = at.fz * (p.pky6 + p.pky7 * dfz) * (1.0 + p.ppy5 * self.pressure.change) * scale.lkyc;
        let sh_plain = (p.phy1 + p.phy2 * dfz) * scale.lhy;
        let sv_plain = at.fz * (p.pvy1 + p.pvy2 * dfz) * scale.lvy * at.lmuy;
        let sh = sh_plain + (k_camber * gamma - sv_camber) / away_from_zero(k);
        let sv = sv_plain + sv_camber;
        let upright = self.cornering_stiffness(at.fz, at.fz0, 0.0);
        PureLateral {
            leaning: self.lateral_wave(at, k, gamma, at.alpha + sh),
            sv,
            upright: self.lateral_wave(at, upright, 0.0, at.alpha + sh_plain),
            sv_upright: sv_plain,
            stiffness: k,
            zero: sh + sv / away_from_zero(k),
        }
    }

    /// 4.E19 without S_Vy, 4.E21 to 4.E26.
    #[inline]
    fn lateral_wave(&self, at: &Condition, k: f64, gamma: f64, alpha: f64) -> LateralWave {
        let (p, scale, dfz) = (&self.common.coefficients.y, &self.common.coefficients.scale, at.dfz);
        let c = p.pcy1 * scale.lcy;
        let camber = 1.0 - p.pdy3 * gamma * gamma;
        let mu = (p.pdy1 + p.pdy2 * dfz) * self.pressure.friction_y * camber * at.lmuy;
        let d = mu.max(0.0) * at.fz;
        let b = k / away_from_zero(c * d);
        let bend = 1.0 + p.pey5 * gamma * gamma - (p.pey3 + p.pey4 * gamma) * sign(alpha);
        let e = (p.pey1 + p.pey2 * dfz) * bend * scale.ley;
        LateralWave { wave: Wave::sine(c, at_most_one(e), b * alpha), d, slope: b * c }
    }

    /// 4.E33 to 4.E49 with 4.E75 to 4.E78: t without its wave, and M_zr.
    #[inline]
    fn trail(&self, at: &Condition, kx: f64, y: &PureLateral) -> Trail {
        let (q, scale, dfz) = (&self.common.coefficients.z, &self.common.coefficients.scale, at.dfz);
        let (gamma, camber, change) = (at.gamma, at.camber, self.pressure.change);
        let radius = self.common.vertical.radius_m;
        let stiffnesses = [kx, y.stiffness];
        let TrailWave { wave, alpha_r, stiffness } = self.common.trail_wave(at, stiffnesses, y.zero, [gamma, camber]);
        let dt = at.fz
            * (q.qdz1 + q.qdz2 * dfz)
            * (1.0 - q.ppz1 * change)
            * (1.0 + q.qdz3 * camber + q.qdz4 * camber * camber);

        let br = q.qbz9 * stiffness + q.qbz10 * y.leaning.slope;
        let plain = (q.qdz6 + q.qdz7 * dfz) * scale.lres;
        let leaning = (q.qdz8 + q.qdz9 * dfz) * (1.0 + q.ppz2 * change) + (q.qdz10 + q.qdz11 * dfz) * gamma.abs();
        let dr = at.fz * radius * (plain + leaning * gamma * scale.lkzc) * at.lmuy * at.cos_alpha;
        Trail {
            wave,
            size: dt * (radius / at.fz0) * scale.ltr * at.cos_alpha,
            residual: dr * cosine_of_arctangent(br * alpha_r),
        }
    }

    /// s, the lever arm of F_x (m): 4.E76 with γ (A56).
    #[inline]
    fn arm(&self, at: &Condition, fy: f64) -> f64 {
        let (q, scale) = (&self.common.coefficients.z, &self.common.coefficients.scale);
        let camber = (q.ssz3 + q.ssz4 * at.dfz) * at.camber;
        self.common.vertical.radius_m * (q.ssz1 + q.ssz2 * fy / at.fz0 + camber) * scale.ls
    }

    /// A48.
    #[inline]
    fn rolling(&self, at: &Condition, fx: f64) -> f64 {
        let (c, vertical) = (&self.common.coefficients, &self.common.vertical);
        let (q, nominal) = (&c.rolling, vertical.nominal_load_n);
        let part = at.fz / nominal;
        let camber = (q.qsy5 + q.qsy6 * part) * at.camber * at.camber;
        let bracket = rolling_bracket(c, at, vertical, fx) + camber;
        let power = if q.qsy7 == 1.0 { part } else { functions::power(part, q.qsy7) };
        vertical.radius_m * nominal * c.scale.lmy * bracket * power * self.pressure.rolling
    }
}

impl Tyre for MagicFormula61 {
    common_methods!();

    fn forces(&self, slip: &Slip) -> SlipForces {
        let slip = bounded(slip);
        if slip.load_n == 0.0 {
            return SlipForces::default();
        }
        let common = &self.common;
        let at = common.condition(&slip, slip.lateral, functions::sine(slip.camber_rad)); // 4.E1 to 4.E8
        let pressure = [self.pressure.friction_x, self.pressure.slip_stiffness];
        let x = common.longitudinal(&at, at.camber, pressure); // 4.E9 to 4.E18
        let y = self.lateral(&at);
        let z = self.trail(&at, x.stiffness, &y);
        let [x1, x2, y1, y2, side] = common.weights(&at, at.gamma);
        let (c, vertical) = (&common.coefficients, &common.vertical);
        let tilt = overturning_wave(c, &at, vertical);
        let waves = [x.wave, y.leaning.wave, y.upright.wave, z.wave, x1, x2, y1, y2, side, tilt];
        let [x0, y0, upright, trail, x1, x2, y1, y2, side, tilt] = evaluate(&waves);
        let along = Pure { force_n: x.d * x0 + x.sv, maximum_n: x.d };
        let across = Pure { force_n: y.leaning.d * y0 + y.sv, maximum_n: y.leaning.d };
        let sine = at.alpha * at.cos_alpha;
        let combined = common.combined(&at, sine, [along, across], [x1, x2, y1, y2, side]); // 4.E50 to 4.E67
        let turning = combined.weight_y * (y.upright.d * upright + y.sv_upright); // 4.E74
        SlipForces {
            longitudinal_n: combined.fx,
            lateral_n: combined.fy,
            overturning_nm: overturning(c, &at, vertical, combined.fy, self.pressure.change, tilt),
            rolling_nm: -self.rolling(&at, combined.fx) * rolling_part(slip.speed_m_s),
            aligning_nm: -z.size * trail * turning + z.residual + self.arm(&at, combined.fy) * combined.fx, // 4.E71
        }
    }

    /// Paper, eq. (17) to (19).
    fn relaxation(&self, load_n: f64, camber_rad: f64) -> Relaxation {
        let fz = bounded_load_n(load_n).min(self.common.load_range_n.1);
        let (fz0, dfz) = load_change(fz, self.common.vertical.nominal_load_n, &self.common.coefficients.scale);
        let kx = slip_stiffness(&self.common.coefficients, fz, dfz) * self.pressure.slip_stiffness;
        let ky = self.cornering_stiffness(fz, fz0, functions::sine(bounded_camber_rad(camber_rad)));
        Relaxation::bounded((kx / self.along.at(dfz)).abs(), (ky / self.across.at(dfz)).abs())
    }
}
