//! Reads what the feet do.

use super::{SPEED, gear, interpolation};
use crate::driver::manoeuvre::Initial;
use crate::driver::speed::{Cruise, Feet, Speed};
use crate::driver::table::{Interpolation, Table};
use crate::fields::Fields;
use crate::files::FileError;

impl Speed {
    /// Feet off the pedals, gear left to the gearbox.
    #[must_use]
    pub fn rolling() -> Self {
        Self { feet: pedals(Table::constant(0.0), Table::constant(0.0)), clutch: Table::constant(0.0), gear: None }
    }
}

fn pedals(throttle: Table, brake: Table) -> Feet {
    Feet::Pedals { throttle, brake, pressure_bar: None }
}

/// What `[speed]` describes.
pub fn read(fields: &Fields<'_>, initial: &Initial) -> Result<Speed, FileError> {
    let kind = fields.kind(&["hold", "table", "pedals", "accelerate", "brake", "coast"])?;
    let feet = match kind {
        "hold" => hold(fields, initial)?,
        "table" => table(fields)?,
        "pedals" => both_pedals(fields)?,
        "accelerate" => pedals(Table::constant(share(fields, "throttle", 1.0)?), Table::constant(0.0)),
        "brake" => brake(fields)?,
        _ => pedals(Table::constant(0.0), Table::constant(0.0)),
    };
    let neutral = kind == "coast" && fields.flag("neutral")?;
    let speed = Speed {
        feet,
        clutch: course(fields, "clutch")?.unwrap_or_else(|| Table::constant(0.0)),
        gear: if neutral { Some(0) } else { gear(fields)? },
    };
    fields.finish()?;
    Ok(speed)
}

/// Holds a speed: the one given, or that of the beginning.
fn hold(fields: &Fields<'_>, initial: &Initial) -> Result<Feet, FileError> {
    let speed = fields.quantity_in(SPEED, [0.0, 150.0], "a speed from 0 to 150 m/s")?;
    Ok(Feet::Demand { demand: Table::constant(speed.unwrap_or(initial.speed_m_s)), cruise: cruise(fields)? })
}

fn table(fields: &Fields<'_>) -> Result<Feet, FileError> {
    let course = fields.required_course(SPEED)?;
    let demand = Table::new(course.value, interpolation(fields, Interpolation::Linear)?);
    Ok(Feet::Demand { demand, cruise: cruise(fields)? })
}

fn cruise(fields: &Fields<'_>) -> Result<Cruise, FileError> {
    let default = Cruise::default();
    let load = |name, default: f64| fields.within(name, [0.0, 10.0], default);
    Ok(Cruise {
        proportional_1_s: fields.above_zero("proportional_1_s")?.unwrap_or(default.proportional_1_s),
        integral_1_s2: load("integral_1_s2", default.integral_1_s2)?,
        full_throttle_m_s2: fields.above_zero("full_throttle_m_s2")?.unwrap_or(default.full_throttle_m_s2),
        full_brake_m_s2: fields.above_zero("full_brake_m_s2")?.unwrap_or(default.full_brake_m_s2),
        coast_m_s2: load("coast_m_s2", default.coast_m_s2)?,
        rolling_m_s2: load("rolling_m_s2", default.rolling_m_s2)?,
        drag_1_m: load("drag_1_m", default.drag_1_m)?,
    })
}

fn both_pedals(fields: &Fields<'_>) -> Result<Feet, FileError> {
    let off = || Table::constant(0.0);
    Ok(Feet::Pedals {
        throttle: course(fields, "throttle")?.unwrap_or_else(off),
        brake: course(fields, "brake")?.unwrap_or_else(off),
        pressure_bar: pressure(fields)?,
    })
}

/// Throttle released, brake pressed within `rise_s` from `at_s` on.
fn brake(fields: &Fields<'_>) -> Result<Feet, FileError> {
    let start_s = fields.number("at_s")?.map_or(0.0, |start| start.value);
    let rise_s = fields.above_zero("rise_s")?.unwrap_or(0.1).max(1e-6);
    let pressed = |value: f64| Table::new(vec![[start_s, 0.0], [start_s + rise_s, value]], Interpolation::Linear);
    let pressure = fields.number_in("pressure_bar", [0.0, 1000.0], "a pressure from 0 to 1000 bar")?;
    Ok(Feet::Pedals {
        throttle: Table::constant(0.0),
        brake: pressed(share(fields, "brake", if pressure.is_some() { 0.0 } else { 1.0 })?),
        pressure_bar: pressure.map(pressed),
    })
}

fn pressure(fields: &Fields<'_>) -> Result<Option<Table>, FileError> {
    bounded(fields, "pressure_bar", 1000.0, "0 to 1000 bar")
}

fn share(fields: &Fields<'_>, name: &'static str, default: f64) -> Result<f64, FileError> {
    Ok(fields.number_in(name, [0.0, 1.0], "a share from 0 to 1")?.unwrap_or(default))
}

/// A share over time.
fn course(fields: &Fields<'_>, name: &'static str) -> Result<Option<Table>, FileError> {
    bounded(fields, name, 1.0, "shares from 0 to 1")
}

/// A course from 0 up to a limit.
fn bounded(fields: &Fields<'_>, name: &'static str, most: f64, expected: &str) -> Result<Option<Table>, FileError> {
    let Some(found) = fields.course(&[(name, 1.0)])? else {
        return Ok(None);
    };
    if let Some(row) = found.value.iter().find(|row| !(0.0..=most).contains(&row[1])) {
        return Err(fields.fault_at(&found.place, format!("expected {expected}, found {}", row[1])));
    }
    Ok(Some(Table::new(found.value, Interpolation::Linear)))
}
