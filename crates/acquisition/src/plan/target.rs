//! Where a channel's values go.

use files::{FileError, Source as Text};
use toml::Spanned;

use super::{ChannelPlan, StopPlan};
use crate::calibration::Unit;

/// Which of a channel's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The value.
    Value,
    /// Its rate.
    Rate,
    /// Its acceleration.
    Acceleration,
}

/// A signal in a shared block that a channel writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The name of the signal, with its block: `driver.steering_angle_rad`.
    pub signal: String,
    /// What is written.
    pub quantity: Quantity,
    /// From the calibration's unit to the signal's.
    pub factor: f64,
}

/// A target whose unit fits.
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

/// A signal is named with its block. Whether there is one of that name is seen where the
/// blocks are known.
pub(super) fn name(signal: &Spanned<String>, text: &Text<'_>) -> Result<(), FileError> {
    let parts = signal.get_ref().split_once('.');
    if parts.is_some_and(|(block, name)| !block.is_empty() && !name.is_empty()) {
        Ok(())
    } else {
        let problem =
            format!("expected a block and a signal, such as driver.throttle_ratio, found `{}`", signal.get_ref());
        text.fail(signal.span(), problem)
    }
}

/// Every signal that is written, each once.
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
