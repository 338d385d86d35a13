//! From axes and buttons to channels: what the acquisition file says, what the device has, and the
//! values as axes move and buttons are pressed.

use std::collections::BTreeMap;
use std::str::FromStr;

use evdev::{AbsoluteAxisCode, KeyCode};
use serde::Deserialize;

use crate::{RAW_MAX, Sample};

/// A channel of a wheel in the acquisition file: an axis, a button, a gear lever with one button
/// per gear, or a pair of paddles.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ChannelSettings {
    pub name: String,
    /// An axis, such as `ABS_X`.
    pub axis: Option<String>,
    #[serde(default)]
    pub scale: Scale,
    /// A button, such as `BTN_TRIGGER`: 1 while it is pressed, otherwise 0.
    pub button: Option<String>,
    /// A gear lever: the button of each gear. 0 while none is pressed.
    pub gears: Option<BTreeMap<String, i32>>,
    /// Paddles: the button for the next gear.
    pub up: Option<String>,
    /// Paddles: the button for the previous gear.
    pub down: Option<String>,
    /// Paddles: lowest and highest gear; they begin at the gear nearest to 0.
    pub between: Option<(i32, i32)>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// As the device counts.
    #[default]
    Counts,
    /// 0 at the least and 1 at the most of the device's range.
    Unit,
    /// −1 at the least and 1 at the most.
    Signed,
}

#[derive(Clone, Debug)]
enum Meaning {
    Axis { code: u16, factor: f64, offset: f64 },
    Button { code: u16 },
    Gears { buttons: Vec<Gear> },
    Paddles { up: u16, down: u16, between: (i32, i32) },
}

/// A gear of a lever, and whether its button is pressed.
#[derive(Clone, Copy, Debug)]
struct Gear {
    code: u16,
    number: i32,
    pressed: bool,
}

/// Finds the axis and the buttons of a channel on the device.
fn meaning(channel: &ChannelSettings, controls: &dyn Controls) -> Result<Meaning, String> {
    let button = |name: &String| button_code(name, controls);
    let ChannelSettings { axis, button: pressed, gears, up, down, between, .. } = channel;
    match (axis, pressed, gears, up, down) {
        (Some(name), None, None, None, None) => axis_meaning(name, channel.scale, controls),
        (None, Some(name), None, None, None) => Ok(Meaning::Button { code: button(name)? }),
        (None, None, Some(gears), None, None) => {
            let gear = |(name, &number): (&String, &i32)| Ok(Gear { code: button(name)?, number, pressed: false });
            Ok(Meaning::Gears { buttons: gears.iter().map(gear).collect::<Result<_, String>>()? })
        }
        (None, None, None, Some(up), Some(down)) => {
            let between = between.unwrap_or((-1, 6));
            if between.0 > between.1 {
                return Err(format!("between = [{}, {}]: the lowest gear comes first", between.0, between.1));
            }
            Ok(Meaning::Paddles { up: button(up)?, down: button(down)?, between })
        }
        _ => Err("expected one of: axis; button; gears; up and down".to_owned()),
    }
}

fn axis_meaning(name: &str, scale: Scale, controls: &dyn Controls) -> Result<Meaning, String> {
    let code = AbsoluteAxisCode::from_str(name)
        .map_err(|_| format!("there is no axis {name}; they are called ABS_X, ABS_RZ, …"))?
        .0;
    let (least, greatest) = controls.range(code).ok_or_else(|| format!("the device has no axis {name}"))?;
    let (least, width) = (f64::from(least), f64::from(greatest) - f64::from(least));
    if scale != Scale::Counts && width <= 0.0 {
        return Err(format!("the device gives no range for {name}; take scale = \"counts\""));
    }
    let (factor, offset) = match scale {
        Scale::Counts => (1.0, 0.0),
        Scale::Unit => (1.0 / width, -least / width),
        Scale::Signed => (2.0 / width, -2.0 * least / width - 1.0),
    };
    Ok(Meaning::Axis { code, factor, offset })
}

fn button_code(name: &str, controls: &dyn Controls) -> Result<u16, String> {
    let code = KeyCode::from_str(name)
        .map_err(|_| format!("there is no button {name}; they are called BTN_TRIGGER, BTN_GEAR_UP, …"))?
        .0;
    controls.button(code).map(|_| code).ok_or_else(|| format!("the device has no button {name}"))
}

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

    /// Asks the device for everything but the paddles' gears: what was pressed is unknown.
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

    /// All channels at one time: what a report does not name is known to be as it was.
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
