//! The characteristic file of a brake system.
//!
//! See `docs/chassis-subsystems.md` for the format with an example.

use super::antilock::{Controller, Phases, SlipLimit};
use super::line::{Friction, Lag, Pedal, Split};
use super::system::{Antilock, Axle, State, StepFactors, System};
use crate::WHEELS_MAX;
use crate::files::{Curve, FileError, Source};
use crate::numbers::{Number, NumberList, all, not_negative, or_default, positive, within};
use serde::Deserialize;
use toml::Spanned;

/// The most that a line takes unless the file says otherwise (bar).
const LIMIT_BAR: f64 = 400.0;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    kind: Spanned<String>,
    pedal: Spanned<PedalText>,
    axle: Spanned<Vec<Spanned<AxleText>>>,
    antilock: Option<AntilockText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PedalText {
    full_bar: Option<Number>,
    travel: Option<NumberList>,
    pressure_bar: Option<NumberList>,
    limit_bar: Option<Number>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AxleText {
    wheels: Option<Spanned<usize>>,
    share: Option<Number>,
    knee_bar: Option<Number>,
    slope_above_knee: Option<Number>,
    lag_s: Option<Number>,
    release_lag_s: Option<Number>,
    torque_nm_bar: Option<Number>,
    threshold_bar: Option<Number>,
    pressure_bar: Option<NumberList>,
    torque_nm: Option<NumberList>,
    wheel_gains: Option<NumberList>,
    parking_nm: Option<Number>,
    antilock: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AntilockText {
    kind: Spanned<String>,
    radius_m: Number,
    off_below_m_s: Number,
    excess: Option<Number>,
    reapply_excess: Option<Number>,
    least: Option<Number>,
    slip_low: Option<Number>,
    slip_high: Option<Number>,
    deceleration_m_s2: Option<Number>,
    recovery_m_s2: Option<Number>,
    build_bar_s: Option<Number>,
    dump_bar_s: Option<Number>,
    filter_s: Option<Number>,
}

fn part(source: &Source<'_>, number: &Number) -> Result<f64, FileError> {
    within(source, number, 0.0, 1.0)
}

/// Reads the file for a vehicle with so many wheels.
pub(super) fn system(source: &Source<'_>, wheels: usize) -> Result<System, FileError> {
    let text: Text = source.toml()?;
    if !matches!(text.kind.get_ref().as_str(), "hydraulic" | "air") {
        let problem =
            format!("expected \"hydraulic\", \"air\" or \"electromechanical\", found \"{}\"", text.kind.get_ref());
        return Err(source.fault_at(text.kind.span(), problem));
    }
    let axles = text.axle.get_ref().iter();
    let axles: Vec<Axle> = axles.map(|it| axle(source, it, text.antilock.is_some())).collect::<Result<_, _>>()?;
    super::check_wheels(source, &text.axle, wheels, |it| wheels_of(it.get_ref()))?;
    Ok(System {
        pedal: pedal(source, &text.pedal)?,
        factors: StepFactors::new(&axles),
        axles,
        antilock: text.antilock.as_ref().map(|it| antilock(source, it)).transpose()?,
        state: State::new(wheels),
    })
}

fn pedal(source: &Source<'_>, spanned: &Spanned<PedalText>) -> Result<Pedal, FileError> {
    let text = spanned.get_ref();
    let pressure_bar = match (&text.full_bar, &text.travel, &text.pressure_bar) {
        (Some(full), None, None) => Curve::ramp(1.0, positive(source, full)?),
        (None, Some(travel), Some(pressure)) => {
            all(source, pressure, not_negative)?;
            Curve::read_rising(source, travel, pressure)?
        }
        _ => {
            return Err(source.fault_at(
                spanned.span(),
                "expected full_bar, or a table of travel and pressure_bar: give one of the two",
            ));
        }
    };
    let limit_bar = or_default(source, text.limit_bar.as_ref(), LIMIT_BAR, positive)?;
    Ok(Pedal { pressure_bar, limit_bar })
}

fn wheels_of(text: &AxleText) -> usize {
    text.wheels.as_ref().map_or(2, |it| *it.get_ref())
}

fn axle(source: &Source<'_>, spanned: &Spanned<AxleText>, has_antilock: bool) -> Result<Axle, FileError> {
    let text = spanned.get_ref();
    let wheels = wheels_of(text);
    if !(1..=WHEELS_MAX).contains(&wheels) {
        let place = text.wheels.as_ref().map_or(spanned.span(), Spanned::span);
        return Err(source.fault_at(place, format!("expected 1 to {WHEELS_MAX} wheels, found {wheels}")));
    }
    let build_s = or_default(source, text.lag_s.as_ref(), 0.0, not_negative)?;
    Ok(Axle {
        wheels,
        split: split(source, text)?,
        lag: Lag { build_s, release_s: or_default(source, text.release_lag_s.as_ref(), build_s, not_negative)? },
        friction: friction(source, spanned)?,
        gains: gains(source, text, wheels)?,
        parking_nm: or_default(source, text.parking_nm.as_ref(), 0.0, not_negative)?,
        channel_wheels: channel_wheels(source, text, wheels, has_antilock)?,
    })
}

fn split(source: &Source<'_>, text: &AxleText) -> Result<Split, FileError> {
    let split = Split {
        share: or_default(source, text.share.as_ref(), 1.0, part)?,
        knee_bar: or_default(source, text.knee_bar.as_ref(), f64::INFINITY, not_negative)?,
        slope: or_default(source, text.slope_above_knee.as_ref(), 1.0, part)?,
    };
    match (&text.knee_bar, &text.slope_above_knee) {
        (Some(alone), None) | (None, Some(alone)) => Err(source.fault_at(
            alone.span(),
            "expected knee_bar and slope_above_knee together, found one of them: add the other or leave both out",
        )),
        _ => Ok(split),
    }
}

fn friction(source: &Source<'_>, spanned: &Spanned<AxleText>) -> Result<Friction, FileError> {
    let text = spanned.get_ref();
    match (&text.torque_nm_bar, &text.pressure_bar, &text.torque_nm) {
        (Some(gain), None, None) => Ok(Friction::Linear {
            nm_bar: not_negative(source, gain)?,
            threshold_bar: or_default(source, text.threshold_bar.as_ref(), 0.0, not_negative)?,
        }),
        (None, Some(pressure), Some(torque)) => {
            all(source, torque, not_negative)?;
            Ok(Friction::Table(Curve::read_rising(source, pressure, torque)?))
        }
        _ => Err(source.fault_at(
            spanned.span(),
            "expected torque_nm_bar, or a table of pressure_bar and torque_nm: give one of the two",
        )),
    }
}

fn gains(source: &Source<'_>, text: &AxleText, wheels: usize) -> Result<Vec<f64>, FileError> {
    let Some(list) = &text.wheel_gains else {
        return Ok(vec![1.0; wheels]);
    };
    let gains = all(source, list, not_negative)?;
    if gains.len() == wheels {
        return Ok(gains);
    }
    let problem = format!("expected {wheels} gains, one for each wheel, found {}", gains.len());
    Err(source.fault_at(list.span(), problem))
}

fn channel_wheels(source: &Source<'_>, text: &AxleText, wheels: usize, has_antilock: bool) -> Result<usize, FileError> {
    let Some(layout) = &text.antilock else {
        return Ok(usize::from(has_antilock));
    };
    match layout.get_ref().as_str() {
        "none" => Ok(0),
        "wheel" => Ok(1),
        "select-low" => Ok(wheels),
        other => Err(source
            .fault_at(layout.span(), format!("expected \"wheel\", \"select-low\" or \"none\", found \"{other}\""))),
    }
}

fn antilock(source: &Source<'_>, text: &AntilockText) -> Result<Antilock, FileError> {
    let off_below_m_s = not_negative(source, &text.off_below_m_s)?;
    let controller = match text.kind.get_ref().as_str() {
        "slip-limit" => Controller::SlipLimit(slip_limit(source, text, off_below_m_s)?),
        "phases" => Controller::Phases(phases(source, text, off_below_m_s)?),
        other => {
            let problem = format!("expected \"slip-limit\" or \"phases\", found \"{other}\"");
            return Err(source.fault_at(text.kind.span(), problem));
        }
    };
    Ok(Antilock {
        controller,
        radius_m: positive(source, &text.radius_m)?,
        filter_s: or_default(source, text.filter_s.as_ref(), 0.005, not_negative)?,
    })
}

fn slip_limit(source: &Source<'_>, text: &AntilockText, off_below_m_s: f64) -> Result<SlipLimit, FileError> {
    let excess = or_default(source, text.excess.as_ref(), 0.1, positive)?;
    let up_to_excess = |source: &Source<'_>, number: &Number| within(source, number, 0.0, excess);
    Ok(SlipLimit {
        excess,
        reapply_excess: or_default(source, text.reapply_excess.as_ref(), excess, up_to_excess)?,
        least: or_default(source, text.least.as_ref(), 0.0, part)?,
        off_below_m_s,
    })
}

fn phases(source: &Source<'_>, text: &AntilockText, off_below_m_s: f64) -> Result<Phases, FileError> {
    let slip_low = or_default(source, text.slip_low.as_ref(), 0.05, part)?;
    let above_low = |source: &Source<'_>, number: &Number| within(source, number, slip_low, 1.0);
    Ok(Phases {
        slip_low,
        slip_high: or_default(source, text.slip_high.as_ref(), 0.15, above_low)?,
        deceleration_m_s2: or_default(source, text.deceleration_m_s2.as_ref(), 25.0, positive)?,
        recovery_m_s2: or_default(source, text.recovery_m_s2.as_ref(), 5.0, positive)?,
        build_bar_s: or_default(source, text.build_bar_s.as_ref(), 200.0, positive)?,
        dump_bar_s: or_default(source, text.dump_bar_s.as_ref(), 1000.0, positive)?,
        off_below_m_s,
    })
}
