//! The characteristic file of the air.
//!
//! See `docs/chassis-subsystems.md` for the format with an example.

use super::Aerodynamics;
use super::coefficients::{Coefficient, Coefficients, Curve, Drag, Symmetry};
use crate::Vector3;
use crate::files::{self, FileError, Source};
use crate::numbers::{self, Number, NumberList, finite, not_negative, or_default, positive, within};
use serde::Deserialize;
use std::f64::consts::{FRAC_PI_2, PI};
use toml::Spanned;

/// Density of the standard atmosphere at the sea (kg/m³), unless the file says otherwise.
const DENSITY: f64 = 1.225;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    kind: Spanned<String>,
    density_kg_m3: Option<Number>,
    area_m2: Number,
    point_m: Option<[Number; 3]>,
    drag: Option<Number>,
    lift: Option<Number>,
    length_m: Option<Number>,
    sideslip_rad_max: Option<Number>,
    sideslip_rad: Option<NumberList>,
    coefficients: Option<Spanned<CoefficientsText>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CoefficientsText {
    drag: NumberList,
    side: Option<NumberList>,
    lift: Option<NumberList>,
    roll: Option<NumberList>,
    pitch: Option<NumberList>,
    yaw: Option<NumberList>,
}

/// Reads a model of the air.
pub(super) fn aerodynamics(source: &Source<'_>) -> Result<Box<dyn Aerodynamics>, FileError> {
    let text: Text = source.toml()?;
    match text.kind.get_ref().as_str() {
        "drag" => Ok(Box::new(drag(source, &text)?)),
        "coefficients" => Ok(Box::new(coefficients(source, &text)?)),
        other => {
            Err(source.fault_at(text.kind.span(), format!("expected \"drag\" or \"coefficients\", found \"{other}\"")))
        }
    }
}

fn half_density_area(source: &Source<'_>, text: &Text) -> Result<f64, FileError> {
    let density = or_default(source, text.density_kg_m3.as_ref(), DENSITY, not_negative)?;
    Ok(0.5 * density * positive(source, &text.area_m2)?)
}

/// A vector of a file.
pub(super) fn vector(source: &Source<'_>, numbers: &[Number; 3]) -> Result<Vector3, FileError> {
    let [x, y, z] = numbers;
    Ok(Vector3::new(finite(source, x)?, finite(source, y)?, finite(source, z)?))
}

fn point(source: &Source<'_>, text: &Text) -> Result<Vector3, FileError> {
    text.point_m.as_ref().map_or(Ok(Vector3::ZERO), |it| vector(source, it))
}

fn drag(source: &Source<'_>, text: &Text) -> Result<Drag, FileError> {
    let Some(drag) = &text.drag else {
        let problem = "expected drag, the drag coefficient, for this kind: add it";
        return Err(source.fault_at(text.kind.span(), problem));
    };
    if let Some(other) = &text.coefficients {
        let problem = "a file of kind \"drag\" has no such section: take it out, or use the kind \"coefficients\"";
        return Err(source.fault_at(other.span(), problem));
    }
    let scale = half_density_area(source, text)?;
    Ok(Drag {
        drag: scale * not_negative(source, drag)?,
        lift: scale * or_default(source, text.lift.as_ref(), 0.0, finite)?,
        point: point(source, text)?,
    })
}

fn coefficients(source: &Source<'_>, text: &Text) -> Result<Coefficients, FileError> {
    let (Some(given), Some(length)) = (&text.coefficients, &text.length_m) else {
        let problem = "expected length_m and the section coefficients for this kind: add them";
        return Err(source.fault_at(text.kind.span(), problem));
    };
    if let Some(alone) = text.drag.as_ref().or(text.lift.as_ref()) {
        let problem = "a file of kind \"coefficients\" has this in its section coefficients: move it there";
        return Err(source.fault_at(alone.span(), problem));
    }
    let it = given.get_ref();
    let read = |list: Option<&NumberList>, is_odd, turns_round| {
        let symmetry = Symmetry { is_odd, turns_round };
        coefficient(source, text, list, symmetry)
    };
    Ok(Coefficients {
        half_density_area: half_density_area(source, text)?,
        length: positive(source, length)?,
        point: point(source, text)?,
        force: [
            read(Some(&it.drag), false, true)?,
            read(it.side.as_ref(), true, false)?,
            read(it.lift.as_ref(), false, false)?,
        ],
        moment: [
            read(it.roll.as_ref(), true, false)?,
            read(it.pitch.as_ref(), false, true)?,
            read(it.yaw.as_ref(), true, true)?,
        ],
    })
}

/// A polynomial, or a table where the file gives the angles of one.
fn coefficient(
    source: &Source<'_>,
    text: &Text,
    list: Option<&NumberList>,
    symmetry: Symmetry,
) -> Result<Coefficient, FileError> {
    let up_to_right_angle = |source: &Source<'_>, number: &Number| within(source, number, 0.0, FRAC_PI_2);
    let known = or_default(source, text.sideslip_rad_max.as_ref(), FRAC_PI_2, up_to_right_angle)?;
    let (curve, known_to) = match (list, &text.sideslip_rad) {
        (None, _) => (Curve::Polynomial(Vec::new()), known),
        (Some(list), None) => (Curve::Polynomial(numbers::all(source, list, small)?), known),
        (Some(list), Some(angles)) => {
            numbers::all(source, list, small)?;
            let table = files::Curve::read(source, angles, list)?;
            let known = table_end(source, angles, &table)?;
            (Curve::Table(table), known)
        }
    };
    let coefficient = Coefficient { curve, known_to, symmetry };
    let jump = coefficient.value(0.0);
    match list {
        Some(list) if symmetry.is_odd && jump != 0.0 => Err(source.fault_at(
            list.span(),
            format!("expected 0 without sideslip, since the vehicle is the same on both sides, found {jump}"),
        )),
        _ => Ok(coefficient),
    }
}

fn small(source: &Source<'_>, number: &Number) -> Result<f64, FileError> {
    within(source, number, -1e6, 1e6)
}

/// Where a table ends: at most at 90°, or at 180°.
fn table_end(source: &Source<'_>, angles: &NumberList, table: &files::Curve) -> Result<f64, FileError> {
    let (first, last) = (table.points()[0][0], table.last()[0]);
    let is_whole = (last - PI).abs() < 1e-3;
    if first == 0.0 && (last <= FRAC_PI_2 + 1e-3 || is_whole) {
        return Ok(if is_whole { PI } else { last.min(FRAC_PI_2) });
    }
    let problem = format!(
        "expected angles from 0 to at most π/2, or to π, found {first} to {last}; beyond π/2 the model needs all or nothing"
    );
    Err(source.fault_at(angles.span(), problem))
}
