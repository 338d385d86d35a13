//! What the versions of the Magic Formula share: parameters, pure longitudinal slip, the weights of
//! combined slip, the wave of the trail. What a version does not know is 0 or 1 there, which
//! changes no bit.

use super::coefficients::Coefficients;
use super::condition::{Condition, at_most_one, load_change, slip_stiffness};
use super::shape::{TINY, Wave, away_from_zero, cosine_of_arctangent, equivalent, sign, weight, weight_waves};
use super::vertical::Vertical;
use crate::files::FileError;
use crate::tyre::Slip;
use crate::tyre::combined::{Pure, friction_ellipse};
use crate::tyre::property::PropertyFile;
use std::f64::consts::FRAC_2_PI;

/// Parameters of any version.
#[derive(Clone, Debug)]
pub(super) struct Common {
    pub vertical: Vertical,
    pub coefficients: Coefficients,
    pub load_range_n: (f64, f64),
}

/// F_x0 = D wave + S_V, with K_x.
pub(super) struct PureLongitudinal {
    pub wave: Wave,
    pub d: f64,
    pub sv: f64,
    pub stiffness: f64,
}

/// The wave of the trail, and what M_zr needs of it.
pub(super) struct TrailWave {
    pub wave: Wave,
    /// α_r,eq
    pub alpha_r: f64,
    /// λ_Ky / λ_μy
    pub stiffness: f64,
}

/// The trail's wave and size, and M_zr.
pub(super) struct Trail {
    pub wave: Wave,
    pub size: f64,
    pub residual: f64,
}

/// Forces in combined slip.
pub(super) struct Combined {
    pub fx: f64,
    pub fy: f64,
    /// S_Vyκ
    pub sv: f64,
    /// G_yκ
    pub weight_y: f64,
}

impl Common {
    /// At a change of the inflation pressure, p/p_0 − 1.
    pub fn read(file: &PropertyFile<'_>, change: f64) -> Result<Self, FileError> {
        let vertical = Vertical::read(file, change)?;
        Ok(Self {
            load_range_n: super::load_range_n(file, vertical.nominal_load_n)?,
            coefficients: Coefficients::read(file)?,
            vertical,
        })
    }

    /// At a slip, with α and γ as the version counts them.
    #[inline]
    pub fn condition(&self, slip: &Slip, alpha: f64, gamma: f64) -> Condition {
        let scale = &self.coefficients.scale;
        let fz = slip.load_n.min(self.load_range_n.1);
        let (fz0, dfz) = load_change(fz, self.vertical.nominal_load_n, scale);
        Condition {
            fz,
            dfz,
            fz0,
            kappa: slip.longitudinal,
            alpha,
            gamma,
            camber: slip.camber_rad,
            cos_alpha: cosine_of_arctangent(slip.lateral),
            lmux: scale.lmux * slip.friction,
            lmuy: scale.lmuy * slip.friction,
            speed_part: slip.speed_m_s / self.vertical.reference_speed_m_s,
        }
    }

    /// F_x0 at a camber, with the factors of the pressure on friction and stiffness.
    #[inline]
    pub fn longitudinal(&self, at: &Condition, camber: f64, pressure: [f64; 2]) -> PureLongitudinal {
        let (p, scale, dfz) = (&self.coefficients.x, &self.coefficients.scale, at.dfz);
        let c = p.pcx1 * scale.lcx;
        let lean = 1.0 - p.pdx3 * camber * camber;
        let mu = (p.pdx1 + p.pdx2 * dfz) * pressure[0] * lean * at.lmux;
        let d = mu.max(0.0) * at.fz;
        let stiffness = slip_stiffness(&self.coefficients, at.fz, dfz) * pressure[1];
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

    /// The waves of combined slip: two for G_xα, two for G_yκ, one for S_Vyκ.
    #[inline]
    pub fn weights(&self, at: &Condition, gamma: f64) -> [Wave; 5] {
        let (px, py, scale, dfz) = (&self.coefficients.x, &self.coefficients.y, &self.coefficients.scale, at.dfz);
        let square = gamma * gamma;
        let bx = (px.rbx1 + px.rbx3 * square) * cosine_of_arctangent(px.rbx2 * at.kappa) * scale.lxal;
        let ex = at_most_one(px.rex1 + px.rex2 * dfz);
        let bend = cosine_of_arctangent(py.rby2 * (at.alpha - py.rby3));
        let by = (py.rby1 + py.rby4 * square) * bend * scale.lyka;
        let ey = at_most_one(py.rey1 + py.rey2 * dfz);
        let [x, x_zero] = weight_waves(bx, px.rcx1, ex, at.alpha, px.rhx1);
        let [y, y_zero] = weight_waves(by, py.rcy1, ey, at.kappa, py.rhy1 + py.rhy2 * dfz);
        [x, x_zero, y, y_zero, Wave::sine(py.rvy5, 0.0, py.rvy6 * at.kappa)]
    }

    /// Combined slip from F_x0, F_y0 and the values of the waves; sin α where a file has none.
    #[inline]
    pub fn combined(&self, at: &Condition, sin_alpha: f64, [x, y]: [Pure; 2], values: [f64; 5]) -> Combined {
        let c = &self.coefficients;
        if !c.has_combined {
            let (fx, fy) = friction_ellipse(at.kappa, sin_alpha, x, y);
            let weight_y = if y.force_n == 0.0 { 1.0 } else { fy / y.force_n };
            return Combined { fx, fy, sv: 0.0, weight_y };
        }
        let [x_shifted, x_zero, y_shifted, y_zero, side] = values;
        let size = y.maximum_n
            * (c.y.rvy1 + c.y.rvy2 * at.dfz + c.y.rvy3 * at.gamma)
            * cosine_of_arctangent(c.y.rvy4 * at.alpha);
        let (sv, weight_y) = (size * side * c.scale.lvyka, weight([y_shifted, y_zero]));
        Combined { fx: weight([x_shifted, x_zero]) * x.force_n, fy: weight_y * y.force_n + sv, sv, weight_y }
    }

    /// The wave of t, from the stiffnesses K_x and K_y, what α is off by in M_zr, and γ and camber
    /// as the version counts them.
    #[inline]
    pub fn trail_wave(&self, at: &Condition, [kx, ky]: [f64; 2], zero: f64, [gamma, camber]: [f64; 2]) -> TrailWave {
        let (q, scale, dfz) = (&self.coefficients.z, &self.coefficients.scale, at.dfz);
        let stretch = kx / away_from_zero(ky) * at.kappa;
        let alpha_t = at.alpha + q.qhz1 + q.qhz2 * dfz + (q.qhz3 + q.qhz4 * dfz) * gamma;
        let alpha_r = at.alpha + zero;
        let stiffness = scale.lky / at.lmuy.max(TINY);
        let lean = 1.0 + q.qbz4 * camber + q.qbz5 * camber.abs();
        let bt = (q.qbz1 + q.qbz2 * dfz + q.qbz3 * dfz * dfz) * lean * stiffness;
        let ([alpha_t, alpha_r], turn) = equivalent([alpha_t, alpha_r], stretch, bt * q.qcz1 * alpha_t);
        let turn = 1.0 + (q.qez4 + q.qez5 * gamma) * FRAC_2_PI * turn;
        let et = (q.qez1 + q.qez2 * dfz + q.qez3 * dfz * dfz) * turn;
        TrailWave { wave: Wave::cosine(q.qcz1, at_most_one(et), bt * alpha_t), alpha_r, stiffness }
    }
}

/// The methods of a tyre that depend on no version.
macro_rules! common_methods {
    () => {
        fn radius_m(&self) -> f64 {
            self.common.vertical.radius_m
        }

        fn load_n(&self, deflection_m: f64, deflection_rate_m_s: f64, spin_rad_s: f64) -> f64 {
            self.common.vertical.load_n(deflection_m, deflection_rate_m_s, spin_rad_s)
        }

        fn rolling_radius_m(&self, load_n: f64, spin_rad_s: f64) -> f64 {
            self.common.vertical.rolling_radius_m(load_n, spin_rad_s)
        }

        fn load_range_n(&self) -> (f64, f64) {
            self.common.load_range_n
        }
    };
}
pub(super) use common_methods;
