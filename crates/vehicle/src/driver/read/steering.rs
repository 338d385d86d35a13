//! Reads what the hands do.
//!
//! The name of the amplitude says what is moved and in which unit: `angle_deg` the steering wheel, `lock_ratio` the steering wheel as a
//! share of full lock, `rack_mm` the rack, `road_wheel_deg` the road wheels. A file moves either the steering wheel or the rack.

use super::fields::{Fields, Placed};
use super::{choice, in_range, interpolation, path, positive, positive_or, units};
use crate::driver::Channel;
use crate::driver::manoeuvre::HandsPlan;
use crate::driver::signal::{Ramp, Signal, Sine, Step, Sweep};
use crate::driver::table::{Interpolation, Table};
use crate::files::FileError;

/// What has been moved so far in the file.
#[derive(Debug, Default)]
pub struct Channels(Option<Channel>);

impl Channels {
    /// The channel of the file.
    pub fn channel(&self) -> Channel {
        self.0.unwrap_or_default()
    }

    fn take(&mut self, fields: &Fields<'_>, channel: Channel) -> Result<(), FileError> {
        match self.0.replace(channel) {
            Some(other) if other != channel => Err(fields.fault(
                "expected one thing to be steered in a file, found both steering wheel and rack; use one of them throughout",
            )),
            _ => Ok(()),
        }
    }

    /// The channel that the name of a field stands for, and whether its unit is full lock.
    fn take_named(&mut self, fields: &Fields<'_>, name: &str) -> Result<bool, FileError> {
        let bypasses = matches!(name, "rack_mm" | "road_wheel_deg");
        self.take(
            fields,
            if bypasses {
                Channel::Rack
            } else {
                Channel::SteeringWheel
            },
        )?;
        Ok(name == "lock_ratio")
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Hold,
    Step,
    Ramp,
    Sine,
    Sweep,
    Table,
    Path,
}

/// What `[steering]` describes.
pub fn read(fields: &Fields<'_>, has_path: bool, channels: &mut Channels) -> Result<HandsPlan, FileError> {
    let kinds = [
        ("hold", Kind::Hold),
        ("step", Kind::Step),
        ("ramp", Kind::Ramp),
        ("sine", Kind::Sine),
        ("sweep", Kind::Sweep),
        ("table", Kind::Table),
        ("path", Kind::Path),
    ];
    let Some(kind) = choice(fields, "kind", &kinds)? else {
        return Err(fields.missing(&[("kind", 1.0)]));
    };
    if kind == Kind::Path {
        return follow(fields, has_path, channels);
    }
    let (signal, in_locks) = match kind {
        Kind::Table => table(fields, channels)?,
        Kind::Hold => hold(fields, channels)?,
        _ => {
            let amplitude = fields.required(units::STEER)?;
            let in_locks = channels.take_named(fields, amplitude.name)?;
            (signal(fields, kind, &amplitude)?, in_locks)
        }
    };
    fields.finish()?;
    Ok(HandsPlan::Course { signal, in_locks })
}

fn follow(fields: &Fields<'_>, has_path: bool, channels: &mut Channels) -> Result<HandsPlan, FileError> {
    if !has_path {
        return Err(fields
            .fault("kind = \"path\" follows the path of the file, but there is none; add a table [path]"));
    }
    channels.take(fields, Channel::SteeringWheel)?;
    let gains = path::gains(fields)?;
    fields.finish()?;
    Ok(HandsPlan::Path(gains))
}

fn hold(fields: &Fields<'_>, channels: &mut Channels) -> Result<(Signal, bool), FileError> {
    match fields.quantity(units::STEER)? {
        Some(held) => Ok((Signal::Hold(held.value), channels.take_named(fields, held.name)?)),
        None => Ok((Signal::Hold(0.0), false)),
    }
}

fn table(fields: &Fields<'_>, channels: &mut Channels) -> Result<(Signal, bool), FileError> {
    let Some(course) = fields.course(units::STEER)? else {
        return Err(fields.missing(units::STEER));
    };
    let in_locks = channels.take_named(fields, course.name)?;
    let table = Table::new(course.value, interpolation(fields, Interpolation::Smooth)?);
    Ok((Signal::Table(table), in_locks))
}

fn signal(fields: &Fields<'_>, kind: Kind, amplitude: &Placed<f64>) -> Result<Signal, FileError> {
    let start_s = fields.number("at_s")?.map_or(0.0, |start| start.value);
    let amplitude_found = amplitude.value;
    Ok(match kind {
        Kind::Step => step(fields, amplitude_found, start_s, amplitude.name)?,
        Kind::Ramp => ramp(fields, amplitude_found, start_s, amplitude.name)?,
        Kind::Sine => Signal::Sine(Sine {
            amplitude: amplitude_found,
            frequency_hz: frequency(fields, "frequency_hz")?,
            start_s,
            cycles: positive_or(fields, "cycles", f64::INFINITY)?,
            dwell_s: positive_or(fields, "dwell_s", 0.0)?,
        }),
        _ => sweep(fields, amplitude_found, start_s)?,
    })
}

/// The rate in the unit of the amplitude.
fn rate(fields: &Fields<'_>, amplitude_name: &str) -> Result<Option<f64>, FileError> {
    let Some(found) = fields.quantity(units::STEER_RATE)? else {
        return Ok(None);
    };
    let same = |(steer, rate): (&super::fields::Unit, &super::fields::Unit)| {
        (steer.0 == amplitude_name).then_some(rate.0)
    };
    let expected = units::STEER
        .iter()
        .zip(units::STEER_RATE)
        .find_map(same)
        .unwrap_or("rate_deg_s");
    if found.name != expected {
        let problem = format!("expected {expected}, in the unit of {amplitude_name}");
        return Err(fields.fault_at(&found.place, problem));
    }
    in_range(fields, Some(found), 1e-6, 1e6, "a rate above 0")
}

fn step(fields: &Fields<'_>, amplitude: f64, start_s: f64, name: &str) -> Result<Signal, FileError> {
    let shape = interpolation(fields, Interpolation::Smooth)?;
    let rise = positive(fields, "rise_s")?;
    // The smooth step is 15/8 times as fast in its middle as on average.
    let factor = if shape == Interpolation::Smooth {
        1.875
    } else {
        1.0
    };
    let rise_s = match (rise, rate(fields, name)?) {
        (Some(_), Some(_)) => {
            return Err(fields.fault("rise_s and the rate say the same thing twice; keep one of them"));
        }
        (Some(rise_s), None) => rise_s,
        (None, Some(rate)) => factor * amplitude.abs() / rate,
        (None, None) => return Err(fields.missing(&[("rise_s", 1.0), ("rate_deg_s", 1.0)])),
    };
    let rise_s = rise_s.max(1e-4);
    Ok(match shape {
        Interpolation::Smooth => Signal::Step(Step {
            amplitude,
            start_s,
            rise_s,
        }),
        Interpolation::Linear => Signal::Ramp(Ramp {
            rate: amplitude / rise_s,
            start_s,
            blend_s: 0.0,
            fall_s: rise_s,
        }),
    })
}

/// `angle_deg` is where the ramp ends.
fn ramp(fields: &Fields<'_>, end: f64, start_s: f64, name: &str) -> Result<Signal, FileError> {
    let Some(rate) = rate(fields, name)? else {
        return Err(fields.missing(units::STEER_RATE));
    };
    let blend = in_range(
        fields,
        fields.number("blend_s")?,
        0.0,
        100.0,
        "a time from 0 to 100 s",
    )?;
    let fall_s = end.abs() / rate;
    Ok(Signal::Ramp(Ramp {
        rate: rate.copysign(end),
        start_s,
        blend_s: blend.unwrap_or(0.2).min(fall_s),
        fall_s,
    }))
}

fn frequency(fields: &Fields<'_>, name: &'static str) -> Result<f64, FileError> {
    in_range(
        fields,
        fields.number(name)?,
        1e-3,
        100.0,
        "a frequency from 0.001 to 100 Hz",
    )?
    .ok_or_else(|| fields.missing(&[(name, 1.0)]))
}

/// The length is stretched to a whole number of waves, so that the sweep ends at zero.
fn sweep(fields: &Fields<'_>, amplitude: f64, start_s: f64) -> Result<Signal, FileError> {
    let frequencies_hz = [frequency(fields, "from_hz")?, frequency(fields, "to_hz")?];
    let wished = positive(fields, "length_s")?.ok_or_else(|| fields.missing(&[("length_s", 1.0)]))?;
    let mean_hz = 0.5 * (frequencies_hz[0] + frequencies_hz[1]);
    let waves = (mean_hz * wished).ceil().max(1.0);
    Ok(Signal::Sweep(Sweep {
        amplitude,
        frequencies_hz,
        start_s,
        length_s: waves / mean_hz,
    }))
}
