//! The file of a powertrain with a motor for each wheel; `docs/powertrain.md` describes it.

use super::{Motors, WheelMotors};
use crate::WHEELS_MAX;
use crate::files::{FileError, Source};
use crate::numbers::{Number, not_negative, or_default, positive, within};
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
    wheels: Spanned<Vec<Spanned<usize>>>,
    ratio: Option<Number>,
    torque_max_nm: Number,
    power_max_w: Number,
    speed_max_rpm: Number,
    regeneration: Option<Number>,
    inertia_kg_m2: Option<Number>,
}

/// Reads the file for a vehicle with so many wheels.
pub fn read(source: &Source<'_>, wheels: usize) -> Result<WheelMotors, FileError> {
    let text: Text = source.toml()?;
    if text.motors.get_ref().is_empty() {
        return Err(source.fault_at(text.motors.span(), "expected at least one [[motors]]"));
    }
    let (mut kinds, mut driven, mut kind_of) = (Vec::new(), Vec::new(), Vec::new());
    for (number, motors) in text.motors.get_ref().iter().enumerate() {
        for wheel in motors.wheels.get_ref() {
            driven.push(free_wheel(source, wheel, wheels, &driven)?);
            kind_of.push(number);
        }
        kinds.push(kind(source, motors)?);
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

fn kind(source: &Source<'_>, text: &MotorsText) -> Result<Motors, FileError> {
    let part = |source: &Source<'_>, number: &Number| within(source, number, 0.0, 1.0);
    let curves = Curves::electric(
        positive(source, &text.torque_max_nm)?,
        positive(source, &text.power_max_w)?,
        positive(source, &text.speed_max_rpm)? * RPM,
        or_default(source, text.regeneration.as_ref(), 0.0, part)?,
    );
    Ok(Motors {
        curves,
        ratio: or_default(source, text.ratio.as_ref(), 1.0, positive)?,
        inertia_kg_m2: or_default(source, text.inertia_kg_m2.as_ref(), 0.0, not_negative)?,
    })
}
