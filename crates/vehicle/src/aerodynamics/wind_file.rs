//! The file of a wind.
//!
//! See `docs/chassis-subsystems.md` for the format with an example.

use super::Wind;
use super::file::vector;
use super::gust::{Gust, Profile};
use super::turbulence::Turbulence;
use crate::Vector3;
use crate::files::{FileError, Source};
use crate::numbers::{Number, finite, not_negative, or_default, positive};
use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WindText {
    mean_m_s: Option<[Number; 3]>,
    #[serde(default)]
    gust: Vec<GustText>,
    turbulence: Option<TurbulenceText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GustText {
    profile: Spanned<String>,
    amplitude_m_s: [Number; 3],
    begins_s: Option<Number>,
    duration_s: Option<Number>,
    rise_s: Option<Number>,
    begins_x_m: Option<Number>,
    length_m: Option<Number>,
    rise_m: Option<Number>,
    periods: Option<Number>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TurbulenceText {
    deviation_m_s: Number,
    length_m: Number,
    seed: u32,
}

/// Reads a wind.
pub(super) fn wind(source: &Source<'_>) -> Result<Wind, FileError> {
    let text: WindText = source.toml()?;
    let mean = text.mean_m_s.as_ref();
    let turbulence = text.turbulence.as_ref().map(|it| {
        let deviation = not_negative(source, &it.deviation_m_s)?;
        let length = positive(source, &it.length_m)?;
        Ok(Turbulence::new(deviation, length, u64::from(it.seed)))
    });
    Ok(Wind {
        mean: mean.map_or(Ok(Vector3::ZERO), |it| vector(source, it))?,
        gusts: text.gust.iter().map(|it| gust(source, it)).collect::<Result<_, _>>()?,
        turbulence: turbulence.transpose()?,
    })
}

fn gust(source: &Source<'_>, text: &GustText) -> Result<Gust, FileError> {
    let (begins, length, rise, is_along_x) = match (&text.begins_s, &text.begins_x_m) {
        (Some(begins), None) => (begins, &text.duration_s, &text.rise_s, false),
        (None, Some(begins)) => (begins, &text.length_m, &text.rise_m, true),
        _ => {
            let problem = "expected begins_s (over time) or begins_x_m (over the distance): give one of the two";
            return Err(source.fault_at(text.profile.span(), problem));
        }
    };
    let profile = match text.profile.get_ref().as_str() {
        "one-minus-cosine" => Profile::OneMinusCosine,
        "step" => Profile::Step(or_default(source, rise.as_ref(), 0.0, not_negative)?),
        "sine" => Profile::Sine(or_default(source, text.periods.as_ref(), f64::INFINITY, positive)?),
        other => {
            let problem = format!("expected \"one-minus-cosine\", \"step\" or \"sine\", found \"{other}\"");
            return Err(source.fault_at(text.profile.span(), problem));
        }
    };
    if length.is_none() && !matches!(profile, Profile::Step(_)) {
        let problem = "expected duration_s (over time) or length_m (over the distance) for this profile: add it";
        return Err(source.fault_at(text.profile.span(), problem));
    }
    Ok(Gust {
        profile,
        amplitude: vector(source, &text.amplitude_m_s)?,
        begins: finite(source, begins)?,
        length: or_default(source, length.as_ref(), f64::INFINITY, positive)?,
        is_along_x,
    })
}
