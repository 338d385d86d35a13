//! The channels of the file: names, references and units are looked up, so that nothing is left to
//! look up later.

use files::{FileError, Source as Text};
use serde::Deserialize;
use signals::blocks::ACQUISITION_CHANNELS_MAX as CHANNELS_MAX;
use toml::Spanned;

use super::already;
use super::derivative::{self, DerivativeText};
use super::target::{self, Quantity, Target};
use crate::calibration::{Calibration, CalibrationFile, CalibrationText};
use crate::differentiation::Method;
use crate::plausibility::{Rules, RulesText};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChannelText {
    name: Spanned<String>,
    source: Spanned<String>,
    raw: Spanned<String>,
    target: Option<Spanned<String>>,
    rate_target: Option<Spanned<String>>,
    acceleration_target: Option<Spanned<String>>,
    #[serde(default)]
    only_changes: bool,
    calibration: Option<CalibrationText>,
    derivative: Option<Spanned<DerivativeText>>,
    #[serde(default)]
    plausibility: RulesText,
}

/// Where rate and acceleration come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Derivative {
    /// Nowhere: they are not wanted.
    None,
    /// From the channel's own samples.
    Method {
        /// How.
        method: Method,
        /// A longer silence begins a new history (ns).
        gap_ns: u64,
    },
    /// The rate is another channel's value, the acceleration that channel's rate.
    Measured {
        /// The other channel, by its place in the file.
        channel: usize,
        /// From its unit to this channel's unit per second.
        factor: f64,
    },
}

/// A channel of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelPlan {
    /// Its name.
    pub name: String,
    /// The source, by its place in the file.
    pub source: usize,
    /// The name of the source's number.
    pub raw: String,
    /// Whether the source delivers the number only when it changes: until then it stays.
    pub only_changes: bool,
    /// From the number to the value.
    pub calibration: Calibration,
    /// Where rate and acceleration come from.
    pub derivative: Derivative,
    /// What is asked of it.
    pub rules: Rules,
    /// What it writes.
    pub targets: Vec<Target>,
}

pub(super) fn check_all(
    channels: Vec<Spanned<ChannelText>>,
    sources: &[&str],
    calibrations: &CalibrationFile,
    text: &Text<'_>,
) -> Result<Vec<ChannelPlan>, FileError> {
    if channels.is_empty() || channels.len() > CHANNELS_MAX {
        let place = channels.last().map_or(0..0, Spanned::span);
        let problem = format!("expected 1 to {CHANNELS_MAX} channels, found {}", channels.len());
        return text.fail(place, problem);
    }
    let mut checked: Vec<ChannelPlan> = Vec::new();
    let (mut measured, mut written) = (Vec::new(), Vec::new());
    for channel in channels.into_iter().map(Spanned::into_inner) {
        let name = channel.name.get_ref();
        if checked.iter().any(|earlier| earlier.name == *name) {
            return Err(already(text, channel.name.span(), "channel", name));
        }
        let (plan, rate) = check(channel, sources, calibrations, &mut written, text)?;
        measured.extend(rate.map(|rate| (checked.len(), rate)));
        checked.push(plan);
    }
    for (index, rate) in measured {
        checked[index].derivative = find_rate(&checked, index, &rate, text)?;
    }
    Ok(checked)
}

fn check(
    channel: ChannelText,
    sources: &[&str],
    calibrations: &CalibrationFile,
    written: &mut Vec<String>,
    text: &Text<'_>,
) -> Result<(ChannelPlan, Option<Spanned<String>>), FileError> {
    let source = sources.iter().position(|source| source == channel.source.get_ref()).ok_or_else(|| {
        let (found, known) = (channel.source.get_ref(), sources.join(", "));
        let problem = format!("there is no source `{found}`; expected one of {known}");
        text.fault_at(channel.source.span(), problem)
    })?;
    let shared = calibrations.channels.get(channel.name.get_ref());
    let calibration = match (channel.calibration, shared) {
        (Some(own), _) => own.check(text)?,
        (None, Some(shared)) => shared.clone(),
        (None, None) => Calibration::default(),
    };
    let wanted = [
        (channel.target, Quantity::Value),
        (channel.rate_target, Quantity::Rate),
        (channel.acceleration_target, Quantity::Acceleration),
    ];
    let mut targets = Vec::new();
    for (signal, quantity) in wanted {
        let Some(signal) = signal else { continue };
        if quantity != Quantity::Value && channel.derivative.is_none() {
            return text.fail(signal.span(), "expected a `derivative` from which this is had");
        }
        // Two channels that write one signal would take turns.
        if written.contains(signal.get_ref()) {
            let problem = format!("`{}` is written twice; expected another target", signal.get_ref());
            return text.fail(signal.span(), problem);
        }
        written.push(signal.get_ref().clone());
        targets.push(target::check(signal, quantity, &calibration.unit, text)?);
    }
    let derivative = channel.derivative.map(|found| derivative::check(found, &calibration, text)).transpose()?;
    let (derivative, rate) = derivative.unwrap_or((Derivative::None, None));
    let plan = ChannelPlan {
        name: channel.name.into_inner(),
        source,
        raw: channel.raw.into_inner(),
        only_changes: channel.only_changes,
        calibration,
        derivative,
        rules: channel.plausibility.check(text)?,
        targets,
    };
    Ok((plan, rate))
}

fn find_rate(
    channels: &[ChannelPlan],
    of: usize,
    rate: &Spanned<String>,
    text: &Text<'_>,
) -> Result<Derivative, FileError> {
    let others = || channels.iter().enumerate().filter(|(index, _)| *index != of);
    let Some((channel, found)) = others().find(|(_, other)| other.name == *rate.get_ref()) else {
        let known: Vec<&str> = others().map(|(_, other)| other.name.as_str()).collect();
        let problem = format!("there is no other channel `{}`; expected one of {}", rate.get_ref(), known.join(", "));
        return text.fail(rate.span(), problem);
    };
    let (own, measured) = (channels[of].calibration.unit, found.calibration.unit);
    let to_measured = own.factor_to(&measured, 1).ok_or_else(|| {
        let problem = format!(
            "`{}` is in {}, which is no rate of {}; give it a calibration with the unit of a rate",
            found.name, measured.name, own.name
        );
        text.fault_at(rate.span(), problem)
    })?;
    Ok(Derivative::Measured { channel, factor: 1.0 / to_measured })
}
