//! The wind: a mean, gusts on top of it, and turbulence.
//!
//! ```text
//! w(t, p) = w̄ + Σ gusts(t, p) + turbulence(e·p − |w̄| t)                                        (1)
//! ```
//! e is the direction to which the mean wind blows (E's x in a calm). The turbulence is frozen in
//! the air that drifts with the mean wind: what a vehicle meets depends on where it is in that air.

use super::file::vector;
use super::turbulence::Turbulence;
use crate::Vector3;
use crate::files::{FileError, Source};
use crate::numbers::{Number, bounded, finite, not_negative, or_default, positive};
use serde::Deserialize;
use std::f64::consts::TAU;
use toml::Spanned;

/// Wind over time and place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wind {
    pub(super) mean: Vector3,
    pub(super) gusts: Vec<Gust>,
    pub(super) turbulence: Option<Turbulence>,
}

impl Wind {
    /// The same wind everywhere and always (m/s, in E).
    #[must_use]
    pub fn steady(mean: Vector3) -> Self {
        Self { mean, ..Self::default() }
    }

    /// Reads a wind from TOML.
    pub fn read(source: &Source<'_>) -> Result<Self, FileError> {
        wind(source)
    }

    /// The wind in E (m/s) at a time and a place. Neither allocates nor panics; the same arguments
    /// give the same bits.
    #[must_use]
    pub fn at(&self, time_s: f64, position: Vector3) -> Vector3 {
        let gusts = self.gusts.iter().fold(self.mean, |sum, gust| sum + gust.at(time_s, position));
        match &self.turbulence {
            None => gusts,
            Some(turbulence) => gusts + self.turbulent(turbulence, time_s, position),
        }
    }

    fn turbulent(&self, turbulence: &Turbulence, time_s: f64, position: Vector3) -> Vector3 {
        let level = Vector3::new(self.mean.x, self.mean.y, 0.0);
        let direction = level.normalised().unwrap_or(Vector3::AXES[0]);
        let time_s = bounded(time_s, 1e12);
        let (x, y) = (bounded(position.x, 1e12), bounded(position.y, 1e12));
        let distance = direction.x * x + direction.y * y - level.norm() * time_s;
        turbulence.wind(direction, distance)
    }
}

/// The profile of a gust.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Profile {
    OneMinusCosine,
    /// With the rise r.
    Step(f64),
    /// With the count of periods n; may be infinite.
    Sine(f64),
}

/// Gusts: how strong, from when or where, and for how long.
///
/// With s the time since the beginning (or the distance along E's x since it), d the duration (or
/// length):
/// ```text
/// one-minus-cosine   w = W (1 − cos(2π s/d))/2      0 ≤ s ≤ d                                  (1)
/// step               w = W min(1, s/r)              0 ≤ s, until d if given                    (2)
/// sine               w = W sin(2π s/d)              0 ≤ s, for n periods if given              (3)
/// ```
/// r is the rise. A gust over the distance is a strip of crosswind, as behind ISO 12021's fans.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gust {
    pub(super) profile: Profile,
    /// W in E (m/s).
    pub(super) amplitude: Vector3,
    /// When (s) or where (m).
    pub(super) begins: f64,
    /// d (s or m); infinite for a step without end.
    pub(super) length: f64,
    /// Over E's x instead of time.
    pub(super) is_along_x: bool,
}

impl Gust {
    pub(super) fn at(&self, time_s: f64, position: Vector3) -> Vector3 {
        let place = if self.is_along_x { position.x } else { time_s };
        let part = self.part(place - self.begins);
        self.amplitude * part
    }

    fn part(&self, since: f64) -> f64 {
        // False also for what is not a number.
        let has_begun = since >= 0.0;
        if !has_begun {
            return 0.0;
        }
        let phase = since / self.length;
        match self.profile {
            Profile::OneMinusCosine if phase <= 1.0 => 0.5 * (1.0 - (TAU * phase).cos()),
            Profile::Step(rise) if phase <= 1.0 && since < rise => since / rise,
            Profile::Step(_) if phase <= 1.0 => 1.0,
            Profile::Sine(periods) if phase <= periods && phase.is_finite() => (TAU * phase).sin(),
            _ => 0.0,
        }
    }
}

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

/// Reads a wind; `docs/chassis-subsystems.md` has the format with an example.
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
