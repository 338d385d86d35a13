//! `[launch]`

use super::{Number, Points, Section};
use crate::files::{Curve, FileError};
use crate::powertrain::converter::Converter;
use crate::powertrain::engine::RPM;
use crate::powertrain::launch::{Launch, LockUp, Operation};
use serde::Deserialize;
use toml::Spanned;

type Launches<'a> = Section<'a, LaunchFile>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaunchFile {
    kind: Spanned<String>,
    // clutch
    torque_nm: Number,
    operated_by: Option<Spanned<String>>,
    engage_rpm: Option<Spanned<[f64; 2]>>,
    // converter
    capacity: Points,
    ratio: Points,
    lock_up_torque_nm: Number,
    lock_up_on_rpm: Number,
    lock_up_off_rpm: Number,
    lock_up_from_gear: Option<Spanned<i32>>,
    lock_up_time_s: Number,
}

pub fn build(section: &Launches<'_>) -> Result<Launch, FileError> {
    match section.choice(&section.file.kind, &["rigid", "clutch", "converter"])? {
        0 => Ok(Launch::Rigid),
        1 => clutch(section),
        _ => converter(section),
    }
}

fn clutch(section: &Launches<'_>) -> Result<Launch, FileError> {
    let file = section.file;
    let operated = section.need(&file.operated_by, "operated_by", "\"pedal\" or \"automatic\"")?;
    let operation = if section.choice(operated, &["pedal", "automatic"])? == 0 {
        Operation::Pedal
    } else {
        let place = section.need(&file.engage_rpm, "engage_rpm", "engine speeds where it begins and ends to close")?;
        let [start, full] = *place.get_ref();
        if !(0.0 < start && start < full && full.is_finite()) {
            return Err(section.fault(place, "not monotonic: expected two rising positive speeds"));
        }
        Operation::Automatic { start_rad_s: start * RPM, full_rad_s: full * RPM }
    };
    Ok(Launch::Clutch {
        torque_nm: section.positive(&file.torque_nm, "torque_nm", "the clutch's capacity")?,
        operation,
    })
}

fn converter(section: &Launches<'_>) -> Result<Launch, FileError> {
    let file = section.file;
    let capacity = positive_table(section, &file.capacity, "capacity", "points [speed ratio, (rad/s)/√Nm]")?;
    let ratio = positive_table(section, &file.ratio, "ratio", "points [speed ratio, torque ratio]")?;
    Ok(Launch::Converter { converter: Box::new(Converter { capacity, ratio }), lock_up: lock_up(section)? })
}

/// A table over the speed ratio from 0 to 1 with positive values.
fn positive_table(section: &Launches<'_>, points: &Points, field: &str, why: &str) -> Result<Curve, FileError> {
    let table = section.table(points, field, why)?;
    let place = section.need(points, field, why)?;
    let rows = table.points();
    let spans = rows.first().is_some_and(|it| it[0] == 0.0) && rows.last().is_some_and(|it| it[0] == 1.0);
    if !spans {
        return Err(section.fault(place, "expected points from speed ratio 0 to 1"));
    }
    match rows.iter().position(|it| it[1] <= 0.0) {
        Some(at) => Err(section.fault(&place.get_ref()[at], "expected a positive value")),
        None => Ok(table),
    }
}

fn lock_up(section: &Launches<'_>) -> Result<Option<LockUp>, FileError> {
    let file = section.file;
    let Some(torque) = &file.lock_up_torque_nm else {
        return Ok(None);
    };
    let on = section.positive(&file.lock_up_on_rpm, "lock_up_on_rpm", "the input speed where it closes")?;
    let off = section.positive(&file.lock_up_off_rpm, "lock_up_off_rpm", "the input speed where it opens")?;
    if let Some(place) = &file.lock_up_off_rpm
        && off >= on
    {
        return Err(section.fault(place, format!("expected less than lock_up_on_rpm = {on}, or it hunts")));
    }
    Ok(Some(LockUp {
        torque_nm: section.is_positive(torque)?,
        on_rad_s: on * RPM,
        off_rad_s: off * RPM,
        from_gear: file.lock_up_from_gear.as_ref().map_or(1, |it| *it.get_ref()),
        time_s: section.positive_or(&file.lock_up_time_s, 0.5)?,
    }))
}
