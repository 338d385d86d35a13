//! Carpet plots: a tyre from measured tables, without a formula.
//!
//! Each table has a load axis and a slip axis; between its points it is bilinear.
//! ```text
//! F_x(κ, F_z)      F_y(α, F_z)      M_z(α, F_z)
//! ```
//! A slip axis that begins with 0 is one half of an odd curve; otherwise it covers both signs.
//! Beyond the ends of the slip axis the last value is held. Below the first load the forces go to
//! zero with the load; above the last they are held. Road friction μ scales force and slip, f(s) =
//! μ f₁(s/μ), which keeps the slope at zero. Combined slip is the friction ellipse; M_z shrinks
//! with F_y. Camber has no effect.

use super::combined::{Pure, friction_ellipse};
use super::functions::arctangent;
use super::limits::{bounded, bounded_load_n, rolling_part};
use super::spring::{Shape, Spring, spring_methods};
use super::{Relaxation, Slip, SlipForces, Tyre};
use crate::files::ranges::{NotNegative, Positive};
use crate::files::{FileError, Source};
use serde::Deserialize;
use toml::Spanned;

/// A tyre from tables.
#[derive(Clone, Debug)]
pub struct Carpet {
    radius_m: f64,
    spring: Spring,
    rolling_resistance: f64,
    relaxation: Relaxation,
    longitudinal: Table,
    lateral: Table,
    aligning: Table,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "kind")]
    _kind: String,
    unloaded_radius_m: Positive,
    vertical_stiffness_n_m: Positive,
    vertical_damping_n_s_m: NotNegative,
    rolling_resistance: NotNegative,
    relaxation_longitudinal_m: NotNegative,
    relaxation_lateral_m: NotNegative,
    longitudinal: Longitudinal,
    lateral: Lateral,
    aligning: Aligning,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Longitudinal {
    load_n: Spanned<Vec<f64>>,
    slip: Spanned<Vec<f64>>,
    force_n: Spanned<Vec<Vec<f64>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lateral {
    load_n: Spanned<Vec<f64>>,
    slip_angle_deg: Spanned<Vec<f64>>,
    force_n: Spanned<Vec<Vec<f64>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Aligning {
    load_n: Spanned<Vec<f64>>,
    slip_angle_deg: Spanned<Vec<f64>>,
    torque_nm: Spanned<Vec<Vec<f64>>>,
}

/// Values over load and slip, with a row of zeros at zero load.
#[derive(Clone, Debug)]
struct Table {
    load: Vec<f64>,
    slip: Vec<f64>,
    /// One row per load.
    values: Vec<Vec<f64>>,
    /// Largest magnitude in each row.
    largest: Vec<f64>,
    is_odd: bool,
}

impl Table {
    fn new(
        source: &Source<'_>,
        load: &Spanned<Vec<f64>>,
        slip: &Spanned<Vec<f64>>,
        values: &Spanned<Vec<Vec<f64>>>,
    ) -> Result<Self, FileError> {
        let (loads, slips, rows) = (rising(source, load)?, rising(source, slip)?, values.get_ref());
        if loads[0] <= 0.0 {
            return Err(source.fault_at(load.span(), "expected loads above zero"));
        }
        if slips[0] > 0.0 || slips[slips.len() - 1] <= 0.0 {
            return Err(source.fault_at(slip.span(), "expected an axis that begins with 0 or covers both signs"));
        }
        if rows.len() != loads.len() {
            let problem = format!("expected {} rows, one per load, found {}", loads.len(), rows.len());
            return Err(source.fault_at(values.span(), problem));
        }
        for (index, row) in rows.iter().enumerate() {
            if row.len() != slips.len() || row.iter().any(|value| !value.is_finite()) {
                let problem = format!("expected {} finite values in row {index}, one per slip", slips.len());
                return Err(source.fault_at(values.span(), problem));
            }
        }
        let is_odd = slips[0] == 0.0;
        if is_odd && rows.iter().any(|row| row[0] != 0.0) {
            return Err(source.fault_at(values.span(), "expected 0 at slip 0: the curve is odd"));
        }
        let mut all = vec![vec![0.0; slips.len()]];
        all.extend(rows.iter().cloned());
        let size = |row: &Vec<f64>| row.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        Ok(Self {
            load: std::iter::once(0.0).chain(loads).collect(),
            slip: slips,
            largest: all.iter().map(size).collect(),
            values: all,
            is_odd,
        })
    }

    /// Value and largest magnitude at a load and a slip.
    #[inline]
    fn at(&self, load: f64, slip: f64) -> (f64, f64) {
        let (row, up) = place(&self.load, load);
        let mirrored = self.is_odd && slip < 0.0;
        let (column, right) = place(&self.slip, if mirrored { -slip } else { slip });
        let along = |row: &[f64]| row[column] + right * (row[column + 1] - row[column]);
        let (below, above) = (along(&self.values[row]), along(&self.values[row + 1]));
        let value = below + up * (above - below);
        let largest = self.largest[row] + up * (self.largest[row + 1] - self.largest[row]);
        (if mirrored { -value } else { value }, largest)
    }
}

/// Interval of a rising axis and the part of it, 0 to 1; outside of the axis its ends.
#[inline]
fn place(axis: &[f64], x: f64) -> (usize, f64) {
    let last = axis.len() - 2;
    let index = axis[1..=last].iter().take_while(|value| **value <= x).count();
    let part = (x - axis[index]) / (axis[index + 1] - axis[index]);
    (index, part.clamp(0.0, 1.0))
}

/// An axis of a table: two values or more that are finite and rise.
pub(super) fn rising(source: &Source<'_>, values: &Spanned<Vec<f64>>) -> Result<Vec<f64>, FileError> {
    let axis = values.get_ref();
    let problem = if axis.len() < 2 {
        format!("expected two values or more, found {}", axis.len())
    } else if axis.iter().any(|value| !value.is_finite()) {
        "expected finite values".to_owned()
    } else if let Some(pair) = axis.windows(2).find(|pair| pair[1] <= pair[0]) {
        format!("expected rising values, but {} follows {}: sort the axis", pair[1], pair[0])
    } else {
        return Ok(axis.clone());
    };
    Err(source.fault_at(values.span(), problem))
}

impl Carpet {
    /// Reads the TOML file.
    pub fn read(source: &Source<'_>) -> Result<Self, FileError> {
        let file: File = source.toml()?;
        let (x, y, z) = (&file.longitudinal, &file.lateral, &file.aligning);
        Ok(Self {
            radius_m: *file.unloaded_radius_m,
            spring: Spring::new(Shape::linear(*file.vertical_stiffness_n_m), *file.vertical_damping_n_s_m),
            rolling_resistance: *file.rolling_resistance,
            relaxation: Relaxation::bounded(*file.relaxation_longitudinal_m, *file.relaxation_lateral_m),
            longitudinal: Table::new(source, &x.load_n, &x.slip, &x.force_n)?,
            lateral: Table::new(source, &y.load_n, &y.slip_angle_deg, &y.force_n)?,
            aligning: Table::new(source, &z.load_n, &z.slip_angle_deg, &z.torque_nm)?,
        })
    }
}

impl Tyre for Carpet {
    spring_methods!();

    /// A third of the deflection, as for TMeasy.
    fn rolling_radius_m(&self, load_n: f64, _spin_rad_s: f64) -> f64 {
        let deflection = self.spring.deflection_m(bounded_load_n(load_n));
        self.radius_m - deflection.min(0.9 * self.radius_m) / 3.0
    }

    fn forces(&self, slip: &Slip) -> SlipForces {
        let slip = bounded(slip);
        let friction = slip.friction.max(1.0e-9);
        let degrees = arctangent(slip.lateral).to_degrees();
        let pure = |table: &Table, value: f64| {
            let (force_n, maximum_n) = table.at(slip.load_n, value / friction);
            Pure { force_n: friction * force_n, maximum_n: friction * maximum_n }
        };
        let along = pure(&self.longitudinal, slip.longitudinal);
        let across = pure(&self.lateral, degrees);
        let sine = slip.lateral / (1.0 + slip.lateral * slip.lateral).sqrt();
        let (longitudinal_n, lateral_n) = friction_ellipse(slip.longitudinal, sine, along, across);
        let kept = if across.force_n == 0.0 { 1.0 } else { lateral_n / across.force_n };
        let rolling = self.rolling_resistance * slip.load_n * self.radius_m;
        SlipForces {
            longitudinal_n,
            lateral_n,
            overturning_nm: 0.0,
            rolling_nm: -rolling * rolling_part(slip.speed_m_s),
            aligning_nm: kept * pure(&self.aligning, degrees).force_n,
        }
    }

    fn relaxation(&self, _load_n: f64, _camber_rad: f64) -> Relaxation {
        self.relaxation
    }

    fn load_range_n(&self) -> (f64, f64) {
        let loads = &self.lateral.load;
        (loads[1], loads[loads.len() - 1])
    }
}
