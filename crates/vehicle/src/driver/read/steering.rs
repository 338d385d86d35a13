//! Reads what the hands do.
//!
//! The name of the amplitude says what is moved and in which unit: `angle_deg` the steering wheel,
//! `lock_ratio` the steering wheel as a share of full lock, `lateral_m_s2` the steering wheel as
//! far as this lateral acceleration needs, `rack_mm` the rack, `road_wheel_deg` the road wheels. A
//! file moves one of the three.

use super::{STEER, STEER_RATE, interpolation, path};
use crate::driver::Channel;
use crate::driver::manoeuvre::{HandsPlan, Scale};
use crate::driver::signal::{Course, Signal};
use crate::driver::table::{Interpolation, Table};
use crate::fields::{Fields, Placed, Unit};
use crate::files::FileError;

/// What the steering has to fit: the rest of the file, and what has been steered in it so far.
#[derive(Debug)]
pub struct Context {
    channel: Option<Channel>,
    has_path: bool,
    speed_m_s: f64,
}

impl Context {
    /// A file with or without a path, and its initial speed.
    pub fn new(has_path: bool, speed_m_s: f64) -> Self {
        Self { channel: None, has_path, speed_m_s }
    }

    /// The channel of the file.
    pub fn channel(&self) -> Channel {
        self.channel.unwrap_or_default()
    }

    fn take(&mut self, fields: &Fields<'_>, channel: Channel) -> Result<(), FileError> {
        match self.channel.replace(channel) {
            Some(other) if other != channel => Err(fields.fault(
                "expected one thing to be steered in a file, found two of steering wheel, rack and road wheels; use one of them throughout",
            )),
            _ => Ok(()),
        }
    }

    /// Takes the channel that the name of a field stands for; the answer is its unit.
    fn take_named(&mut self, fields: &Fields<'_>, name: &str) -> Result<Scale, FileError> {
        let channel = match name {
            "rack_mm" => Channel::Rack,
            "road_wheel_deg" => Channel::RoadWheels,
            _ => Channel::SteeringWheel,
        };
        self.take(fields, channel)?;
        match name {
            "lock_ratio" => Ok(Scale::Lock),
            "lateral_m_s2" if self.speed_m_s < 1.0 => Err(fields.fault(
                "lateral_m_s2 is reached at the initial speed, but that is below 1 m/s; give [initial] a speed",
            )),
            "lateral_m_s2" => Ok(Scale::Lateral),
            _ => Ok(Scale::Plain),
        }
    }
}

/// What `[steering]` describes.
pub fn read(fields: &Fields<'_>, context: &mut Context) -> Result<HandsPlan, FileError> {
    let kind = fields.kind(&["hold", "step", "ramp", "sine", "sweep", "table", "path"])?;
    let (signal, scale) = match kind {
        "path" => return follow(fields, context),
        "table" => table(fields, context)?,
        "hold" => hold(fields, context)?,
        _ => {
            let amplitude = fields.required(STEER)?;
            let scale = context.take_named(fields, amplitude.name)?;
            (signal(fields, kind, &amplitude)?, scale)
        }
    };
    fields.finish()?;
    Ok(HandsPlan::Course { signal, scale })
}

fn follow(fields: &Fields<'_>, context: &mut Context) -> Result<HandsPlan, FileError> {
    if !context.has_path {
        return Err(fields.fault("kind = \"path\" follows the path of the file, but there is none; add a table [path]"));
    }
    context.take(fields, Channel::SteeringWheel)?;
    let gains = path::gains(fields)?;
    fields.finish()?;
    Ok(HandsPlan::Path(gains))
}

fn hold(fields: &Fields<'_>, context: &mut Context) -> Result<(Signal, Scale), FileError> {
    match fields.quantity(STEER)? {
        Some(held) => Ok((Signal::hold(held.value), context.take_named(fields, held.name)?)),
        None => Ok((Signal::hold(0.0), Scale::Plain)),
    }
}

fn table(fields: &Fields<'_>, context: &mut Context) -> Result<(Signal, Scale), FileError> {
    let course = fields.required_course(STEER)?;
    let scale = context.take_named(fields, course.name)?;
    let table = Table::new(course.value, interpolation(fields, Interpolation::Smooth)?);
    Ok((Signal { size: 1.0, start_s: 0.0, course: Course::Table(table) }, scale))
}

fn signal(fields: &Fields<'_>, kind: &str, found: &Placed<f64>) -> Result<Signal, FileError> {
    let start_s = fields.number("at_s")?.map_or(0.0, |start| start.value);
    let mut size = found.value;
    let course = match kind {
        "step" => step(fields, &mut size, found.name)?,
        "ramp" => ramp(fields, &mut size, found.name)?,
        "sine" => Course::Sine {
            frequency_hz: frequency(fields, "frequency_hz")?,
            cycles: fields.above_zero("cycles")?.unwrap_or(f64::INFINITY),
            dwell_s: fields.above_zero("dwell_s")?.unwrap_or(0.0),
        },
        _ => sweep(fields)?,
    };
    Ok(Signal { size, start_s, course })
}

/// The rate in the unit of the amplitude.
fn rate(fields: &Fields<'_>, amplitude_name: &str) -> Result<Option<f64>, FileError> {
    let Some(found) = fields.quantity(STEER_RATE)? else {
        return Ok(None);
    };
    let same = |(steer, rate): (&Unit, &Unit)| (steer.0 == amplitude_name).then_some(rate.0);
    let expected = STEER.iter().zip(STEER_RATE).find_map(same).unwrap_or("rate_deg_s");
    if found.name != expected {
        let problem = format!("expected {expected}, in the unit of {amplitude_name}");
        return Err(fields.fault_at(&found.place, problem));
    }
    fields.quantity_in(STEER_RATE, [1e-6, 1e6], "a rate above 0")
}

/// A linear step is a ramp: its size becomes a rate.
fn step(fields: &Fields<'_>, size: &mut f64, name: &str) -> Result<Course, FileError> {
    let shape = interpolation(fields, Interpolation::Smooth)?;
    let rise = fields.above_zero("rise_s")?;
    // The smooth step is 15/8 times as fast in its middle as on average.
    let factor = if shape == Interpolation::Smooth { 1.875 } else { 1.0 };
    let rise_s = match (rise, rate(fields, name)?) {
        (Some(_), Some(_)) => {
            return Err(fields.fault("rise_s and the rate say the same thing twice; keep one of them"));
        }
        (Some(rise_s), None) => rise_s,
        (None, Some(rate)) => factor * size.abs() / rate,
        (None, None) => return Err(fields.missing(&[("rise_s", 1.0), ("rate_deg_s", 1.0)])),
    };
    let rise_s = rise_s.max(1e-4);
    Ok(match shape {
        Interpolation::Smooth => Course::Step { rise_s },
        Interpolation::Linear => {
            *size /= rise_s;
            Course::Ramp { blend_s: 0.0, fall_s: rise_s }
        }
    })
}

/// `angle_deg` is where the ramp ends; the size becomes the rate.
fn ramp(fields: &Fields<'_>, size: &mut f64, name: &str) -> Result<Course, FileError> {
    let Some(rate) = rate(fields, name)? else {
        return Err(fields.missing(STEER_RATE));
    };
    let blend = fields.number_in("blend_s", [0.0, 100.0], "a time from 0 to 100 s")?;
    let fall_s = size.abs() / rate;
    *size = rate.copysign(*size);
    Ok(Course::Ramp { blend_s: blend.unwrap_or(0.2).min(fall_s), fall_s })
}

fn frequency(fields: &Fields<'_>, name: &'static str) -> Result<f64, FileError> {
    fields
        .number_in(name, [1e-3, 100.0], "a frequency from 0.001 to 100 Hz")?
        .ok_or_else(|| fields.missing(&[(name, 1.0)]))
}

/// The length is stretched to a whole number of waves, so that the sweep ends at zero.
fn sweep(fields: &Fields<'_>) -> Result<Course, FileError> {
    let frequencies_hz = [frequency(fields, "from_hz")?, frequency(fields, "to_hz")?];
    let wished = fields.above_zero("length_s")?.ok_or_else(|| fields.missing(&[("length_s", 1.0)]))?;
    let mean_hz = 0.5 * (frequencies_hz[0] + frequencies_hz[1]);
    let waves = (mean_hz * wished).ceil().max(1.0);
    Ok(Course::Sweep { frequencies_hz, length_s: waves / mean_hz })
}
