//! Fiala: a brush with a rigid belt, from four numbers.
//!
//! Fiala (1954), in the form of Adams/Tire. With the comprehensive slip s = min(1, √(κ² + tan² α))
//! and μ the road's factor:
//! ```text
//! (1)  U = μ (U_max − (U_max − U_min) s)
//! (2)  |κ| ≤ κ_c = U F_z / (2 C_κ):   F_x = C_κ κ
//! (3)  else:                          F_x = sgn κ (U F_z − (U F_z)² / (4 |κ| C_κ))
//! (4)  |tan α| ≤ 3 U F_z / C_α:       H = 1 − C_α |tan α| / (3 U F_z)
//!                                     F_y = −sgn α U F_z (1 − H³),   M_z = sgn α U F_z b (1 − H) H³
//! (5)  else:                          F_y = −sgn α U F_z,            M_z = 0
//! ```
//! b is the width. Where both together would exceed U F_z, both are shrunk to that circle (Adams
//! leaves them; a locked wheel would then brake and steer at the same time). Camber has no effect.

use super::carpet::rising;
use super::combined::friction_circle;
use super::limits::{bounded, bounded_load_n, rolling_part};
use super::magic::deflection_curve;
use super::property::{Dimension, PropertyFile};
use super::spring::{Shape, Spring, spring_methods};
use super::{Relaxation, Slip, SlipForces, Tyre};
use crate::files::ranges::{NotNegative, Positive};
use crate::files::{FileError, Source};
use serde::Deserialize;
use toml::Spanned;

/// A Fiala tyre.
#[derive(Clone, Debug)]
pub struct Fiala {
    pub(super) radius_m: f64,
    pub(super) width_m: f64,
    pub(super) spring: Spring,
    /// C_κ = dF_x/dκ (N).
    pub(super) slip_stiffness_n: f64,
    /// C_α = −dF_y/dα (N).
    pub(super) cornering_stiffness_n: f64,
    /// U_min and U_max.
    pub(super) friction: (f64, f64),
    /// Lever arm of rolling resistance (m).
    pub(super) rolling_resistance_m: f64,
    pub(super) relaxation: Relaxation,
    pub(super) load_range_n: (f64, f64),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "kind")]
    _kind: String,
    unloaded_radius_m: Positive,
    width_m: Positive,
    vertical_stiffness_n_m: Option<Positive>,
    vertical_deflection_m: Option<Spanned<Vec<f64>>>,
    vertical_load_n: Option<Spanned<Vec<f64>>>,
    vertical_damping_n_s_m: Spanned<NotNegative>,
    slip_stiffness_n: Positive,
    cornering_stiffness_n: Positive,
    friction_minimum: Spanned<NotNegative>,
    friction_maximum: Positive,
    rolling_resistance_m: NotNegative,
    relaxation_longitudinal_m: NotNegative,
    relaxation_lateral_m: NotNegative,
    load_maximum_n: Positive,
}

impl Fiala {
    /// Reads the TOML file.
    pub fn read(source: &Source<'_>) -> Result<Self, FileError> {
        let file: File = source.toml()?;
        let (minimum, maximum) = (**file.friction_minimum.get_ref(), *file.friction_maximum);
        if minimum > maximum {
            let problem = "expected at most friction_maximum";
            return Err(source.fault_at(file.friction_minimum.span(), problem));
        }
        Ok(Self {
            radius_m: *file.unloaded_radius_m,
            width_m: *file.width_m,
            spring: Spring::new(shape(source, &file)?, **file.vertical_damping_n_s_m.get_ref()),
            slip_stiffness_n: *file.slip_stiffness_n,
            cornering_stiffness_n: *file.cornering_stiffness_n,
            friction: (minimum, maximum),
            rolling_resistance_m: *file.rolling_resistance_m,
            relaxation: Relaxation::bounded(*file.relaxation_longitudinal_m, *file.relaxation_lateral_m),
            load_range_n: (0.0, *file.load_maximum_n),
        })
    }

    /// Reads a property file of the format FIALA.
    pub(super) fn from_properties(file: &PropertyFile<'_>) -> Result<Self, FileError> {
        const SECTION: &str = "PARAMETER";
        file.require("DIMENSION")?;
        let line = file.require(SECTION)?;
        let radius_m = file.within("DIMENSION", "UNLOADED_RADIUS", Dimension::Length, (0.01, 10.0))?;
        let stiffness = file.within(SECTION, "VERTICAL_STIFFNESS", Dimension::Stiffness, (1.0, 1.0e9))?;
        let maximum = file.within(SECTION, "UMAX", Dimension::Ratio, (0.0, 10.0))?;
        let minimum = file.within(SECTION, "UMIN", Dimension::Ratio, (0.0, 10.0))?;
        if minimum > maximum {
            return Err(file.fault(line, "UMIN", format!("expected at most UMAX, found {minimum}")));
        }
        let length = |key| file.quantity_or(SECTION, key, Dimension::Length, 0.0);
        let shape = match file.pairs("DEFLECTION_LOAD_CURVE") {
            curve if curve.is_empty() => Shape::linear(stiffness),
            curve => deflection_curve(file, &curve, 1.0)?,
        };
        let most = file.quantity_or("VERTICAL_FORCE_RANGE", "FZMAX", Dimension::Force, 0.1 * stiffness * radius_m)?;
        Ok(Self {
            radius_m,
            width_m: file.within("DIMENSION", "WIDTH", Dimension::Length, (0.001, 10.0))?,
            spring: Spring::new(
                shape,
                file.quantity_or(SECTION, "VERTICAL_DAMPING", Dimension::Damping, 0.0)?.max(0.0),
            ),
            slip_stiffness_n: file.within(SECTION, "CSLIP", Dimension::Force, (1.0, 1.0e9))?,
            cornering_stiffness_n: file.within(SECTION, "CALPHA", Dimension::ForceByAngle, (1.0, 1.0e9))?,
            friction: (minimum, maximum),
            rolling_resistance_m: length("ROLLING_RESISTANCE")?.max(0.0),
            relaxation: Relaxation::bounded(length("RELAX_LENGTH_X")?, length("RELAX_LENGTH_Y")?),
            load_range_n: (0.0, most.max(1.0)),
        })
    }

    /// Eq. (2) and (3): F_x at a limit U F_z.
    #[inline]
    fn longitudinal_n(&self, kappa: f64, limit_n: f64) -> f64 {
        let linear = self.slip_stiffness_n * kappa;
        if 2.0 * linear.abs() <= limit_n {
            return linear;
        }
        (limit_n - limit_n * limit_n / (4.0 * linear.abs())).copysign(kappa)
    }

    /// Eq. (4) and (5): F_y and M_z at a limit U F_z.
    #[inline]
    fn lateral_n(&self, tan_alpha: f64, limit_n: f64) -> (f64, f64) {
        let used = self.cornering_stiffness_n * tan_alpha.abs() / 3.0;
        if used > limit_n {
            return (-limit_n.copysign(tan_alpha), 0.0);
        }
        let h = if limit_n > 0.0 { 1.0 - used / limit_n } else { 0.0 };
        let cube = h * h * h;
        (-(limit_n * (1.0 - cube)).copysign(tan_alpha), (limit_n * self.width_m * (1.0 - h) * cube).copysign(tan_alpha))
    }
}

/// The vertical spring: linear, or the two columns of a curve.
fn shape(source: &Source<'_>, file: &File) -> Result<Shape, FileError> {
    match (&file.vertical_stiffness_n_m, &file.vertical_deflection_m, &file.vertical_load_n) {
        (Some(stiffness), None, None) => Ok(Shape::linear(**stiffness)),
        (None, Some(deflection), Some(load)) => curve(source, deflection, load),
        _ => {
            let problem = "expected either vertical_stiffness_n_m or vertical_deflection_m with vertical_load_n";
            Err(source.fault_at(file.vertical_damping_n_s_m.span(), problem))
        }
    }
}

fn curve(source: &Source<'_>, deflection: &Spanned<Vec<f64>>, load: &Spanned<Vec<f64>>) -> Result<Shape, FileError> {
    let (z, force) = (rising(source, deflection)?, rising(source, load)?);
    if z.len() != force.len() {
        let problem = format!("expected {} values, as in vertical_deflection_m, found {}", z.len(), force.len());
        return Err(source.fault_at(load.span(), problem));
    }
    for (first, place) in [(z[0], deflection.span()), (force[0], load.span())] {
        if first != 0.0 {
            return Err(source.fault_at(place, format!("expected to begin with 0, found {first}")));
        }
    }
    Ok(Shape::Curve(z.into_iter().zip(force).collect()))
}

impl Tyre for Fiala {
    spring_methods!();

    /// The loaded radius, as in Adams: the belt of this model is rigid.
    fn rolling_radius_m(&self, load_n: f64, _spin_rad_s: f64) -> f64 {
        self.radius_m - self.spring.deflection_m(bounded_load_n(load_n)).min(0.5 * self.radius_m)
    }

    fn forces(&self, slip: &Slip) -> SlipForces {
        let slip = bounded(slip);
        let (minimum, maximum) = self.friction;
        let square = slip.longitudinal * slip.longitudinal + slip.lateral * slip.lateral;
        let comprehensive = square.sqrt().min(1.0);
        let limit_n = slip.friction * (maximum - (maximum - minimum) * comprehensive) * slip.load_n; // Eq. (1)
        let along = self.longitudinal_n(slip.longitudinal, limit_n);
        let (across, aligning_nm) = self.lateral_n(slip.lateral, limit_n);
        let (longitudinal_n, lateral_n) = friction_circle((along, across), limit_n);
        SlipForces {
            longitudinal_n,
            lateral_n,
            overturning_nm: 0.0,
            rolling_nm: -self.rolling_resistance_m * slip.load_n * rolling_part(slip.speed_m_s),
            aligning_nm,
        }
    }

    fn relaxation(&self, _load_n: f64, _camber_rad: f64) -> Relaxation {
        self.relaxation
    }

    fn load_range_n(&self) -> (f64, f64) {
        self.load_range_n
    }
}
