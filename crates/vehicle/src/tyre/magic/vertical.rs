//! The vertical side of a Magic Formula tyre: load from deflection, rolling radius from load.
//!
//! MF 5.2 has a linear spring (or a curve of deflection and load); MF 6.1 has (Besselink, Schmeitz,
//! Pacejka 2010, eq. 1 to 7):
//! ```text
//! (1)  R_Ω = R_0 (q_re0 + q_V1 (Ω R_0 / V_0)²)                               radius that grows with spin
//! (2)  F_z = (1 + q_V2 |Ω| R_0 / V_0) (q_Fz1 ρ/R_0 + q_Fz2 (ρ/R_0)²) (1 + p_Fz1 dp) F_z0
//! (3)  q_Fz1 = √((c_z0 R_0 / F_z0)² − 4 q_Fz2)                               so that c_z0 is the stiffness at F_z0
//! (4)  R_e = R_Ω − F_z0/c_z (D_reff arctan(B_reff F_z/F_z0) + F_reff F_z/F_z0)
//! ```
//! The terms of (2) in F_x and F_y (a tyre under side force sinks a little) are left out: load is
//! known before the forces.

use super::coefficients::Coefficients;
use crate::files::FileError;
use crate::tyre::functions::arctangent;
use crate::tyre::limits::{bounded_load_n, bounded_spin_rad_s};
use crate::tyre::property::{Dimension, PropertyFile};
use crate::tyre::spring::{Shape, Spring};

/// Deflection, load and rolling radius.
#[derive(Clone, Debug)]
pub(super) struct Vertical {
    pub radius_m: f64,
    /// F_z0 (N).
    pub nominal_load_n: f64,
    /// V_0 (m/s).
    pub reference_speed_m_s: f64,
    spring: Spring,
    /// c_z at the inflation pressure (N/m).
    stiffness_n_m: f64,
    breff: f64,
    dreff: f64,
    freff: f64,
    q_re0: f64,
    q_v1: f64,
    q_v2: f64,
}

const SECTION: &str = "VERTICAL";

impl Vertical {
    /// Reads the sections of dimensions and of the vertical spring; `pressure` is dp = p/p_0 − 1.
    pub fn read(file: &PropertyFile<'_>, pressure: f64) -> Result<Self, FileError> {
        file.require("DIMENSION")?;
        file.require(SECTION)?;
        let radius_m = file.within("DIMENSION", "UNLOADED_RADIUS", Dimension::Length, (0.01, 10.0))?;
        let nominal_load_n = file.within(SECTION, "FNOMIN", Dimension::Force, (1.0, 1.0e6))?;
        let nominal_stiffness = file.within(SECTION, "VERTICAL_STIFFNESS", Dimension::Stiffness, (1.0, 1.0e9))?;
        let factor = (1.0 + file.coefficient(SECTION, "PFZ1", 0.0)? * pressure).max(0.1);
        let speed = file.quantity_or("MODEL", "LONGVL", Dimension::Speed, 16.6)?;
        Ok(Self {
            radius_m,
            nominal_load_n,
            reference_speed_m_s: speed.clamp(0.1, 1.0e3),
            spring: Spring {
                shape: shape(file, radius_m, nominal_load_n, nominal_stiffness, factor)?,
                damping_n_s_m: file.quantity_or(SECTION, "VERTICAL_DAMPING", Dimension::Damping, 0.0)?.max(0.0),
                bottoming: bottoming(file, radius_m)?,
            },
            stiffness_n_m: nominal_stiffness * factor,
            breff: file.coefficient(SECTION, "BREFF", 0.0)?,
            dreff: file.coefficient(SECTION, "DREFF", 0.0)?,
            freff: file.coefficient(SECTION, "FREFF", 0.0)?,
            q_re0: file.coefficient(SECTION, "Q_RE0", 1.0)?,
            q_v1: file.coefficient(SECTION, "Q_V1", 0.0)?,
            q_v2: file.coefficient(SECTION, "Q_V2", 0.0)?,
        })
    }

    /// c_z at the inflation pressure (N/m).
    pub fn stiffness_n_m(&self) -> f64 {
        self.stiffness_n_m
    }

    /// Eq. (2), with the growth of Eq. (1) as more deflection.
    #[inline]
    pub fn load_n(&self, deflection_m: f64, rate_m_s: f64, spin_rad_s: f64) -> f64 {
        let deflection = deflection_m.min(10.0) + self.free_radius_m(spin_rad_s) - self.radius_m;
        let stiffening = (1.0 + self.q_v2 * self.speed_part(spin_rad_s)).clamp(0.5, 2.0);
        self.spring.load_scaled_n(deflection, rate_m_s, stiffening)
    }

    /// Eq. (4), within half and one and a half of the radius.
    #[inline]
    pub fn rolling_radius_m(&self, load_n: f64, spin_rad_s: f64) -> f64 {
        let part = bounded_load_n(load_n) / self.nominal_load_n;
        let sink = self.dreff * arctangent(self.breff * part) + self.freff * part;
        let radius = self.free_radius_m(spin_rad_s) - self.nominal_load_n / self.stiffness_n_m * sink;
        radius.clamp(0.5 * self.radius_m, 1.5 * self.radius_m)
    }

    /// Eq. (1), within a tenth of the radius.
    #[inline]
    fn free_radius_m(&self, spin_rad_s: f64) -> f64 {
        let part = self.speed_part(spin_rad_s);
        self.radius_m * (self.q_re0 + self.q_v1 * part * part).clamp(0.9, 1.1)
    }

    #[inline]
    fn speed_part(&self, spin_rad_s: f64) -> f64 {
        bounded_spin_rad_s(spin_rad_s) * self.radius_m / self.reference_speed_m_s
    }
}

/// Eq. (2) and (3), or the curve of the file.
fn shape(
    file: &PropertyFile<'_>,
    radius_m: f64,
    nominal_load_n: f64,
    stiffness_n_m: f64,
    factor: f64,
) -> Result<Shape, FileError> {
    let curve = file.pairs("DEFLECTION_LOAD_CURVE");
    if !curve.is_empty() {
        return deflection_curve(file, &curve, factor);
    }
    let q_fz2 = file.coefficient(SECTION, "Q_FZ2", 0.0)?;
    let ratio = stiffness_n_m * radius_m / nominal_load_n;
    let q_fz1 = (ratio * ratio - 4.0 * q_fz2).sqrt();
    if q_fz2 < 0.0 || q_fz1.is_nan() {
        file.note(file.require(SECTION)?, "Q_FZ2", "not used: the spring would not be monotonic; it is linear");
        return Ok(Shape::linear(stiffness_n_m * factor));
    }
    Ok(Shape::Polynomial {
        stiffness_n_m: q_fz1 * nominal_load_n / radius_m * factor,
        progression_n_m2: q_fz2 * nominal_load_n / (radius_m * radius_m) * factor,
    })
}

/// The table of deflection and load: both must rise.
pub(in crate::tyre) fn deflection_curve(
    file: &PropertyFile<'_>,
    rows: &[(usize, f64, f64)],
    factor: f64,
) -> Result<Shape, FileError> {
    let (length, force) = (file.units().factor(Dimension::Length), file.units().factor(Dimension::Force));
    let mut points = vec![(0.0, 0.0)];
    for (line, deflection, load) in rows.iter().filter(|(_, deflection, load)| (*deflection, *load) != (0.0, 0.0)) {
        let point = (deflection * length, load * force * factor);
        if points.last().is_some_and(|last| point.0 <= last.0 || point.1 <= last.1) {
            let problem = "expected deflection and load to rise from (0, 0): sort the rows";
            return Err(file.fault(*line, "[DEFLECTION_LOAD_CURVE]", problem));
        }
        points.push(point);
    }
    if points.len() < 2 {
        let line = file.require("DEFLECTION_LOAD_CURVE")?;
        return Err(file.fault(line, "[DEFLECTION_LOAD_CURVE]", "expected a row beside (0, 0)"));
    }
    Ok(Shape::Curve(points))
}

fn bottoming(file: &PropertyFile<'_>, radius_m: f64) -> Result<(f64, f64), FileError> {
    let stiffness = file.quantity_or(SECTION, "BOTTOM_STIFF", Dimension::Stiffness, 0.0)?;
    let offset = file.quantity_or(SECTION, "BOTTOM_OFFST", Dimension::Length, 0.01)?;
    match file.quantity("DIMENSION", "RIM_RADIUS", Dimension::Length)? {
        Some(rim) if stiffness > 0.0 => Ok(((radius_m - rim - offset).max(0.0), stiffness)),
        _ => Ok((f64::INFINITY, 0.0)),
    }
}

/// Tangential stiffness in one direction: c_0 (1 + p_1 df_z + p_2 df_z²), with the pressure in c_0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tangential {
    stiffness_n_m: f64,
    linear: f64,
    square: f64,
}

impl Tangential {
    pub fn read(
        file: &PropertyFile<'_>,
        key: &str,
        letter: &str,
        default: f64,
        pressure: f64,
    ) -> Result<Self, FileError> {
        const SECTION: &str = "STRUCTURAL";
        let coefficient = |index: u32| file.coefficient(SECTION, &format!("PCF{letter}{index}"), 0.0);
        let stiffness = match file.quantity(SECTION, key, Dimension::Stiffness)? {
            Some(stiffness) if stiffness > 0.0 => stiffness,
            _ => {
                let line = file.require("VERTICAL")?;
                file.note(line, key, "missing in section [STRUCTURAL]: the vertical stiffness is taken for relaxation");
                default
            }
        };
        Ok(Self {
            stiffness_n_m: stiffness * (1.0 + coefficient(3)? * pressure).max(0.1),
            linear: coefficient(1)?,
            square: coefficient(2)?,
        })
    }

    #[inline]
    pub fn at(&self, dfz: f64) -> f64 {
        self.stiffness_n_m * (1.0 + dfz * (self.linear + dfz * self.square)).max(0.1)
    }
}

/// Factors of the inflation pressure, which does not change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pressure {
    /// dp
    pub change: f64,
    /// 1 + p_px1 dp + p_px2 dp²
    pub slip_stiffness: f64,
    /// 1 + p_px3 dp + p_px4 dp²
    pub friction_x: f64,
    /// 1 + p_py3 dp + p_py4 dp²
    pub friction_y: f64,
    /// (p / p_0)^q_sy8
    pub rolling: f64,
}

impl Pressure {
    pub fn new(c: &Coefficients, change: f64) -> Self {
        let square = change * change;
        Self {
            change,
            slip_stiffness: 1.0 + c.x.ppx1 * change + c.x.ppx2 * square,
            friction_x: 1.0 + c.x.ppx3 * change + c.x.ppx4 * square,
            friction_y: 1.0 + c.y.ppy3 * change + c.y.ppy4 * square,
            rolling: (1.0 + change).powf(c.rolling.qsy8),
        }
    }
}
