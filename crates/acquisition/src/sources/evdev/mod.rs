//! Steering wheels, pedals and gear levers: the kernel's input devices (evdev), with force
//! feedback.
//!
//! The kernel reports changes only, with its own time. Every report becomes one sample of all
//! channels.

mod channel;
mod device;
mod feedback;
mod source;

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::arrivals::{check_count, check_duration};
use crate::{Counters, OpenError, Opening, Source, plan};
use channel::{ChannelSettings, Mapping};
use feedback::FeedbackSettings;

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// `/dev/input/by-id/…-event-joystick` stays the same when it is plugged in elsewhere.
    pub device: Option<PathBuf>,
    /// Instead of the device: the name by which it calls itself.
    pub device_name: Option<String>,
    /// What is taken from it, at most 16.
    pub channels: Vec<ChannelSettings>,
    /// A device that does not move says nothing; after so long its values are given again, as those
    /// of now (s). Never, if this is 0.
    #[serde(default = "ten_milliseconds")]
    pub repeat_after_s: f64,
    pub force_feedback: Option<FeedbackSettings>,
}

fn ten_milliseconds() -> f64 {
    0.01
}

impl Settings {
    fn place(&self) -> String {
        match (&self.device, &self.device_name) {
            (Some(path), _) => path.display().to_string(),
            (None, Some(name)) => format!("input device {name:?}"),
            (None, None) => "input device".to_owned(),
        }
    }
}

impl plan::Settings for Settings {
    fn opening(self, _: Option<&Path>) -> Result<Box<dyn Opening>, String> {
        let place = self.place();
        if self.device.is_some() == self.device_name.is_some() {
            return Err(format!("{place}: expected either device (a path) or device_name"));
        }
        check_count(&place, self.channels.len())?;
        if self.repeat_after_s != 0.0 {
            check_duration(&place, "repeat_after_s", self.repeat_after_s)?;
        }
        if let Some(feedback) = &self.force_feedback {
            feedback.check(&place)?;
        }
        Ok(Box::new(self))
    }
}

impl Opening for Settings {
    fn open(&self, counters: Counters) -> Result<Box<dyn Source>, OpenError> {
        let error = |problem: String| OpenError::new(self.place(), problem);
        let failed = |problem: std::io::Error| OpenError::new(self.place(), problem);
        let path = match (&self.device, &self.device_name) {
            (Some(path), _) => path.clone(),
            (None, name) => device::find(name.as_deref().unwrap_or_default()).map_err(error)?,
        };
        let mut device = device::Device::open(&path).map_err(failed)?;
        let mapping = Mapping::new(&self.channels, &device).map_err(error)?;
        let feedback = match &self.force_feedback {
            None => None,
            Some(settings) => {
                let force = device.force().map_err(|problem| error(format!("force feedback: {problem}")))?;
                Some(feedback::Feedback::start(*settings, force).map_err(failed)?)
            }
        };
        let events = device.events().map_err(failed)?;
        let (controls, repeat_after_s) = (Box::new(device), self.repeat_after_s);
        Ok(Box::new(source::Wheel::source(events, controls, mapping, feedback, repeat_after_s, counters)))
    }
}

#[cfg(test)]
mod tests;
