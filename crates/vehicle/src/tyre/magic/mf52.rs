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

use super::coefficients::Coefficients;
use super::condition::{
    Condition, at_most_one, load_change, overturning, overturning_wave, rolling_bracket, slip_stiffness,
};
use super::shape::{
    TINY, Wave, away_from_zero, cosine_of_arctangent, equivalent, evaluate, exponential, sign,
    sine_of_arctangent, weight, weight_waves,
};
use super::vertical::Vertical;
use crate::files::FileError;
use crate::tyre::combined::{Pure, friction_ellipse};
use crate::tyre::functions::{self, arctangent};
use crate::tyre::limits::{bounded, bounded_camber_rad, bounded_load_n, bounded_relaxation_m, rolling_part};
use crate::tyre::property::PropertyFile;
use crate::tyre::{Relaxation, Slip, SlipForces, Tyre};
use std::f64::consts::FRAC_2_PI;

/// A tyre of MF 5.2.
#[derive(Clone, Debug)]
pub struct MagicFormula52 {
    vertical: Vertical,
    coefficients: Coefficients,
    load_range_n: (f64, f64),
    /// c_z (N/m): stands in for the tangential stiffness where the file has no relaxation lengths.
    stiffness_n_m: f64,
}

/// F_x0 = D wave + S_V, with K_x.
struct PureLongitudinal {
    wave: Wave,
    d: f64,
    sv: f64,
    stiffness: f64,
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

/// The trail's wave and size, and M_zr.
struct Trail {
    wave: Wave,
    size: f64,
    residual: f64,
}

/// Forces in combined slip.
struct Combined {
    fx: f64,
    fy: f64,
    /// S_Vyκ
    sv: f64,
}

impl MagicFormula52 {
    pub(super) fn from_properties(file: &PropertyFile<'_>) -> Result<Self, FileError> {
        let vertical = Vertical::read(file, 0.0)?;
        Ok(Self {
            load_range_n: super::load_range_n(file, vertical.nominal_load_n)?,
            coefficients: Coefficients::read(file)?,
            stiffness_n_m: vertical.stiffness_n_m(),
            vertical,
        })
    }

    #[inline]
    fn condition(&self, slip: &Slip) -> Condition {
        let scale = &self.coefficients.scale;
        let fz = slip.load_n.min(self.load_range_n.1);
        let (fz0, dfz) = load_change(fz, self.vertical.nominal_load_n, scale);
        Condition {
            fz,
            dfz,
            fz0,
            kappa: slip.longitudinal,
            alpha: arctangent(slip.lateral),
            gamma: slip.camber_rad,
            camber: slip.camber_rad,
            cos_alpha: cosine_of_arctangent(slip.lateral),
            lmux: scale.lmux * slip.friction,
            lmuy: scale.lmuy * slip.friction,
            speed_part: slip.speed_m_s / self.vertical.reference_speed_m_s,
        }
    }

    /// Eq. (1).
    #[inline]
    fn longitudinal(&self, at: &Condition) -> PureLongitudinal {
        let (p, scale, dfz) = (&self.coefficients.x, &self.coefficients.scale, at.dfz);
        let gamma = at.gamma * scale.lgax;
        let c = p.pcx1 * scale.lcx;
        let mu = (p.pdx1 + p.pdx2 * dfz) * (1.0 - p.pdx3 * gamma * gamma) * at.lmux;
        let d = mu.max(0.0) * at.fz;
        let stiffness = slip_stiffness(&self.coefficients, at.fz, dfz);
        let b = stiffness / away_from_zero(c * d);
        let kappa = at.kappa + (p.phx1 + p.phx2 * dfz) * scale.lhx;
        let e = (p.pex1 + p.pex2 * dfz + p.pex3 * dfz * dfz) * (1.0 - p.pex4 * sign(kappa)) * scale.lex;
        PureLongitudinal {
            wave: Wave::sine(c, at_most_one(e), b * kappa),
            d,
            sv: at.fz * (p.pvx1 + p.pvx2 * dfz) * scale.lvx * at.lmux,
            stiffness,
        }
    }

    /// K_y at a camber.
    #[inline]
    fn cornering_stiffness(&self, fz: f64, fz0: f64, gamma: f64) -> f64 {
        let (p, scale) = (&self.coefficients.y, &self.coefficients.scale);
        let load = sine_of_arctangent(2.0, fz / (p.pky2 * fz0));
        p.pky1 * fz0 * load * (1.0 - p.pky3 * (gamma * scale.lgay).abs()) * scale.lky
    }

    /// Eq. (2).
    #[inline]
    fn lateral(&self, at: &Condition) -> PureLateral {
        let (p, scale, dfz) = (&self.coefficients.y, &self.coefficients.scale, at.dfz);
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

    /// The waves of Eq. (3): two for G_xα, two for G_yκ, one for S_Vyκ.
    #[inline]
    fn weights(&self, at: &Condition) -> [Wave; 5] {
        let (px, py, scale, dfz) =
            (&self.coefficients.x, &self.coefficients.y, &self.coefficients.scale, at.dfz);
        let bx = px.rbx1 * cosine_of_arctangent(px.rbx2 * at.kappa) * scale.lxal;
        let ex = at_most_one(px.rex1 + px.rex2 * dfz);
        let by = py.rby1 * cosine_of_arctangent(py.rby2 * (at.alpha - py.rby3)) * scale.lyka;
        let ey = at_most_one(py.rey1 + py.rey2 * dfz);
        let [x, x_zero] = weight_waves(bx, px.rcx1, ex, at.alpha, px.rhx1);
        let [y, y_zero] = weight_waves(by, py.rcy1, ey, at.kappa, py.rhy1 + py.rhy2 * dfz);
        [x, x_zero, y, y_zero, Wave::sine(py.rvy5, 0.0, py.rvy6 * at.kappa)]
    }

    /// Eq. (3), from F_x0, F_y0 and the values of the waves.
    #[inline]
    fn combined(&self, at: &Condition, x: Pure, y: Pure, values: [f64; 5]) -> Combined {
        let c = &self.coefficients;
        if !c.has_combined {
            let (fx, fy) = friction_ellipse(at.kappa, functions::sine(at.alpha), x, y);
            return Combined { fx, fy, sv: 0.0 };
        }
        let [x_shifted, x_zero, y_shifted, y_zero, side] = values;
        let size = y.maximum_n
            * (c.y.rvy1 + c.y.rvy2 * at.dfz + c.y.rvy3 * at.gamma)
            * cosine_of_arctangent(c.y.rvy4 * at.alpha);
        let sv = size * side * c.scale.lvyka;
        Combined {
            fx: weight([x_shifted, x_zero]) * x.force_n,
            fy: weight([y_shifted, y_zero]) * y.force_n + sv,
            sv,
        }
    }

    /// t without its wave, and M_zr: Eq. (4) and (5).
    #[inline]
    fn trail(&self, at: &Condition, kx: f64, y: &PureLateral) -> Trail {
        let (q, scale, dfz) = (&self.coefficients.z, &self.coefficients.scale, at.dfz);
        let gamma = at.gamma * scale.lgaz;
        let radius = self.vertical.radius_m;
        let stretch = kx / away_from_zero(y.stiffness) * at.kappa;
        let alpha_t = at.alpha + q.qhz1 + q.qhz2 * dfz + (q.qhz3 + q.qhz4 * dfz) * gamma;
        let alpha_r = at.alpha + y.zero;

        let stiffness = scale.lky / at.lmuy.max(TINY);
        let camber = 1.0 + q.qbz4 * gamma + q.qbz5 * gamma.abs();
        let bt = (q.qbz1 + q.qbz2 * dfz + q.qbz3 * dfz * dfz) * camber * stiffness;
        let ([alpha_t, alpha_r], turn) = equivalent([alpha_t, alpha_r], stretch, bt * q.qcz1 * alpha_t);
        let turn = 1.0 + (q.qez4 + q.qez5 * gamma) * FRAC_2_PI * turn;
        let et = (q.qez1 + q.qez2 * dfz + q.qez3 * dfz * dfz) * turn;
        let dt = at.fz * (q.qdz1 + q.qdz2 * dfz) * (1.0 + q.qdz3 * gamma + q.qdz4 * gamma * gamma);

        let br = q.qbz9 * stiffness + q.qbz10 * y.slope;
        let plain = (q.qdz6 + q.qdz7 * dfz) * scale.lres;
        let dr = at.fz * (plain + (q.qdz8 + q.qdz9 * dfz) * gamma) * radius * at.lmuy;
        Trail {
            wave: Wave::cosine(q.qcz1, at_most_one(et), bt * alpha_t),
            size: dt * radius / at.fz0 * scale.ltr * at.cos_alpha,
            residual: dr * cosine_of_arctangent(br * alpha_r) * at.cos_alpha,
        }
    }

    /// M_x (Nm). Few files of this version have the terms of its wave.
    #[inline]
    fn overturning(&self, at: &Condition, fy: f64) -> f64 {
        let c = &self.coefficients;
        let [wave] = if c.overturning.qsx4 == 0.0 {
            [0.0]
        } else {
            evaluate(&[overturning_wave(c, at, &self.vertical)])
        };
        overturning(c, at, &self.vertical, fy, 0.0, wave)
    }

    /// s, the lever arm of F_x (m).
    #[inline]
    fn arm(&self, at: &Condition, fy: f64) -> f64 {
        let (q, scale) = (&self.coefficients.z, &self.coefficients.scale);
        let camber = (q.ssz3 + q.ssz4 * at.dfz) * at.gamma * scale.lgaz;
        self.vertical.radius_m * (q.ssz1 + q.ssz2 * fy / at.fz0 + camber) * scale.ls
    }
}

impl Tyre for MagicFormula52 {
    fn radius_m(&self) -> f64 {
        self.vertical.radius_m
    }

    fn load_n(&self, deflection_m: f64, deflection_rate_m_s: f64, spin_rad_s: f64) -> f64 {
        self.vertical.load_n(deflection_m, deflection_rate_m_s, spin_rad_s)
    }

    fn rolling_radius_m(&self, load_n: f64, spin_rad_s: f64) -> f64 {
        self.vertical.rolling_radius_m(load_n, spin_rad_s)
    }

    fn forces(&self, slip: &Slip) -> SlipForces {
        let slip = bounded(slip);
        if slip.load_n == 0.0 {
            return SlipForces::default();
        }
        let at = self.condition(&slip);
        let (x, y) = (self.longitudinal(&at), self.lateral(&at));
        let z = self.trail(&at, x.stiffness, &y);
        let [x1, x2, y1, y2, side] = self.weights(&at);
        let [x0, y0, trail, x1, x2, y1, y2, side] = evaluate(&[x.wave, y.wave, z.wave, x1, x2, y1, y2, side]);
        let along = Pure { force_n: x.d * x0 + x.sv, maximum_n: x.d };
        let across = Pure { force_n: y.d * y0 + y.sv, maximum_n: y.d };
        let Combined { fx, fy, sv } = self.combined(&at, along, across, [x1, x2, y1, y2, side]);
        let bracket = rolling_bracket(&self.coefficients, &at, &self.vertical, fx);
        let rolling = self.vertical.radius_m * at.fz * self.coefficients.scale.lmy * bracket; // Eq. (6)
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
        let (c, radius) = (&self.coefficients, self.vertical.radius_m);
        let fz = bounded_load_n(load_n).min(self.load_range_n.1);
        let (fz0, dfz) = load_change(fz, self.vertical.nominal_load_n, &c.scale);
        let camber = bounded_camber_rad(camber_rad);
        let longitudinal = if c.x.ptx1 == 0.0 {
            slip_stiffness(c, fz, dfz) / self.stiffness_n_m
        } else {
            fz * (c.x.ptx1 + c.x.ptx2 * dfz) * exponential(-c.x.ptx3 * dfz) * radius
                / self.vertical.nominal_load_n
                * c.scale.lsgkp
        };
        let lateral = if c.y.pty1 == 0.0 || c.y.pty2 == 0.0 {
            self.cornering_stiffness(fz, fz0, camber).abs() / self.stiffness_n_m
        } else {
            let load = sine_of_arctangent(2.0, fz / (c.y.pty2 * fz0));
            c.y.pty1 * load * (1.0 - c.y.pky3 * camber.abs()) * radius * c.scale.lfzo * c.scale.lsgal
        };
        Relaxation {
            longitudinal_m: bounded_relaxation_m(longitudinal.abs()),
            lateral_m: bounded_relaxation_m(lateral.abs()),
        }
    }

    fn load_range_n(&self) -> (f64, f64) {
        self.load_range_n
    }
}
