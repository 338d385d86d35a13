//! Reads a manoeuvre file. `docs/manoeuvres.md` describes the language.

mod conditions;
mod path;
mod speed;
mod steering;
mod units;

use super::Channel;
use super::condition::Condition;
use super::manoeuvre::{Evaluation, HandsPlan, Initial, Manoeuvre, PhasePlan, Plan, Scale, WheelSpin};
use super::signal::Signal;
use super::speed::{Pedals, Speed};
use super::table::{Interpolation, Table};
use crate::fields::{self, Fields, Placed};
use crate::files::{FileError, Source};

/// What a report can work out.
pub const EVALUATIONS: &[&str] = &[
    "acceleration",
    "braking",
    "bump",
    "coast-down",
    "frequency-response",
    "lane-change",
    "parking",
    "reference",
    "steady-state-circle",
    "step-steer",
    "sine-steer",
    "trajectory",
];

/// Reads a manoeuvre from TOML.
pub fn read(source: &Source<'_>) -> Result<Manoeuvre, FileError> {
    fields::read(source, manoeuvre)
}

fn manoeuvre(fields: &Fields<'_>) -> Result<Manoeuvre, FileError> {
    let initial = initial(fields)?;
    Ok(Manoeuvre {
        name: required_text(fields, "name")?,
        description: optional_text(fields, "description")?.unwrap_or_default(),
        standard: optional_text(fields, "standard")?.unwrap_or_default(),
        duration_s: positive(fields, "duration_s")?,
        vehicle: optional_text(fields, "vehicle")?,
        road: optional_text(fields, "road")?,
        initial,
        evaluation: evaluation(fields)?,
        plan: plan(fields, &initial)?,
    })
}

fn required_text(fields: &Fields<'_>, name: &'static str) -> Result<String, FileError> {
    optional_text(fields, name)?.ok_or_else(|| fields.missing(&[(name, 1.0)]))
}

fn optional_text(fields: &Fields<'_>, name: &'static str) -> Result<Option<String>, FileError> {
    Ok(fields.text(name)?.map(|text| text.value.to_owned()))
}

/// A number above zero, if it is there.
fn positive(fields: &Fields<'_>, name: &'static str) -> Result<Option<f64>, FileError> {
    in_range(fields, fields.number(name)?, f64::MIN_POSITIVE, 1e9, "a number above 0")
}

/// A number above zero, or its default.
fn positive_or(fields: &Fields<'_>, name: &'static str, default: f64) -> Result<f64, FileError> {
    Ok(positive(fields, name)?.unwrap_or(default))
}

/// Checks the range of a number.
fn in_range(
    fields: &Fields<'_>,
    found: Option<Placed<f64>>,
    lowest: f64,
    highest: f64,
    expected: &str,
) -> Result<Option<f64>, FileError> {
    match found {
        Some(found) if !(lowest..=highest).contains(&found.value) => {
            Err(fields.fault_at(&found.place, format!("expected {expected}, found {}", found.value)))
        }
        found => Ok(found.map(|found| found.value)),
    }
}

fn interpolation(fields: &Fields<'_>, default: Interpolation) -> Result<Interpolation, FileError> {
    let choices = [("linear", Interpolation::Linear), ("smooth", Interpolation::Smooth)];
    Ok(fields.choice("interpolation", &choices)?.unwrap_or(default))
}

/// A gear: a whole number from -1 (reverse) to 20.
fn gear(fields: &Fields<'_>) -> Result<Option<i32>, FileError> {
    let found = fields.number("gear")?;
    let place = found.as_ref().map(|found| found.place.clone()).unwrap_or_default();
    match in_range(fields, found, -1.0, 20.0, "a gear from -1 (reverse) to 20")? {
        Some(gear) if gear.fract() != 0.0 => {
            Err(fields.fault_at(&place, format!("expected a whole number, found {gear}")))
        }
        gear => Ok(gear.map(|gear| gear as i32)),
    }
}

fn initial(file: &Fields<'_>) -> Result<Initial, FileError> {
    let Some(fields) = file.table("initial")? else {
        return Ok(Initial::default());
    };
    let spins = [("rolling", WheelSpin::Rolling), ("zero", WheelSpin::Zero)];
    let speed = fields.quantity(units::SPEED)?;
    let initial = Initial {
        speed_m_s: in_range(&fields, speed, -50.0, 150.0, "a speed from -50 to 150 m/s")?.unwrap_or(0.0),
        position_m: fields.vector("position_m")?.unwrap_or_default(),
        heading_rad: fields.quantity(units::HEADING)?.map_or(0.0, |heading| heading.value),
        height_m: fields.number("height_m")?.map(|height| height.value),
        gear: gear(&fields)?,
        wheel_spin: fields.choice("wheel_spin", &spins)?.unwrap_or_default(),
    };
    fields.finish()?;
    Ok(initial)
}

fn evaluation(file: &Fields<'_>) -> Result<Option<Evaluation>, FileError> {
    let Some(fields) = file.table("evaluate")? else {
        return Ok(None);
    };
    let choices: Vec<(&str, &str)> = EVALUATIONS.iter().map(|kind| (*kind, *kind)).collect();
    let Some(kind) = fields.choice("kind", &choices)? else {
        return Err(fields.missing(&[("kind", 1.0)]));
    };
    Ok(Some(Evaluation { kind: kind.to_owned(), parameters: fields.other_numbers()?.into_iter().collect() }))
}

fn plan(file: &Fields<'_>, initial: &Initial) -> Result<Plan, FileError> {
    let path = file.table("path")?.map(|fields| path::read(&fields)).transpose()?;
    let limits = file.table("limits")?;
    let limit = |name, default| match &limits {
        Some(fields) => positive_or(fields, name, default),
        None => Ok(default),
    };
    let blend_s = limit("blend_s", 0.3)?.max(1e-3);
    let pedal_rates = Pedals { throttle: limit("throttle_rate_1_s", 5.0)?, brake: limit("brake_rate_1_s", 10.0)? };
    limits.as_ref().map_or(Ok(()), Fields::finish)?;
    let (channel, phases) = phases(file, initial, path.is_some())?;
    Ok(Plan {
        channel,
        phases,
        path,
        wind: file.table("wind")?.map(|fields| wind(&fields)).transpose()?,
        stop: file.table("stop")?.map(|fields| conditions::read(&fields)).transpose()?.unwrap_or_default(),
        blend_s,
        pedal_rates,
    })
}

fn wind(fields: &Fields<'_>) -> Result<(Table, f64), FileError> {
    let course = fields.course(units::SPEED)?.ok_or_else(|| fields.missing(units::SPEED))?;
    let table = Table::new(course.value, interpolation(fields, Interpolation::Smooth)?);
    let direction = fields.required(units::DIRECTION)?;
    fields.finish()?;
    Ok((table, direction.value))
}

/// Steering and speed of the file as a whole, and the phases that replace one or both.
fn phases(file: &Fields<'_>, initial: &Initial, has_path: bool) -> Result<(Channel, Vec<PhasePlan>), FileError> {
    let mut context = steering::Context::new(has_path, initial.speed_m_s);
    let mut hands_of = |fields: &Fields<'_>| match fields.table("steering")? {
        Some(steering) => steering::read(&steering, &mut context).map(Some),
        None => Ok(None),
    };
    let speed_of = |fields: &Fields<'_>| match fields.table("speed")? {
        Some(speed) => speed::read(&speed, initial).map(Some),
        None => Ok(None),
    };
    let straight = || HandsPlan::Course { signal: Signal::Hold(0.0), scale: Scale::Plain };
    let (hands, speed) = (hands_of(file)?.unwrap_or_else(straight), speed_of(file)?.unwrap_or_else(Speed::rolling));
    let mut phases = Vec::new();
    for fields in file.tables("phase")? {
        fields.text("name")?;
        let (own_hands, own_speed) = (hands_of(&fields)?, speed_of(&fields)?);
        let until = fields.table("until")?.map(|until| conditions::read(&until)).transpose()?;
        fields.finish()?;
        phases.push(PhasePlan {
            hands_own: own_hands.is_some(),
            speed_own: own_speed.is_some(),
            hands: own_hands.unwrap_or_else(|| hands.clone()),
            speed: own_speed.unwrap_or_else(|| speed.clone()),
            until: until.unwrap_or_default(),
        });
        let unending = phases.len().checked_sub(2).is_some_and(|before| phases[before].until.is_empty());
        if unending {
            return Err(fields
                .fault("the phase before this one has no `until`, so this one never comes; add a condition there"));
        }
    }
    if phases.is_empty() {
        phases.push(PhasePlan { hands, hands_own: false, speed, speed_own: false, until: Condition::default() });
    }
    Ok((context.channel(), phases))
}
