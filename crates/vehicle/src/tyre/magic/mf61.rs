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

use super::coefficients::Coefficients;
use super::condition::{
    Condition, at_most_one, load_change, overturning, overturning_wave, rolling_bracket, slip_stiffness,
};
use super::pressure::{Pressure, Tangential};
use super::shape::{
    TINY, Wave, away_from_zero, cosine_of_arctangent, equivalent, evaluate, sign, sine_of_arctangent, weight,
    weight_waves,
};
use super::vertical::Vertical;
use crate::files::FileError;
use crate::tyre::combined::{Pure, friction_ellipse};
use crate::tyre::functions;
use crate::tyre::limits::{bounded, bounded_camber_rad, bounded_load_n, bounded_relaxation_m, rolling_part};
use crate::tyre::property::{Dimension, PropertyFile};
use crate::tyre::{Relaxation, Slip, SlipForces, Tyre};
use std::f64::consts::FRAC_2_PI;

/// A tyre of MF 6.1.
#[derive(Clone, Debug)]
pub struct MagicFormula61 {
    vertical: Vertical,
    coefficients: Coefficients,
    load_range_n: (f64, f64),
    pressure: Pressure,
    along: Tangential,
    across: Tangential,
}

/// F_x0 = D wave + S_V, with K_xκ.
struct PureLongitudinal {
    wave: Wave,
    d: f64,
    sv: f64,
    stiffness: f64,
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

/// The trail's wave and size, and M_zr.
struct Trail {
    wave: Wave,
    size: f64,
    residual: f64,
}

/// Forces in combined slip and the weight G_yκ.
struct Combined {
    fx: f64,
    fy: f64,
    weight_y: f64,
}

impl MagicFormula61 {
    pub(super) fn from_properties(file: &PropertyFile<'_>) -> Result<Self, FileError> {
        const SECTION: &str = "OPERATING_CONDITIONS";
        let nominal = file.within(SECTION, "NOMPRES", Dimension::Pressure, (1.0e3, 1.0e8))?;
        let inflation = file.quantity_or(SECTION, "INFLPRES", Dimension::Pressure, nominal)?;
        let change = inflation / nominal - 1.0;
        if !(-0.99..=10.0).contains(&change) {
            let line = file.require(SECTION).unwrap_or(1);
            return Err(file.fault(
                line,
                "INFLPRES",
                format!("expected a pressure near NOMPRES, found {inflation} Pa"),
            ));
        }
        let vertical = Vertical::read(file, change)?;
        let coefficients = Coefficients::read(file)?;
        let stiffness = vertical.stiffness_n_m();
        Ok(Self {
            load_range_n: super::load_range_n(file, vertical.nominal_load_n)?,
            pressure: Pressure::new(&coefficients, change),
            along: Tangential::read(file, "LONGITUDINAL_STIFFNESS", "X", stiffness, change)?,
            across: Tangential::read(file, "LATERAL_STIFFNESS", "Y", stiffness, change)?,
            coefficients,
            vertical,
        })
    }

    /// 4.E1 to 4.E8.
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
            alpha: slip.lateral,
            gamma: functions::sine(slip.camber_rad),
            camber: slip.camber_rad,
            cos_alpha: cosine_of_arctangent(slip.lateral),
            lmux: scale.lmux * slip.friction,
            lmuy: scale.lmuy * slip.friction,
            speed_part: slip.speed_m_s / self.vertical.reference_speed_m_s,
        }
    }

    /// 4.E9 to 4.E18.
    #[inline]
    fn longitudinal(&self, at: &Condition) -> PureLongitudinal {
        let (p, scale, dfz) = (&self.coefficients.x, &self.coefficients.scale, at.dfz);
        let c = p.pcx1 * scale.lcx;
        let camber = 1.0 - p.pdx3 * at.camber * at.camber;
        let mu = (p.pdx1 + p.pdx2 * dfz) * self.pressure.friction_x * camber * at.lmux;
        let d = mu.max(0.0) * at.fz;
        let stiffness = slip_stiffness(&self.coefficients, at.fz, dfz) * self.pressure.slip_stiffness;
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

    /// K_yα (4.E25) at γ*.
    #[inline]
    fn cornering_stiffness(&self, fz: f64, fz0: f64, gamma: f64) -> f64 {
        let (p, change) = (&self.coefficients.y, self.pressure.change);
        let peak = (p.pky2 + p.pky5 * gamma * gamma) * (1.0 + p.ppy2 * change);
        let peak = peak.abs().max(TINY).copysign(peak);
        p.pky1
            * fz0
            * (1.0 + p.ppy1 * change)
            * (1.0 - p.pky3 * gamma.abs())
            * sine_of_arctangent(p.pky4, fz / fz0 / peak)
            * self.coefficients.scale.lky
    }

    /// 4.E19 to 4.E30.
    #[inline]
    fn lateral(&self, at: &Condition) -> PureLateral {
        let (p, scale, dfz, gamma) = (&self.coefficients.y, &self.coefficients.scale, at.dfz, at.gamma);
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
        let (p, scale, dfz) = (&self.coefficients.y, &self.coefficients.scale, at.dfz);
        let c = p.pcy1 * scale.lcy;
        let camber = 1.0 - p.pdy3 * gamma * gamma;
        let mu = (p.pdy1 + p.pdy2 * dfz) * self.pressure.friction_y * camber * at.lmuy;
        let d = mu.max(0.0) * at.fz;
        let b = k / away_from_zero(c * d);
        let bend = 1.0 + p.pey5 * gamma * gamma - (p.pey3 + p.pey4 * gamma) * sign(alpha);
        let e = (p.pey1 + p.pey2 * dfz) * bend * scale.ley;
        LateralWave { wave: Wave::sine(c, at_most_one(e), b * alpha), d, slope: b * c }
    }

    /// The waves of 4.E50 to 4.E67: two for G_xα, two for G_yκ, one for S_Vyκ.
    #[inline]
    fn weights(&self, at: &Condition) -> [Wave; 5] {
        let (px, py, scale, dfz) =
            (&self.coefficients.x, &self.coefficients.y, &self.coefficients.scale, at.dfz);
        let square = at.gamma * at.gamma;
        let bx = (px.rbx1 + px.rbx3 * square) * cosine_of_arctangent(px.rbx2 * at.kappa) * scale.lxal;
        let ex = at_most_one(px.rex1 + px.rex2 * dfz);
        let bend = cosine_of_arctangent(py.rby2 * (at.alpha - py.rby3));
        let by = (py.rby1 + py.rby4 * square) * bend * scale.lyka;
        let ey = at_most_one(py.rey1 + py.rey2 * dfz);
        let [x, x_zero] = weight_waves(bx, px.rcx1, ex, at.alpha, px.rhx1);
        let [y, y_zero] = weight_waves(by, py.rcy1, ey, at.kappa, py.rhy1 + py.rhy2 * dfz);
        [x, x_zero, y, y_zero, Wave::sine(py.rvy5, 0.0, py.rvy6 * at.kappa)]
    }

    /// 4.E50 to 4.E67, from F_x0, F_y0 and the values of the waves.
    #[inline]
    fn combined(&self, at: &Condition, x: Pure, y: Pure, values: [f64; 5]) -> Combined {
        let c = &self.coefficients;
        if !c.has_combined {
            let (fx, fy) = friction_ellipse(at.kappa, at.alpha * at.cos_alpha, x, y);
            let weight_y = if y.force_n == 0.0 { 1.0 } else { fy / y.force_n };
            return Combined { fx, fy, weight_y };
        }
        let [x_shifted, x_zero, y_shifted, y_zero, side] = values;
        let size = y.maximum_n
            * (c.y.rvy1 + c.y.rvy2 * at.dfz + c.y.rvy3 * at.gamma)
            * cosine_of_arctangent(c.y.rvy4 * at.alpha);
        let weight_y = weight([y_shifted, y_zero]);
        Combined {
            fx: weight([x_shifted, x_zero]) * x.force_n,
            fy: weight_y * y.force_n + size * side * c.scale.lvyka,
            weight_y,
        }
    }

    /// 4.E33 to 4.E49 with 4.E75 to 4.E78: t without its wave, and M_zr.
    #[inline]
    fn trail(&self, at: &Condition, kx: f64, y: &PureLateral) -> Trail {
        let (q, scale, dfz) = (&self.coefficients.z, &self.coefficients.scale, at.dfz);
        let (gamma, camber, change) = (at.gamma, at.camber, self.pressure.change);
        let radius = self.vertical.radius_m;
        let stretch = kx / away_from_zero(y.stiffness) * at.kappa;
        let alpha_t = at.alpha + q.qhz1 + q.qhz2 * dfz + (q.qhz3 + q.qhz4 * dfz) * gamma;
        let alpha_r = at.alpha + y.zero;

        let stiffness = scale.lky / at.lmuy.max(TINY);
        let lean = 1.0 + q.qbz4 * camber + q.qbz5 * camber.abs();
        let bt = (q.qbz1 + q.qbz2 * dfz + q.qbz3 * dfz * dfz) * lean * stiffness;
        let ([alpha_t, alpha_r], turn) = equivalent([alpha_t, alpha_r], stretch, bt * q.qcz1 * alpha_t);
        let turn = 1.0 + (q.qez4 + q.qez5 * gamma) * FRAC_2_PI * turn;
        let et = (q.qez1 + q.qez2 * dfz + q.qez3 * dfz * dfz) * turn;
        let dt = at.fz
            * (q.qdz1 + q.qdz2 * dfz)
            * (1.0 - q.ppz1 * change)
            * (1.0 + q.qdz3 * camber + q.qdz4 * camber * camber);

        let br = q.qbz9 * stiffness + q.qbz10 * y.leaning.slope;
        let plain = (q.qdz6 + q.qdz7 * dfz) * scale.lres;
        let leaning =
            (q.qdz8 + q.qdz9 * dfz) * (1.0 + q.ppz2 * change) + (q.qdz10 + q.qdz11 * dfz) * gamma.abs();
        let dr = at.fz * radius * (plain + leaning * gamma * scale.lkzc) * at.lmuy * at.cos_alpha;
        Trail {
            wave: Wave::cosine(q.qcz1, at_most_one(et), bt * alpha_t),
            size: dt * (radius / at.fz0) * scale.ltr * at.cos_alpha,
            residual: dr * cosine_of_arctangent(br * alpha_r),
        }
    }

    /// s, the lever arm of F_x (m): 4.E76 with γ (A56).
    #[inline]
    fn arm(&self, at: &Condition, fy: f64) -> f64 {
        let (q, scale) = (&self.coefficients.z, &self.coefficients.scale);
        let camber = (q.ssz3 + q.ssz4 * at.dfz) * at.camber;
        self.vertical.radius_m * (q.ssz1 + q.ssz2 * fy / at.fz0 + camber) * scale.ls
    }

    /// A48.
    #[inline]
    fn rolling(&self, at: &Condition, fx: f64) -> f64 {
        let (q, nominal) = (&self.coefficients.rolling, self.vertical.nominal_load_n);
        let part = at.fz / nominal;
        let camber = (q.qsy5 + q.qsy6 * part) * at.camber * at.camber;
        let bracket = rolling_bracket(&self.coefficients, at, &self.vertical, fx) + camber;
        let power = if q.qsy7 == 1.0 { part } else { functions::power(part, q.qsy7) };
        self.vertical.radius_m
            * nominal
            * self.coefficients.scale.lmy
            * bracket
            * power
            * self.pressure.rolling
    }
}

impl Tyre for MagicFormula61 {
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
        let tilt = overturning_wave(&self.coefficients, &at, &self.vertical);
        let waves = [x.wave, y.leaning.wave, y.upright.wave, z.wave, x1, x2, y1, y2, side, tilt];
        let [x0, y0, upright, trail, x1, x2, y1, y2, side, tilt] = evaluate(&waves);
        let along = Pure { force_n: x.d * x0 + x.sv, maximum_n: x.d };
        let across = Pure { force_n: y.leaning.d * y0 + y.sv, maximum_n: y.leaning.d };
        let combined = self.combined(&at, along, across, [x1, x2, y1, y2, side]);
        let turning = combined.weight_y * (y.upright.d * upright + y.sv_upright); // 4.E74
        let change = self.pressure.change;
        SlipForces {
            longitudinal_n: combined.fx,
            lateral_n: combined.fy,
            overturning_nm: overturning(&self.coefficients, &at, &self.vertical, combined.fy, change, tilt),
            rolling_nm: -self.rolling(&at, combined.fx) * rolling_part(slip.speed_m_s),
            aligning_nm: -z.size * trail * turning + z.residual + self.arm(&at, combined.fy) * combined.fx, // 4.E71
        }
    }

    /// Paper, eq. (17) to (19).
    fn relaxation(&self, load_n: f64, camber_rad: f64) -> Relaxation {
        let fz = bounded_load_n(load_n).min(self.load_range_n.1);
        let (fz0, dfz) = load_change(fz, self.vertical.nominal_load_n, &self.coefficients.scale);
        let kx = slip_stiffness(&self.coefficients, fz, dfz) * self.pressure.slip_stiffness;
        let ky = self.cornering_stiffness(fz, fz0, functions::sine(bounded_camber_rad(camber_rad)));
        Relaxation {
            longitudinal_m: bounded_relaxation_m((kx / self.along.at(dfz)).abs()),
            lateral_m: bounded_relaxation_m((ky / self.across.at(dfz)).abs()),
        }
    }

    fn load_range_n(&self) -> (f64, f64) {
        self.load_range_n
    }
}
