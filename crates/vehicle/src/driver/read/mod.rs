//! Reads a manoeuvre file. `docs/manoeuvres.md` describes the language.

mod path;
mod speed;
mod steering;

use super::Channel;
use super::condition::Condition;
use super::manoeuvre::{Evaluation, HandsPlan, Initial, Manoeuvre, PhasePlan, Plan, Scale, WheelSpin};
use super::signal::Signal;
use super::speed::{Pedals, Speed};
use super::table::{Interpolation, Table};
use crate::fields::{self, Fields, Unit};
use crate::files::{FileError, Source};
use toml::Spanned;

const DEG: f64 = std::f64::consts::PI / 180.0;
const KM_H: f64 = 1.0 / 3.6;
const MPH: f64 = 0.44704;

/// A speed.
pub(in crate::driver) const SPEED: &[Unit] = &[("speed_m_s", 1.0), ("speed_km_h", KM_H), ("speed_mph", MPH)];
/// A speed that is to be exceeded.
pub(in crate::driver) const SPEED_ABOVE: &[Unit] =
    &[("speed_above_m_s", 1.0), ("speed_above_km_h", KM_H), ("speed_above_mph", MPH)];
/// A speed to fall below.
pub(in crate::driver) const SPEED_BELOW: &[Unit] =
    &[("speed_below_m_s", 1.0), ("speed_below_km_h", KM_H), ("speed_below_mph", MPH)];
/// What is steered, and by how much.
pub(in crate::driver) const STEER: &[Unit] = &[
    ("angle_deg", DEG),
    ("angle_rad", 1.0),
    ("rack_mm", 1e-3),
    ("road_wheel_deg", DEG),
    ("lock_ratio", 1.0),
    ("lateral_m_s2", 1.0),
];
/// How fast it is steered, in the same order.
pub(in crate::driver) const STEER_RATE: &[Unit] = &[
    ("rate_deg_s", DEG),
    ("rate_rad_s", 1.0),
    ("rate_rack_mm_s", 1e-3),
    ("rate_road_wheel_deg_s", DEG),
    ("rate_lock_ratio_s", 1.0),
    ("rate_lateral_m_s3", 1.0),
];
/// Largest rate of the steering wheel.
pub(in crate::driver) const STEER_RATE_LIMIT: &[Unit] = &[("rate_limit_deg_s", DEG), ("rate_limit_rad_s", 1.0)];
/// A direction.
pub(in crate::driver) const HEADING: &[Unit] = &[("heading_deg", DEG), ("heading_rad", 1.0)];
/// Direction that the wind blows to.
pub(in crate::driver) const DIRECTION: &[Unit] = &[("direction_deg", DEG), ("direction_rad", 1.0)];
/// Understeer gradient: angle at the road wheels per lateral acceleration.
pub(in crate::driver) const UNDERSTEER: &[Unit] = &[("understeer_deg_g", DEG / 9.81), ("understeer_rad_s2_m", 1.0)];

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
        duration_s: fields.above_zero("duration_s")?,
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

fn interpolation(fields: &Fields<'_>, default: Interpolation) -> Result<Interpolation, FileError> {
    let choices = [("linear", Interpolation::Linear), ("smooth", Interpolation::Smooth)];
    Ok(fields.choice("interpolation", &choices)?.unwrap_or(default))
}

/// A gear: a whole number from -1 (reverse) to 20.
fn gear(fields: &Fields<'_>) -> Result<Option<i32>, FileError> {
    match fields.number_in("gear", [-1.0, 20.0], "a gear from -1 (reverse) to 20")? {
        Some(gear) if gear.fract() != 0.0 => {
            let place = fields.raw("gear").map(Spanned::span).unwrap_or_default();
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
    let speed = fields.quantity_in(SPEED, [-50.0, 150.0], "a speed from -50 to 150 m/s")?;
    let initial = Initial {
        speed_m_s: speed.unwrap_or(0.0),
        position_m: fields.vector("position_m")?.unwrap_or_default(),
        heading_rad: fields.quantity(HEADING)?.map_or(0.0, |heading| heading.value),
        height_m: fields.number_in("height_m", [0.0, 100.0], "the origin from 0 to 100 m above the road")?,
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
    let kind = fields.kind(EVALUATIONS)?;
    Ok(Some(Evaluation { kind: kind.to_owned(), parameters: fields.other_numbers()?.into_iter().collect() }))
}

fn plan(file: &Fields<'_>, initial: &Initial) -> Result<Plan, FileError> {
    let path = file.table("path")?.map(|fields| path::read(&fields)).transpose()?;
    let limits = file.table("limits")?;
    let limit = |name, default| match &limits {
        Some(fields) => Ok(fields.above_zero(name)?.unwrap_or(default)),
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
        stop: file.table("stop")?.map(|fields| Condition::read(&fields)).transpose()?.unwrap_or_default(),
        blend_s,
        pedal_rates,
    })
}

fn wind(fields: &Fields<'_>) -> Result<(Table, f64), FileError> {
    let course = fields.required_course(SPEED)?;
    let table = Table::new(course.value, interpolation(fields, Interpolation::Smooth)?);
    let direction = fields.required(DIRECTION)?;
    fields.finish()?;
    Ok((table, direction.value))
}

/// Steering and speed of the file as a whole, and the phases that replace one or both.
fn phases(file: &Fields<'_>, initial: &Initial, has_path: bool) -> Result<(Channel, Vec<PhasePlan>), FileError> {
    let mut context = steering::Context::new(has_path, initial.speed_m_s);
    let mut hands_of = |fields: &Fields<'_>| {
        fields.table("steering")?.map(|steering| steering::read(&steering, &mut context)).transpose()
    };
    let speed_of = |fields: &Fields<'_>| fields.table("speed")?.map(|speed| speed::read(&speed, initial)).transpose();
    let straight = || HandsPlan::Course { signal: Signal::hold(0.0), scale: Scale::Plain };
    let (hands, speed) = (hands_of(file)?.unwrap_or_else(straight), speed_of(file)?.unwrap_or_else(Speed::rolling));
    let mut phases = Vec::new();
    for fields in file.tables("phase")? {
        fields.text("name")?;
        let (own_hands, own_speed) = (hands_of(&fields)?, speed_of(&fields)?);
        let until = fields.table("until")?.map(|until| Condition::read(&until)).transpose()?;
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
