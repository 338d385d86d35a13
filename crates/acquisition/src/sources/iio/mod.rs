//! Converters and motion sensors of the kernel's Industrial I/O subsystem, through its files.
//!
//! A device is a folder of small files (`/sys/bus/iio/devices/iio:device0`). Fast: its *buffer* is
//! switched on there, and whole scans with the kernel's time come from a character device. Slow:
//! each `in_…_raw` file is read when its time has come; a driver may take milliseconds for that, so
//! this is for temperatures and for devices without a buffer.
//!
//! A raw number stands for (raw + offset) · scale, with `in_…_offset` and `in_…_scale` of the
//! device; without them it is given as it is. The unit is that of the kernel's documentation:
//! millivolts, m/s², rad/s.

mod buffer;
mod element;
mod files;
mod polled;

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::arrivals::{Arrivals, check_count, check_duration, half_a_second};
use crate::{Counters, OpenError, Opening, Source, plan};
use buffer::Buffer;
use files::Files;
use polled::PolledSource;

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The device: its number (`iio:device0`) or the name that it gives itself, which stays the
    /// same when it is plugged in elsewhere.
    pub device: String,
    /// What is taken from it, at most 16, by the names of its files: `in_accel_x`, `in_voltage0`.
    pub channels: Vec<String>,
    #[serde(default)]
    pub reading: Reading,
    /// How often the device samples or its trigger fires (Hz), where that can be set.
    pub sampling_frequency_hz: Option<f64>,
    /// The trigger that makes it sample, by its name, for devices that have none of their own.
    pub trigger: Option<String>,
    #[serde(default = "a_thousand")]
    pub buffer_length: u32,
    /// How often files are read, if not by the buffer (s).
    #[serde(default = "tenth_of_a_second")]
    pub polling_period_s: f64,
    /// Whether raw numbers are given, without the device's scale and offset.
    #[serde(default)]
    pub raw: bool,
    /// Without a scan for so long the device counts as stalled (s).
    #[serde(default = "half_a_second")]
    pub stalled_after_s: f64,
    #[serde(default = "sysfs")]
    pub sysfs: PathBuf,
    #[serde(default = "dev")]
    pub dev: PathBuf,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    #[default]
    Buffered,
    /// File by file, now and then: not for anything fast.
    Polled,
}

fn a_thousand() -> u32 {
    1024
}

fn tenth_of_a_second() -> f64 {
    0.1
}

fn sysfs() -> PathBuf {
    "/sys/bus/iio/devices".into()
}

fn dev() -> PathBuf {
    "/dev".into()
}

/// Names become parts of paths, so they must not lead elsewhere.
fn is_file_name(name: &str) -> bool {
    name.starts_with("in_")
        && name.chars().all(|character| character.is_ascii_alphanumeric() || "_-".contains(character))
}

impl plan::Settings for Settings {
    fn opening(self, _: Option<&Path>) -> Result<Box<dyn Opening>, String> {
        check_duration(&self.device, "stalled_after_s", self.stalled_after_s)?;
        check_duration(&self.device, "polling_period_s", self.polling_period_s)?;
        check_count(&self.device, self.channels.len())?;
        let is_twice = |at: &usize| self.channels[..*at].contains(&self.channels[*at]);
        let problem = if let Some(twice) = (1..self.channels.len()).find(is_twice) {
            format!("channel {} is named twice", self.channels[twice])
        } else if let Some(name) = self.channels.iter().find(|name| !is_file_name(name)) {
            format!("channel {name:?}: expected a name such as in_accel_x or in_voltage0")
        } else if self.buffer_length < 2 {
            format!("buffer_length = {}: expected 2 or more", self.buffer_length)
        } else {
            return Ok(Box::new(self));
        };
        Err(format!("{}: {problem}", self.device))
    }
}

impl Opening for Settings {
    fn open(&self, counters: Counters) -> Result<Box<dyn Source>, OpenError> {
        let files = Files::find(&self.sysfs, &self.device)?;
        let arrivals = Arrivals::new(counters, self.stalled_after_s);
        if let Some(frequency_hz) = self.sampling_frequency_hz {
            files.set_sampling_frequency(frequency_hz, self.trigger.as_deref())?;
        }
        Ok(match self.reading {
            Reading::Buffered => Box::new(Buffer::open(self, files, arrivals)?),
            Reading::Polled => Box::new(PolledSource::open(self, &files, arrivals)?),
        })
    }
}

#[cfg(test)]
mod tests;
