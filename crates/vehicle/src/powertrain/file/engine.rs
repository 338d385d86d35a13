//! `[engine]`

use super::{Number, Numbers, Points, Section};
use crate::files::{Curve, Ends, FileError};
use crate::powertrain::engine::{Curves, Engine, Idle, RPM};
use serde::Deserialize;
use toml::Spanned;

type Engines<'a> = Section<'a, EngineFile>;

/// A polynomial holds to this part of its limit; the limiter has taken the torque away there.
const BEYOND_LIMIT: f64 = 1.1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineFile {
    kind: Spanned<String>,
    inertia_kg_m2: Number,
    idle_rpm: Number,
    idle_torque_nm: Number,
    stall_rpm: Number,
    starter_nm: Number,
    limit_rpm: Number,
    // polynomial
    full_nm: Numbers,
    closed_nm: Numbers,
    // curves
    full: Points,
    closed: Points,
    // map
    throttle: Numbers,
    speed_rpm: Numbers,
    torque_nm: Option<Spanned<Vec<Spanned<Vec<f64>>>>>,
    // electric
    torque_max_nm: Number,
    power_max_w: Number,
    speed_max_rpm: Number,
    regeneration: Number,
}

pub fn build(section: &Engines<'_>) -> Result<Engine, FileError> {
    let file = section.file;
    let curves = match section.choice(&file.kind, &["polynomial", "curves", "map", "electric"])? {
        0 => polynomial(section)?,
        1 => curves(section)?,
        2 => map(section)?,
        _ => electric(section)?,
    };
    let limit = file.limit_rpm.as_ref().map(|it| section.is_positive(it)).transpose()?;
    Ok(Engine {
        curves,
        inertia_kg_m2: section.not_negative(&file.inertia_kg_m2)?,
        idle: idle(section)?,
        limit_rad_s: limit.map(|rpm| rpm * RPM),
    })
}

fn polynomial(section: &Engines<'_>) -> Result<Curves, FileError> {
    let file = section.file;
    let limit = section.positive(&file.limit_rpm, "limit_rpm", "a polynomial holds up to a speed only")?;
    Ok(Curves::Polynomial {
        full_nm: section.numbers(&file.full_nm, "full_nm", "coefficients by power of rpm, pedal pressed")?,
        closed_nm: section.numbers(&file.closed_nm, "closed_nm", "coefficients by power of rpm, pedal released")?,
        speed_max_rpm: BEYOND_LIMIT * limit,
    })
}

fn curves(section: &Engines<'_>) -> Result<Curves, FileError> {
    let file = section.file;
    let table =
        |points, field, why| Ok(section.table(points, field, why)?.mapped(|[speed, torque]| [speed * RPM, torque]));
    Ok(Curves::Tables {
        full: table(&file.full, "full", "points [rpm, Nm] with the pedal pressed")?,
        closed: table(&file.closed, "closed", "points [rpm, Nm] with the pedal released")?,
    })
}

fn map(section: &Engines<'_>) -> Result<Curves, FileError> {
    let file = section.file;
    let throttles = section.numbers(&file.throttle, "throttle", "the map's throttles")?;
    let speeds = section.numbers(&file.speed_rpm, "speed_rpm", "the map's speeds")?;
    let rows = section.need(&file.torque_nm, "torque_nm", "a row of torques for each throttle")?;
    let place = section.need(&file.throttle, "throttle", "the map's throttles")?;
    let spans = throttles.first() == Some(&0.0) && throttles.last() == Some(&1.0);
    if !spans || throttles.windows(2).any(|pair| pair[1] <= pair[0]) {
        return Err(section.fault(place, "not monotonic: expected rising throttles from 0 to 1"));
    }
    if rows.get_ref().len() != throttles.len() {
        let (found, expected) = (rows.get_ref().len(), throttles.len());
        return Err(section.fault(rows, format!("expected {expected} rows, one for each throttle, found {found}")));
    }
    let tables = rows.get_ref().iter().map(|row| {
        if row.get_ref().len() != speeds.len() {
            let (found, expected) = (row.get_ref().len(), speeds.len());
            return Err(section.fault(row, format!("expected {expected} torques, one for each speed, found {found}")));
        }
        let points = speeds.iter().zip(row.get_ref()).map(|(rpm, torque)| [rpm * RPM, *torque]);
        Curve::new(points.collect(), Ends::Level).map_err(|error| match &file.speed_rpm {
            Some(speeds) => section.fault(speeds, error.to_string()),
            None => section.missing("speed_rpm", "the map's speeds"),
        })
    });
    Ok(Curves::Map { tables: tables.collect::<Result<_, _>>()?, throttles })
}

fn electric(section: &Engines<'_>) -> Result<Curves, FileError> {
    let file = section.file;
    let torque = section.positive(&file.torque_max_nm, "torque_max_nm", "the greatest torque")?;
    let power = section.positive(&file.power_max_w, "power_max_w", "the greatest power")?;
    let speed = section.positive(&file.speed_max_rpm, "speed_max_rpm", "the greatest speed")? * RPM;
    let regeneration = section.not_negative(&file.regeneration)?;
    Ok(Curves::electric(torque, power, speed, regeneration))
}

fn idle(section: &Engines<'_>) -> Result<Option<Idle>, FileError> {
    let file = section.file;
    let Some(rpm) = &file.idle_rpm else {
        return Ok(None);
    };
    let speed_rad_s = section.is_positive(rpm)? * RPM;
    let stall = section.positive_or(&file.stall_rpm, 0.5 * speed_rad_s / RPM)? * RPM;
    if stall >= speed_rad_s {
        return Err(section.fault(rpm, "expected an idle speed above stall_rpm"));
    }
    let torque_nm =
        section.positive(&file.idle_torque_nm, "idle_torque_nm", "the most that the idle governor gives")?;
    Ok(Some(Idle {
        speed_rad_s,
        torque_nm,
        stall_rad_s: stall,
        starter_nm: section.positive_or(&file.starter_nm, torque_nm)?,
    }))
}
