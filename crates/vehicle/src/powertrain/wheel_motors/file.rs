//! The file of a powertrain with a motor for each wheel; `docs/powertrain.md` describes it.

use super::{Motors, WheelMotors};
use crate::WHEELS_MAX;
use crate::files::ranges::{Fraction, NotNegative, Positive};
use crate::files::{FileError, Source};
use crate::powertrain::engine::{Curves, RPM};
use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(rename = "kind")]
    _kind: String,
    motors: Spanned<Vec<MotorsText>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MotorsText {
    wheels: Vec<Spanned<usize>>,
    ratio: Option<Positive>,
    torque_max_nm: Positive,
    power_max_w: Positive,
    speed_max_rpm: Positive,
    regeneration: Option<Fraction>,
    inertia_kg_m2: Option<NotNegative>,
}

/// Reads the file for a vehicle with so many wheels.
pub fn read(source: &Source<'_>, wheels: usize) -> Result<WheelMotors, FileError> {
    let text: Text = source.toml()?;
    if text.motors.get_ref().is_empty() {
        return Err(source.fault_at(text.motors.span(), "expected at least one [[motors]]"));
    }
    let (mut kinds, mut driven, mut kind_of) = (Vec::new(), Vec::new(), Vec::new());
    for (number, motors) in text.motors.get_ref().iter().enumerate() {
        for wheel in &motors.wheels {
            driven.push(free_wheel(source, wheel, wheels, &driven)?);
            kind_of.push(number);
        }
        kinds.push(kind(motors));
    }
    Ok(WheelMotors::new(kinds, driven, kind_of))
}

/// The place of a wheel that is there and has no motor yet.
fn free_wheel(
    source: &Source<'_>,
    wheel: &Spanned<usize>,
    wheels: usize,
    driven: &[usize],
) -> Result<usize, FileError> {
    let found = *wheel.get_ref();
    if !(1..=wheels.min(WHEELS_MAX)).contains(&found) {
        let problem = format!("expected a wheel from 1 to {wheels}, found {found}");
        return Err(source.fault_at(wheel.span(), problem));
    }
    if driven.contains(&(found - 1)) {
        let problem = format!("wheel {found} has a motor already: name each wheel once");
        return Err(source.fault_at(wheel.span(), problem));
    }
    Ok(found - 1)
}

fn kind(text: &MotorsText) -> Motors {
    let (torque_nm, power_w) = (*text.torque_max_nm, *text.power_max_w);
    let regeneration = text.regeneration.map_or(0.0, |it| *it);
    Motors {
        curves: Curves::electric(torque_nm, power_w, *text.speed_max_rpm * RPM, regeneration),
        ratio: text.ratio.map_or(1.0, |it| *it),
        inertia_kg_m2: text.inertia_kg_m2.map_or(0.0, |it| *it),
    }
}
