//! Where a channel's values go.

use files::ranges::Finite;
use files::{FileError, Source as Text};
use serde::Deserialize;
use toml::Spanned;

use super::{ChannelPlan, already};
use crate::calibration::Unit;
use crate::{Seconds, nanoseconds};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    Value,
    Rate,
    Acceleration,
}

/// A signal in a shared block that a channel writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The name of the signal, with its block: `driver.steering_angle_rad`.
    pub signal: String,
    pub quantity: Quantity,
    pub factor: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StopText {
    target: Spanned<String>,
    value: Finite,
    ramp_s: Seconds,
}

/// What is written when a channel asks for a stop: a signal goes to a value in a given time,
/// whatever its channel says.
#[derive(Clone, Debug, PartialEq)]
pub struct StopPlan {
    pub signal: String,
    /// Where it goes, in the unit of the signal.
    pub value: f64,
    /// In what time (ns).
    pub ramp_ns: u64,
}

pub(super) fn check_stops(stops: Vec<StopText>, text: &Text<'_>) -> Result<Vec<StopPlan>, FileError> {
    let mut checked: Vec<StopPlan> = Vec::new();
    for StopText { target, value, ramp_s } in stops {
        name(&target, text)?;
        if checked.iter().any(|earlier| earlier.signal == *target.get_ref()) {
            return Err(already(text, target.span(), "stop of", target.get_ref()));
        }
        checked.push(StopPlan { signal: target.into_inner(), value: *value, ramp_ns: nanoseconds(ramp_s) });
    }
    Ok(checked)
}

pub(super) fn check(
    signal: Spanned<String>,
    quantity: Quantity,
    unit: &Unit,
    text: &Text<'_>,
) -> Result<Target, FileError> {
    name(&signal, text)?;
    let order = quantity as i8;
    let factor = match Unit::of_signal(signal.get_ref()) {
        None => 1.0,
        Some(wanted) => unit.factor_to(&wanted, order).ok_or_else(|| {
            let per = ["", " per s", " per s²"][quantity as usize];
            let problem = format!(
                "`{}` is in {}, which cannot be had from the calibration's {}{per}; expected another target, or another unit",
                signal.get_ref(),
                wanted.name,
                unit.name
            );
            text.fault_at(signal.span(), problem)
        })?,
    };
    Ok(Target { signal: signal.into_inner(), quantity, factor })
}

/// A signal is named with its block. Whether it exists is seen where the blocks are known.
pub(super) fn name(signal: &Spanned<String>, text: &Text<'_>) -> Result<(), FileError> {
    let parts = signal.get_ref().split_once('.');
    if parts.is_some_and(|(block, name)| !block.is_empty() && !name.is_empty()) {
        return Ok(());
    }
    let problem = format!("expected a block and a signal, such as driver.throttle_ratio, found `{}`", signal.get_ref());
    text.fail(signal.span(), problem)
}

pub(super) fn signals(channels: &[ChannelPlan], stops: &[StopPlan]) -> Vec<String> {
    let mut signals: Vec<String> = Vec::new();
    let of_channels = channels.iter().flat_map(|channel| &channel.targets);
    let named = of_channels.map(|target| &target.signal).chain(stops.iter().map(|stop| &stop.signal));
    for signal in named {
        if !signals.contains(signal) {
            signals.push(signal.clone());
        }
    }
    signals
}
