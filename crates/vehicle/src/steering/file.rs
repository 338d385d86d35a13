//! The characteristic file of a steering system.
//!
//! See `docs/chassis-subsystems.md` for the format with an example. Lengths are in m for a rack and
//! in rad where the wheels are steered by an angle.

use super::Steering;
use super::assist::Assist;
use super::by_wire::{Actuator, ByWire, Feedback, Smoothed};
use super::column::{Bar, Column};
use super::compliance::{Compliance, ComplianceText, axle};
use super::gear::{Ends, Gear};
use super::mechanical::{Mechanical, Parts, RackFriction};
use crate::Coordinate;
use crate::files::{Curve, FileError, Source};
use crate::numbers::{self, Number, NumberList, not_negative, or_default, positive, within};
use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    kind: Spanned<String>,
    gear: Spanned<GearText>,
    ends: Option<EndsText>,
    friction: Option<FrictionText>,
    assist: Option<AssistText>,
    column: Option<Spanned<ColumnText>>,
    smoothing: Option<SmoothingText>,
    actuator: Option<ActuatorText>,
    feedback: Option<FeedbackText>,
    #[serde(default)]
    compliance: Vec<ComplianceText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GearText {
    /// Turns of the steering wheel per turn of the pinion or of the road wheels.
    ratio: Option<Number>,
    pinion_radius_m: Option<Number>,
    angle_rad: Option<NumberList>,
    travel_per_rad: Option<NumberList>,
    #[serde(default)]
    is_reversed: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EndsText {
    travel: Number,
    give: Number,
    stiffness: Option<Number>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FrictionText {
    force: Number,
    speed: Number,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AssistText {
    torque_nm: NumberList,
    boost_nm: NumberList,
    speed_m_s: Option<NumberList>,
    factor: Option<NumberList>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ColumnText {
    stiffness_nm_rad: Number,
    damping_nms_rad: Number,
    inertia_kg_m2: Number,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ActuatorText {
    bandwidth_rad_s: Number,
    velocity_most: Number,
    acceleration_most: Number,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SmoothingText {
    bandwidth_rad_s: Number,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FeedbackText {
    centring_nm_rad: Option<Number>,
    damping_nms_rad: Option<Number>,
    friction_nm: Option<Number>,
    road_part: Option<Number>,
    torque_nm_most: Number,
}

/// Reads a steering system.
pub(super) fn steering(source: &Source<'_>) -> Result<Box<dyn Steering>, FileError> {
    let text: Text = source.toml()?;
    axles(source, &text)?;
    let steering: Box<dyn Steering> = match text.kind.get_ref().as_str() {
        "rack-and-pinion" | "angle" => mechanical(source, &text)?,
        "by-wire" => Box::new(by_wire(source, &text)?),
        other => {
            let problem = format!("expected \"rack-and-pinion\", \"angle\" or \"by-wire\", found \"{other}\"");
            return Err(source.fault_at(text.kind.span(), problem));
        }
    };
    let Some(smoothing) = &text.smoothing else {
        return Ok(steering);
    };
    let bandwidth = within(source, &smoothing.bandwidth_rad_s, 1e-3, 1e5)?;
    Ok(Box::new(Smoothed::new(steering, bandwidth)))
}

/// Reads the compliance of the axles.
pub(super) fn compliance(source: &Source<'_>) -> Result<Vec<Compliance>, FileError> {
    axles(source, &source.toml()?)
}

fn axles(source: &Source<'_>, text: &Text) -> Result<Vec<Compliance>, FileError> {
    text.compliance.iter().map(|it| axle(source, it)).collect()
}

fn mechanical(source: &Source<'_>, text: &Text) -> Result<Box<dyn Steering>, FileError> {
    refuse(source, text, text.actuator.is_some(), "actuator")?;
    refuse(source, text, text.feedback.is_some(), "feedback")?;
    let parts = Parts {
        gear: gear(source, text)?,
        friction: friction(source, text.friction.as_ref())?,
        assist: text.assist.as_ref().map(|it| assist(source, it)).transpose()?,
    };
    let Some(column) = &text.column else {
        return Ok(Box::new(Mechanical { parts }));
    };
    let column = column.get_ref();
    let bar = Bar {
        stiffness: positive(source, &column.stiffness_nm_rad)?,
        damping: not_negative(source, &column.damping_nms_rad)?,
        inertia: within(source, &column.inertia_kg_m2, 1e-6, 1e6)?,
    };
    Ok(Box::new(Column { parts, bar, twist: Coordinate::default() }))
}

fn by_wire(source: &Source<'_>, text: &Text) -> Result<ByWire, FileError> {
    refuse(source, text, text.column.is_some(), "column")?;
    refuse(source, text, text.assist.is_some(), "assist")?;
    refuse(source, text, text.friction.is_some(), "friction")?;
    let (Some(motor), Some(feedback)) = (&text.actuator, &text.feedback) else {
        let problem = "expected the sections actuator and feedback, which steering by wire needs: add them";
        return Err(source.fault_at(text.kind.span(), problem));
    };
    let optional = |number: &Option<Number>| or_default(source, number.as_ref(), 0.0, not_negative);
    Ok(ByWire {
        gear: gear(source, text)?,
        actuator: Actuator {
            bandwidth: within(source, &motor.bandwidth_rad_s, 1e-3, 1e5)?,
            velocity_most: positive(source, &motor.velocity_most)?,
            acceleration_most: positive(source, &motor.acceleration_most)?,
        },
        feedback: Feedback {
            centring: optional(&feedback.centring_nm_rad)?,
            damping: optional(&feedback.damping_nms_rad)?,
            friction: optional(&feedback.friction_nm)?,
            road: optional(&feedback.road_part)?,
            most: positive(source, &feedback.torque_nm_most)?,
        },
        rack: Coordinate::default(),
    })
}

fn refuse(source: &Source<'_>, text: &Text, is_there: bool, section: &str) -> Result<(), FileError> {
    if !is_there {
        return Ok(());
    }
    let kind = text.kind.get_ref();
    Err(source.fault_at(
        text.kind.span(),
        format!("a steering of kind \"{kind}\" has no section {section}: take it out or change the kind"),
    ))
}

fn gear(source: &Source<'_>, text: &Text) -> Result<Gear, FileError> {
    let it = text.gear.get_ref();
    let ends = text.ends.as_ref().map(|it| ends(source, it)).transpose()?;
    Ok(Gear { ratio: ratio(source, text)?, sense: if it.is_reversed { -1.0 } else { 1.0 }, ends })
}

/// Travel per angle of the steering wheel.
fn ratio(source: &Source<'_>, text: &Text) -> Result<Curve, FileError> {
    let it = text.gear.get_ref();
    let most_m_rad = |source: &Source<'_>, number: &Number| within(source, number, 1e-9, 1e3);
    if let (Some(angle), Some(travel), None, None) = (&it.angle_rad, &it.travel_per_rad, &it.ratio, &it.pinion_radius_m)
    {
        numbers::all(source, travel, most_m_rad)?;
        numbers::all(source, angle, not_negative)?;
        return Curve::read(source, angle, travel);
    }
    let is_angle = text.kind.get_ref() == "angle";
    match (&it.ratio, &it.pinion_radius_m, &it.angle_rad, &it.travel_per_rad) {
        (Some(ratio), None, None, None) if is_angle => Ok(Curve::level(1.0 / within(source, ratio, 1e-3, 1e6)?)),
        (ratio, Some(radius), None, None) if !is_angle => {
            let radius = most_m_rad(source, radius)?;
            let turns = |source: &Source<'_>, number: &Number| within(source, number, 1e-3, 1e6);
            Ok(Curve::level(radius / or_default(source, ratio.as_ref(), 1.0, turns)?))
        }
        _ => Err(source.fault_at(
            text.gear.span(),
            if is_angle {
                "expected ratio, or a table of angle_rad and travel_per_rad: give one of the two"
            } else {
                "expected pinion_radius_m (and ratio), or a table of angle_rad and travel_per_rad: give one of the two"
            },
        )),
    }
}

fn ends(source: &Source<'_>, text: &EndsText) -> Result<Ends, FileError> {
    Ok(Ends {
        travel: positive(source, &text.travel)?,
        give: within(source, &text.give, 1e-6, 1e3)?,
        stiffness: or_default(source, text.stiffness.as_ref(), 0.0, not_negative)?,
    })
}

fn friction(source: &Source<'_>, text: Option<&FrictionText>) -> Result<RackFriction, FileError> {
    let Some(text) = text else {
        return Ok(RackFriction::default());
    };
    Ok(RackFriction { force: not_negative(source, &text.force)?, speed: within(source, &text.speed, 1e-6, 1e3)? })
}

fn assist(source: &Source<'_>, text: &AssistText) -> Result<Assist, FileError> {
    let boost_nm = Curve::read_rising(source, &text.torque_nm, &text.boost_nm)?;
    if boost_nm.points()[0] != [0.0, 0.0] {
        let problem = "expected the curve to begin with torque 0 and boost 0, so that it has no jump at zero";
        return Err(source.fault_at(text.boost_nm.span(), problem));
    }
    let speed_factor = match (&text.speed_m_s, &text.factor) {
        (Some(speed), Some(factor)) => {
            numbers::all(source, factor, not_negative)?;
            Curve::read(source, speed, factor)?
        }
        (None, None) => Curve::level(1.0),
        (Some(alone), None) | (None, Some(alone)) => {
            let problem = "expected speed_m_s and factor together, found one of them: add the other";
            return Err(source.fault_at(alone.span(), problem));
        }
    };
    Ok(Assist { boost_nm, speed_factor })
}
