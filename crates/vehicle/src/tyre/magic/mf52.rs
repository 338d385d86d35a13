//! MF-Tyre 5.2, which Adams calls PAC2002.
//!
//! The equations are those of the MF-Tyre 5.2 manual, as in Adams/Tire (PAC2002) and in Pacejka,
//! "Tyre and Vehicle Dynamics" (2002), section 4.3. Symbols as there; γ_x = λ_γx γ and so on.
//! Angles are angles here (α, not tan α).
//! ```text
//! (1)  F_x0 = D_x sin(C_x arctan(B_x κ_x − E_x (…))) + S_Vx        κ_x = κ + S_Hx
//! (2)  F_y0 = D_y sin(C_y arctan(B_y α_y − E_y (…))) + S_Vy        α_y = α + S_Hy
//! (3)  F_x = G_xα F_x0,   F_y = G_yκ F_y0 + S_Vyκ
//! (4)  M_z = −t (F_y − S_Vyκ) + M_zr + s F_x
//!      t    = D_t cos(C_t arctan(B_t α_t,eq − E_t (…))) cos α      α_t = α + S_Ht
//!      M_zr = D_r cos(arctan(B_r α_r,eq)) cos α                    α_r = α + S_Hy + S_Vy / K_y
//! (5)  α_eq = arctan √(tan² α_i + (K_x / K_y)² κ²) · sgn α_i       for α_t and α_r
//! (6)  M_y = −R_0 F_z λ_My (q_sy1 + q_sy2 F_x/F_z0 + q_sy3 |V/V_0| + q_sy4 (V/V_0)⁴)
//! (7)  σ_κ = F_z (p_Tx1 + p_Tx2 df_z) exp(−p_Tx3 df_z) R_0 / F_z0 · λ_σκ
//! (8)  σ_α = p_Ty1 sin(2 arctan(F_z / (p_Ty2 F'_z0))) (1 − p_Ky3 |γ|) R_0 λ_Fz0 λ_σα
//! ```

use super::common::{Combined, Common, Trail, TrailWave, common_methods};
use super::condition::{
    Condition, at_most_one, load_change, overturning, overturning_wave, rolling_bracket, slip_stiffness,
};
use super::shape::{Wave, away_from_zero, cosine_of_arctangent, evaluate, exponential, sign, sine_of_arctangent};
use crate::files::FileError;
use crate::tyre::combined::Pure;
use crate::tyre::functions::{self, arctangent};
use crate::tyre::limits::{bounded, bounded_camber_rad, bounded_load_n, rolling_part};
use crate::tyre::property::PropertyFile;
use crate::tyre::{Relaxation, Slip, SlipForces, Tyre};

/// A tyre of MF 5.2.
#[derive(Clone, Debug)]
pub struct MagicFormula52 {
    common: Common,
    /// c_z (N/m): stands in for the tangential stiffness where the file has no relaxation lengths.
    stiffness_n_m: f64,
}

/// F_y0 = D wave + S_V, and what M_z needs of it.
struct PureLateral {
    wave: Wave,
    d: f64,
    sv: f64,
    stiffness: f64,
    /// B_y C_y
    slope: f64,
    /// S_Hy + S_Vy / K_y
    zero: f64,
}

impl MagicFormula52 {
    pub(super) fn from_properties(file: &PropertyFile<'_>) -> Result<Self, FileError> {
        let common = Common::read(file, 0.0)?;
        Ok(Self { stiffness_n_m: common.vertical.stiffness_n_m(), common })
    }

    /// K_y at a camber.
    #[inline]
    fn cornering_stiffness(&self, fz: f64, fz0: f64, gamma: f64) -> f64 {
        let (p, scale) = (&self.common.coefficients.y, &self.common.coefficients.scale);
        let load = sine_of_arctangent(2.0, fz / (p.pky2 * fz0));
        p.pky1 * fz0 * load * (1.0 - p.pky3 * (gamma * scale.lgay).abs()) * scale.lky
    }

    /// Eq. (2).
    #[inline]
    fn lateral(&self, at: &Condition) -> PureLateral {
        let (p, scale, dfz) = (&self.common.coefficients.y, &self.common.coefficients.scale, at.dfz);
        let gamma = at.gamma * scale.lgay;
        let c = p.pcy1 * scale.lcy;
        let mu = (p.pdy1 + p.pdy2 * dfz) * (1.0 - p.pdy3 * gamma * gamma) * at.lmuy;
        let d = mu.max(0.0) * at.fz;
        let k = self.cornering_stiffness(at.fz, at.fz0, at.gamma);
        let b = k / away_from_zero(c * d);
        let sh = (p.phy1 + p.phy2 * dfz) * scale.lhy + p.phy3 * gamma * scale.lkyc;
        let plain = (p.pvy1 + p.pvy2 * dfz) * scale.lvy;
        let sv = at.fz * (plain + (p.pvy3 + p.pvy4 * dfz) * gamma * scale.lkyc) * at.lmuy;
        let alpha = at.alpha + sh;
        let e = (p.pey1 + p.pey2 * dfz) * (1.0 - (p.pey3 + p.pey4 * gamma) * sign(alpha)) * scale.ley;
        PureLateral {
            wave: Wave::sine(c, at_most_one(e), b * alpha),
            d,
            sv,
            stiffness: k,
            slope: b * c,
            zero: sh + sv / away_from_zero(k),
        }
    }

    /// t without its wave, and M_zr: Eq. (4) and (5).
    #[inline]
    fn trail(&self, at: &Condition, kx: f64, y: &PureLateral) -> Trail {
        let (q, scale, dfz) = (&self.common.coefficients.z, &self.common.coefficients.scale, at.dfz);
        let gamma = at.gamma * scale.lgaz;
        let radius = self.common.vertical.radius_m;
        let stiffnesses = [kx, y.stiffness];
        let TrailWave { wave, alpha_r, stiffness } = self.common.trail_wave(at, stiffnesses, y.zero, [gamma, gamma]);
        let dt = at.fz * (q.qdz1 + q.qdz2 * dfz) * (1.0 + q.qdz3 * gamma + q.qdz4 * gamma * gamma);

        let br = q.qbz9 * stiffness + q.qbz10 * y.slope;
        let plain = (q.qdz6 + q.qdz7 * dfz) * scale.lres;
        let dr = at.fz * (plain + (q.qdz8 + q.qdz9 * dfz) * gamma) * radius * at.lmuy;
        Trail {
            wave,
            size: dt * radius / at.fz0 * scale.ltr * at.cos_alpha,
            residual: dr * cosine_of_arctangent(br * alpha_r) * at.cos_alpha,
        }
    }

    /// M_x (Nm). Few files of this version have the terms of its wave.
    #[inline]
    fn overturning(&self, at: &Condition, fy: f64) -> f64 {
        let c = &self.common.coefficients;
        let [wave] =
            if c.overturning.qsx4 == 0.0 { [0.0] } else { evaluate(&[overturning_wave(c, at, &self.common.vertical)]) };
        overturning(c, at, &self.common.vertical, fy, 0.0, wave)
    }

    /// s, the lever arm of F_x (m).
    #[inline]
    fn arm(&self, at: &Condition, fy: f64) -> f64 {
        let (q, scale) = (&self.common.coefficients.z, &self.common.coefficients.scale);
        let camber = (q.ssz3 + q.ssz4 * at.dfz) * at.gamma * scale.lgaz;
        self.common.vertical.radius_m * (q.ssz1 + q.ssz2 * fy / at.fz0 + camber) * scale.ls
    }
}

impl Tyre for MagicFormula52 {
    common_methods!();

    fn forces(&self, slip: &Slip) -> SlipForces {
        let slip = bounded(slip);
        if slip.load_n == 0.0 {
            return SlipForces::default();
        }
        let common = &self.common;
        let at = common.condition(&slip, arctangent(slip.lateral), slip.camber_rad);
        let x = common.longitudinal(&at, at.gamma * common.coefficients.scale.lgax, [1.0; 2]);
        let y = self.lateral(&at);
        let z = self.trail(&at, x.stiffness, &y);
        let [x1, x2, y1, y2, side] = common.weights(&at, 0.0);
        let [x0, y0, trail, x1, x2, y1, y2, side] = evaluate(&[x.wave, y.wave, z.wave, x1, x2, y1, y2, side]);
        let along = Pure { force_n: x.d * x0 + x.sv, maximum_n: x.d };
        let across = Pure { force_n: y.d * y0 + y.sv, maximum_n: y.d };
        let sine = functions::sine(at.alpha);
        let Combined { fx, fy, sv, .. } = common.combined(&at, sine, [along, across], [x1, x2, y1, y2, side]);
        let bracket = rolling_bracket(&self.common.coefficients, &at, &self.common.vertical, fx);
        let rolling = self.common.vertical.radius_m * at.fz * self.common.coefficients.scale.lmy * bracket; // Eq. (6)
        SlipForces {
            longitudinal_n: fx,
            lateral_n: fy,
            overturning_nm: self.overturning(&at, fy),
            rolling_nm: -rolling * rolling_part(slip.speed_m_s),
            aligning_nm: -z.size * trail * (fy - sv) + z.residual + self.arm(&at, fy) * fx, // Eq. (4)
        }
    }

    /// Eq. (7) and (8).
    fn relaxation(&self, load_n: f64, camber_rad: f64) -> Relaxation {
        let (c, radius) = (&self.common.coefficients, self.common.vertical.radius_m);
        let fz = bounded_load_n(load_n).min(self.common.load_range_n.1);
        let (fz0, dfz) = load_change(fz, self.common.vertical.nominal_load_n, &c.scale);
        let camber = bounded_camber_rad(camber_rad);
        let longitudinal = if c.x.ptx1 == 0.0 {
            slip_stiffness(c, fz, dfz) / self.stiffness_n_m
        } else {
            let distance_m = fz * (c.x.ptx1 + c.x.ptx2 * dfz) * exponential(-c.x.ptx3 * dfz) * radius;
            distance_m / self.common.vertical.nominal_load_n * c.scale.lsgkp
        };
        let lateral = if c.y.pty1 == 0.0 || c.y.pty2 == 0.0 {
            self.cornering_stiffness(fz, fz0, camber).abs() / self.stiffness_n_m
        } else {
            let load = sine_of_arctangent(2.0, fz / (c.y.pty2 * fz0));
            c.y.pty1 * load * (1.0 - c.y.pky3 * camber.abs()) * radius * c.scale.lfzo * c.scale.lsgal
        };
        Relaxation::bounded(longitudinal.abs(), lateral.abs())
    }
}
