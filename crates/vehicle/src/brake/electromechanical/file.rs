//! The characteristic file; `docs/chassis-subsystems.md` has an example.

use super::{Axle, Electromechanical, SlipControl};
use crate::WHEELS_MAX;
use crate::brake::line::Lag;
use crate::files::ranges::{NotNegative, Positive};
use crate::files::{FileError, Source};
use serde::Deserialize;
use toml::Spanned;

/// The measured pressure that is a full pedal unless the file says otherwise (bar).
const FULL_BAR: f64 = 100.0;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(rename = "kind")]
    _kind: String,
    full_bar: Option<Positive>,
    axle: Spanned<Vec<AxleText>>,
    slip_control: Option<SlipControl>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AxleText {
    wheels: Option<usize>,
    torque_max_nm: NotNegative,
    rate_nm_s: Positive,
    lag_s: Option<NotNegative>,
    parking_nm: Option<NotNegative>,
}

/// Reads the file for a vehicle with so many wheels.
pub fn read(source: &Source<'_>, wheels: usize) -> Result<Electromechanical, FileError> {
    let text: Text = source.toml()?;
    let axles: Vec<Axle> = text.axle.get_ref().iter().map(axle).collect();
    let found = axles.iter().fold(0_usize, |sum, it| sum.saturating_add(it.wheels));
    if found != wheels || found > WHEELS_MAX {
        let problem = format!("expected axles with {wheels} wheels together (at most {WHEELS_MAX}), found {found}");
        return Err(source.fault_at(text.axle.span(), problem));
    }
    let full_bar = text.full_bar.map_or(FULL_BAR, |it| *it);
    Ok(Electromechanical::new(full_bar, axles, text.slip_control))
}

fn axle(text: &AxleText) -> Axle {
    let or_zero = |number: Option<NotNegative>| number.map_or(0.0, |it| *it);
    let lag_s = or_zero(text.lag_s);
    Axle {
        wheels: text.wheels.unwrap_or(2),
        torque_max_nm: *text.torque_max_nm,
        rate_nm_s: *text.rate_nm_s,
        lag: Lag { build_s: lag_s, release_s: lag_s },
        parking_nm: or_zero(text.parking_nm),
    }
}
