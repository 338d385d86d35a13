//! Bumps, waves and ramps whose heights add to the base.
//!
//! Each has a frame of its own: origin (x, y), axis s at a heading from x, axis t to its left. Its
//! height is a profile over s, the same for every t between its right and its left edge; outside it
//! is 0 (behind a ramp or a step: the height that was reached).
//!
//! | shape | profile over s |
//! | --- | --- |
//! | half-round | √(R² − s²) − (R − H), where positive: a cylinder of radius R that stands H out of the road (eq. 1) |
//! | cosine | H/2 · (1 − cos 2πs/L), 0 ≤ s ≤ L (eq. 2) |
//! | washboard | N such waves one behind the other (eq. 2) |
//! | sine | A · sin(2πs/λ + φ), everywhere (eq. 3) |
//! | ramp | H · s/L, then H (eq. 4) |
//! | step | 0, from s = 0 on H |
//! | table | up over the ramp, level, down over the ramp (eq. 4) |

use super::Relief;
use crate::fields::{Fields, Placed};
use crate::files::FileError;
use std::f64::consts::TAU;

/// A profile over s.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Profile {
    HalfRound { radius: f64, sunk: f64 },
    Waves { height: f64, rate: f64, length: f64 },
    Sine { amplitude: f64, rate: f64, phase: f64 },
    Ramp { height: f64, length: f64 },
    Step { height: f64 },
    Table { height: f64, ramp: f64, length: f64 },
}

/// A profile in its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feature {
    profile: Profile,
    x: f64,
    y: f64,
    cosine: f64,
    sine: f64,
    right: f64,
    left: f64,
}

const SHAPES: &str = "half-round, cosine, washboard, sine, ramp, step, table";

impl Profile {
    /// Height and slope at s.
    #[inline]
    fn at(&self, s: f64) -> (f64, f64) {
        match *self {
            Self::HalfRound { radius, sunk } => {
                let square = radius * radius - s * s;
                if square <= sunk * sunk || square <= 0.0 {
                    return (0.0, 0.0);
                }
                let root = square.sqrt();
                (root - sunk, -s / root) // Eq. (1)
            }
            Self::Waves { height, rate, length } => {
                if !(0.0..=length).contains(&s) {
                    return (0.0, 0.0);
                }
                let (sine, cosine) = (rate * s).sin_cos();
                (0.5 * height * (1.0 - cosine), 0.5 * height * rate * sine) // Eq. (2)
            }
            Self::Sine { amplitude, rate, phase } => {
                let (sine, cosine) = (rate * s + phase).sin_cos();
                (amplitude * sine, amplitude * rate * cosine) // Eq. (3)
            }
            Self::Ramp { height, length } => rise(s, height, length),
            Self::Step { height } => (if s >= 0.0 { height } else { 0.0 }, 0.0),
            Self::Table { height, ramp, length } => {
                if s <= 0.5 * length {
                    return rise(s, height, ramp);
                }
                let (z, slope) = rise(length - s, height, ramp);
                (z, -slope)
            }
        }
    }

    /// Where along s its height may be other than zero.
    #[inline]
    fn extent(&self) -> (f64, f64) {
        match *self {
            Self::HalfRound { radius, .. } => (-radius, radius),
            Self::Waves { length, .. } | Self::Table { length, .. } => (0.0, length),
            Self::Sine { .. } => (f64::NEG_INFINITY, f64::INFINITY),
            Self::Ramp { .. } | Self::Step { .. } => (0.0, f64::INFINITY),
        }
    }
}

/// Eq. (4).
#[inline]
fn rise(s: f64, height: f64, length: f64) -> (f64, f64) {
    if s <= 0.0 {
        (0.0, 0.0)
    } else if s >= length {
        (height, 0.0)
    } else {
        (height * s / length, height / length)
    }
}

impl Feature {
    /// A place in the frame: s and t.
    #[inline]
    fn local(&self, x: f64, y: f64) -> (f64, f64) {
        let (east, north) = (x - self.x, y - self.y);
        (self.cosine * east + self.sine * north, self.cosine * north - self.sine * east)
    }

    /// Whether it has no height anywhere up to a distance.
    #[inline]
    pub fn is_away(&self, x: f64, y: f64, within: f64) -> bool {
        let ((s, t), (first, last)) = (self.local(x, y), self.profile.extent());
        t + within < self.right || t - within > self.left || s + within < first || s - within > last
    }

    /// Adds the feature to a relief.
    #[inline]
    pub fn add(&self, x: f64, y: f64, relief: &mut Relief) {
        let (s, t) = self.local(x, y);
        if t < self.right || t > self.left {
            return;
        }
        let (height, slope) = self.profile.at(s);
        relief.height_m += height;
        relief.slope_x += slope * self.cosine;
        relief.slope_y += slope * self.sine;
    }

    /// Reads one `[[features]]` table.
    pub fn read(fields: &Fields<'_>) -> Result<Self, FileError> {
        let profile = profile(fields)?;
        let heading = fields.number_or("heading_deg", 0.0)?.to_radians();
        let (sine, cosine) = heading.sin_cos();
        let across = fields.range_or_all("across_m")?;
        let feature = Self {
            profile,
            x: fields.number_or("x_m", 0.0)?,
            y: fields.number_or("y_m", 0.0)?,
            cosine,
            sine,
            right: across[0],
            left: across[1],
        };
        fields.finish()?;
        Ok(feature)
    }
}

fn profile(fields: &Fields<'_>) -> Result<Profile, FileError> {
    let Placed { value: shape, place, .. } = fields.needed_text("shape")?;
    Ok(match shape {
        "half-round" => half_round(fields)?,
        "cosine" => waves(fields.needed_number("height_m")?, fields.positive("length_m")?, 1.0),
        "washboard" => {
            let (height, wavelength) = (fields.needed_number("height_m")?, fields.positive("wavelength_m")?);
            waves(height, wavelength, whole(fields, "waves")?)
        }
        "sine" => Profile::Sine {
            amplitude: fields.needed_number("amplitude_m")?,
            rate: TAU / fields.positive("wavelength_m")?,
            phase: fields.number_or("phase_deg", 0.0)?.to_radians(),
        },
        "ramp" => Profile::Ramp { height: fields.needed_number("height_m")?, length: fields.positive("length_m")? },
        "step" => Profile::Step { height: fields.needed_number("height_m")? },
        "table" => table(fields)?,
        other => {
            let problem = format!("expected one of: {SHAPES}; found `{other}`");
            return Err(fields.fault_at(&place, problem));
        }
    })
}

fn waves(height: f64, wavelength: f64, count: f64) -> Profile {
    Profile::Waves { height, rate: TAU / wavelength, length: wavelength * count }
}

fn half_round(fields: &Fields<'_>) -> Result<Profile, FileError> {
    let radius = fields.positive("radius_m")?;
    let Some(height) = fields.number("height_m")? else {
        return Ok(Profile::HalfRound { radius, sunk: 0.0 });
    };
    if height.value <= 0.0 || height.value > radius {
        let problem = format!("expected a height above 0 and at most radius_m = {radius}, found {}", height.value);
        return Err(fields.fault_at(&height.place, problem));
    }
    Ok(Profile::HalfRound { radius, sunk: radius - height.value })
}

fn table(fields: &Fields<'_>) -> Result<Profile, FileError> {
    let (height, length) = (fields.needed_number("height_m")?, fields.positive("length_m")?);
    let ramp = fields.positive("ramp_m")?;
    if 2.0 * ramp > length {
        return Err(fields.fault(format!("expected two ramps within length_m = {length}, found ramp_m = {ramp}")));
    }
    Ok(Profile::Table { height, ramp, length })
}

/// A whole number from 1 on.
fn whole(fields: &Fields<'_>, name: &'static str) -> Result<f64, FileError> {
    let count = fields.positive(name)?;
    if count.fract() == 0.0 {
        return Ok(count);
    }
    Err(fields.fault(format!("expected a whole number in `{name}`, found {count}")))
}
