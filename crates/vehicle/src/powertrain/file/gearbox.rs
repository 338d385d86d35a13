//! `[gearbox]`

use super::{Number, Points, Section};
use crate::files::FileError;
use crate::powertrain::control::{Control, Schedule};
use crate::powertrain::engine::{Engine, RPM};
use crate::powertrain::gearbox::{Gearbox, HandOver};
use crate::powertrain::launch::Launch;
use crate::powertrain::law::Loss;
use serde::Deserialize;
use toml::Spanned;

type Gearboxes<'a> = Section<'a, GearboxFile>;

/// What `[gearbox]` says.
pub struct GearboxParts {
    pub gearbox: Gearbox,
    pub control: Control,
    pub loss: Loss,
    pub output_inertia_kg_m2: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GearboxFile {
    forward: Spanned<Vec<Spanned<f64>>>,
    reverse: Number,
    hand_over: Option<Spanned<String>>,
    shift_time_s: Number,
    shift_torque_nm: Number,
    input_inertia_kg_m2: Number,
    output_inertia_kg_m2: Number,
    efficiency: Number,
    up_rpm: Points,
    down_rpm: Points,
    dwell_s: Number,
}

pub fn build(section: &Gearboxes<'_>, engine: &Engine, launch: &Launch) -> Result<GearboxParts, FileError> {
    let file = section.file;
    let gearbox = gears(section, launch)?;
    if !matches!(launch, Launch::Rigid) && (engine.inertia_kg_m2 <= 0.0 || engine.idle.is_none()) {
        return Err(section.missing("engine", "a clutch or converter needs engine.inertia_kg_m2 and engine.idle_rpm"));
    }
    let turns = engine.inertia_kg_m2 + gearbox.input_inertia_kg_m2 > 0.0;
    if turns && gearbox.shift_time_s == 0.0 && gearbox.forward.len() > 1 {
        return Err(section.missing("shift_time_s", "inertia cannot change its speed at once"));
    }
    Ok(GearboxParts {
        control: Control { schedule: schedule(section, &gearbox.forward)?, limit_rad_s: engine.limit_rad_s },
        gearbox,
        loss: Loss { efficiency: section.fraction_or(&file.efficiency, 1.0)? },
        output_inertia_kg_m2: section.not_negative(&file.output_inertia_kg_m2)?,
    })
}

fn gears(section: &Gearboxes<'_>, launch: &Launch) -> Result<Gearbox, FileError> {
    let file = section.file;
    let ratios = file.forward.get_ref().iter().map(|it| section.is_positive(it));
    let forward: Vec<f64> = ratios.collect::<Result<_, _>>()?;
    if forward.is_empty() {
        return Err(section.fault(&file.forward, "expected at least one ratio"));
    }
    if let Some(at) = forward.windows(2).position(|pair| pair[1] >= pair[0]) {
        let problem = "not monotonic: expected ratios (input by output speed) that fall from first gear up";
        return Err(section.fault(&file.forward.get_ref()[at + 1], problem));
    }
    let reverse = file.reverse.as_ref().map(|it| section.is_positive(it)).transpose()?;
    let shift_time_s = section.not_negative(&file.shift_time_s)?;
    let needs_torque = shift_time_s > 0.0;
    Ok(Gearbox {
        forward,
        reverse,
        hand_over: hand_over(section, launch)?,
        shift_time_s,
        shift_torque_nm: if needs_torque {
            section.positive(&file.shift_torque_nm, "shift_torque_nm", "the capacity of a gear's clutch")?
        } else {
            0.0
        },
        input_inertia_kg_m2: section.not_negative(&file.input_inertia_kg_m2)?,
    })
}

fn hand_over(section: &Gearboxes<'_>, launch: &Launch) -> Result<HandOver, FileError> {
    let Some(word) = &section.file.hand_over else {
        return Ok(HandOver::Overlap);
    };
    let interrupts = section.choice(word, &["overlap", "interrupt"])? == 1;
    if interrupts && !matches!(launch, Launch::Clutch { .. }) {
        return Err(section.fault(word, "only a launch of kind \"clutch\" can be interrupted; choose \"overlap\""));
    }
    Ok(if interrupts { HandOver::Interrupt } else { HandOver::Overlap })
}

fn schedule(section: &Gearboxes<'_>, forward: &[f64]) -> Result<Option<Schedule>, FileError> {
    let file = section.file;
    if file.up_rpm.is_none() && file.down_rpm.is_none() {
        return Ok(None);
    }
    let schedule = Schedule {
        up_rad_s: speeds(section, &file.up_rpm, "up_rpm", forward.len() - 1)?,
        down_rad_s: speeds(section, &file.down_rpm, "down_rpm", forward.len() - 1)?,
        dwell_s: section.not_negative(&file.dwell_s)?,
    };
    match (schedule.hunts(forward), &file.up_rpm) {
        (Some(at), Some(up)) => {
            let problem = format!(
                "the gearbox would hunt between gears {} and {}: after the change up the input turns no faster than down_rpm; raise it",
                at + 1,
                at + 2
            );
            Err(section.fault(&up.get_ref()[at], problem))
        }
        _ => Ok(Some(schedule)),
    }
}

/// Pairs of speeds, pedal released and pressed.
fn speeds(section: &Gearboxes<'_>, pairs: &Points, field: &str, count: usize) -> Result<Vec<[f64; 2]>, FileError> {
    let pairs = section.need(pairs, field, "a pair [pedal released, pressed] for each change of gear")?;
    if pairs.get_ref().len() != count {
        let found = pairs.get_ref().len();
        return Err(section.fault(
            pairs,
            format!("expected {count} pairs [pedal released, pressed], one for each change of gear, found {found}"),
        ));
    }
    let wrong = |pair: &[f64; 2]| pair.iter().any(|it| !(it.is_finite() && *it > 0.0));
    match pairs.get_ref().iter().find(|pair| wrong(pair.get_ref())) {
        Some(pair) => Err(section.fault(pair, "expected two positive speeds")),
        None => Ok(pairs.get_ref().iter().map(|pair| pair.get_ref().map(|it| it * RPM)).collect()),
    }
}
