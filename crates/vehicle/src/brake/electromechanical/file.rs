//! The characteristic file; `docs/chassis-subsystems.md` has an example.

use super::{Axle, Electromechanical, SlipControl};
use crate::WHEELS_MAX;
use crate::brake::line::Lag;
use crate::files::{FileError, Source};
use crate::numbers::{Number, not_negative, or_default, positive, within};
use serde::Deserialize;
use toml::Spanned;

/// The measured pressure that is a full pedal unless the file says otherwise (bar).
const FULL_BAR: f64 = 100.0;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(rename = "kind")]
    _kind: String,
    full_bar: Option<Number>,
    axle: Spanned<Vec<AxleText>>,
    slip_control: Option<SlipText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AxleText {
    wheels: Option<Spanned<usize>>,
    torque_max_nm: Number,
    rate_nm_s: Number,
    lag_s: Option<Number>,
    parking_nm: Option<Number>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SlipText {
    slip: Number,
    gain: Number,
    radius_m: Number,
    off_below_m_s: Number,
}

/// Reads the file for a vehicle with so many wheels.
pub fn read(source: &Source<'_>, wheels: usize) -> Result<Electromechanical, FileError> {
    let text: Text = source.toml()?;
    let axles = text.axle.get_ref().iter().map(|it| axle(source, it));
    let axles = axles.collect::<Result<Vec<_>, _>>()?;
    let found = axles.iter().fold(0_usize, |sum, it| sum.saturating_add(it.wheels));
    if found != wheels || found > WHEELS_MAX {
        let problem =
            format!("expected axles with {wheels} wheels together (at most {WHEELS_MAX}), found {found}");
        return Err(source.fault_at(text.axle.span(), problem));
    }
    let full_bar = or_default(source, text.full_bar.as_ref(), FULL_BAR, positive)?;
    let control = text.slip_control.as_ref().map(|it| slip_control(source, it)).transpose()?;
    Ok(Electromechanical::new(full_bar, axles, control))
}

fn axle(source: &Source<'_>, text: &AxleText) -> Result<Axle, FileError> {
    let lag_s = or_default(source, text.lag_s.as_ref(), 0.0, not_negative)?;
    Ok(Axle {
        wheels: text.wheels.as_ref().map_or(2, |it| *it.get_ref()),
        torque_max_nm: not_negative(source, &text.torque_max_nm)?,
        rate_nm_s: positive(source, &text.rate_nm_s)?,
        lag: Lag { build_s: lag_s, release_s: lag_s },
        parking_nm: or_default(source, text.parking_nm.as_ref(), 0.0, not_negative)?,
    })
}

fn slip_control(source: &Source<'_>, text: &SlipText) -> Result<SlipControl, FileError> {
    Ok(SlipControl {
        slip: within(source, &text.slip, 0.0, 1.0)?,
        gain: positive(source, &text.gain)?,
        radius_m: positive(source, &text.radius_m)?,
        off_below_m_s: positive(source, &text.off_below_m_s)?,
    })
}
