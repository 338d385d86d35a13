//! The values of all channels, as axes move and buttons are pressed.

use super::channel::{ChannelSettings, Gear, Meaning, meaning};
use crate::{RAW_MAX, Sample};

pub(super) trait Controls: Send {
    /// Asks the device again.
    fn refresh(&mut self) -> std::io::Result<()>;
    /// Position of an axis; `None` if the device has no such axis.
    fn axis(&self, code: u16) -> Option<i32>;
    fn range(&self, code: u16) -> Option<(i32, i32)>;
    /// Whether a button is pressed; `None` if the device has no such button.
    fn button(&self, code: u16) -> Option<bool>;
}

#[derive(Clone, Debug)]
pub(super) struct Mapping {
    pub names: Vec<String>,
    meanings: Vec<Meaning>,
    values: [f64; RAW_MAX],
}

impl Mapping {
    pub fn new(channels: &[ChannelSettings], controls: &dyn Controls) -> Result<Self, String> {
        let named = |channel: &ChannelSettings| {
            meaning(channel, controls).map_err(|problem| format!("channel {}: {problem}", channel.name))
        };
        let mut mapping = Self {
            names: channels.iter().map(|channel| channel.name.clone()).collect(),
            meanings: channels.iter().map(named).collect::<Result<_, String>>()?,
            values: [f64::NAN; RAW_MAX],
        };
        for (value, meaning) in mapping.values.iter_mut().zip(&mapping.meanings) {
            if let Meaning::Paddles { between, .. } = meaning {
                *value = f64::from(0.clamp(between.0, between.1));
            }
        }
        mapping.refresh(controls);
        Ok(mapping)
    }

    /// Takes over everything from the device. Paddles keep their gear: what was pressed in between
    /// is unknown.
    pub fn refresh(&mut self, controls: &dyn Controls) {
        for (meaning, value) in self.meanings.iter_mut().zip(&mut self.values) {
            match meaning {
                Meaning::Axis { code, factor, offset } => {
                    *value = controls.axis(*code).map_or(*value, |position| f64::from(position) * *factor + *offset);
                }
                Meaning::Button { code } => *value = f64::from(u8::from(controls.button(*code) == Some(true))),
                Meaning::Gears { buttons } => {
                    for gear in buttons.iter_mut() {
                        gear.pressed = controls.button(gear.code) == Some(true);
                    }
                    *value = engaged(buttons);
                }
                Meaning::Paddles { .. } => {}
            }
        }
    }

    pub fn moved(&mut self, moved: u16, position: i32) {
        for (meaning, value) in self.meanings.iter().zip(&mut self.values) {
            match meaning {
                Meaning::Axis { code, factor, offset } if *code == moved => {
                    *value = f64::from(position) * factor + offset
                }
                _ => {}
            }
        }
    }

    pub fn pressed(&mut self, button: u16, pressed: bool) {
        for (meaning, value) in self.meanings.iter_mut().zip(&mut self.values) {
            match meaning {
                Meaning::Button { code } if *code == button => *value = f64::from(u8::from(pressed)),
                Meaning::Gears { buttons } => {
                    for gear in buttons.iter_mut().filter(|gear| gear.code == button) {
                        gear.pressed = pressed;
                    }
                    *value = engaged(buttons);
                }
                Meaning::Paddles { up, between, .. } if *up == button && pressed => {
                    *value = (*value + 1.0).min(f64::from(between.1));
                }
                Meaning::Paddles { down, between, .. } if *down == button && pressed => {
                    *value = (*value - 1.0).max(f64::from(between.0));
                }
                _ => {}
            }
        }
    }

    /// All channels at one time. A report names what has changed; what it does not name is known to
    /// be as it was.
    pub fn sample(&self, sample_ns: u64) -> Sample {
        let mut sample = Sample::empty(sample_ns);
        for (channel, value) in self.values.iter().take(self.names.len()).enumerate() {
            sample.set(channel, *value);
        }
        sample
    }
}

fn engaged(buttons: &[Gear]) -> f64 {
    buttons.iter().find(|gear| gear.pressed).map_or(0.0, |gear| f64::from(gear.number))
}
