//! From axes and buttons to channels: what the acquisition file says, and what the device has.

use std::collections::BTreeMap;
use std::str::FromStr;

use evdev::{AbsoluteAxisCode, KeyCode};
use serde::Deserialize;

use super::mapping::Controls;

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
pub(super) enum Meaning {
    Axis { code: u16, factor: f64, offset: f64 },
    Button { code: u16 },
    Gears { buttons: Vec<Gear> },
    Paddles { up: u16, down: u16, between: (i32, i32) },
}

/// A gear of a lever, and whether its button is pressed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gear {
    pub code: u16,
    pub number: i32,
    pub pressed: bool,
}

/// Finds the axis and the buttons of a channel on the device.
pub(super) fn meaning(channel: &ChannelSettings, controls: &dyn Controls) -> Result<Meaning, String> {
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
