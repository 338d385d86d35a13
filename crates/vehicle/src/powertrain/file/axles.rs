//! `[[axles]]` and `[centre]`

use super::{Number, Section};
use crate::WHEELS_MAX;
use crate::files::{FileError, Source};
use crate::powertrain::axles::{Axle, Axles};
use crate::powertrain::differential::Differential;
use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AxleFile {
    wheels: Spanned<[Spanned<i64>; 2]>,
    ratio: Number,
    share: Number,
    half_shaft_inertia_kg_m2: Number,
    differential: Option<Spanned<DifferentialFile>>,
}

/// `[centre]` and the differential of an axle.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DifferentialFile {
    kind: Spanned<String>,
    preload_nm: Number,
    bias: Number,
    start_rad_s: Number,
    full_rad_s: Number,
    viscous_nms_rad: Number,
}

pub type AxleFiles = Spanned<Vec<Spanned<AxleFile>>>;

pub fn build(
    source: &Source<'_>,
    files: &AxleFiles,
    centre: Option<&Spanned<DifferentialFile>>,
    wheels: usize,
) -> Result<Axles, FileError> {
    let sections = Section::new(source, "axles", files);
    if files.get_ref().is_empty() {
        return Err(sections.fault(files, "expected at least one driven axle"));
    }
    let wheels = wheels.min(WHEELS_MAX);
    let count = files.get_ref().len();
    let axles = files.get_ref().iter().map(|axle| one(&sections.inside("axles", axle), wheels, count));
    let axles: Vec<Axle> = axles.collect::<Result<_, _>>()?;
    whole(&sections, &axles)?;
    let centre = centre.map(|centre| differential(&Section::new(source, "centre", centre))).transpose()?;
    let centre = centre.unwrap_or_default();
    Ok(Axles::new(axles, centre, wheels))
}

fn one(section: &Section<'_, AxleFile>, wheels: usize, axles: usize) -> Result<Axle, FileError> {
    let file = section.file;
    let [left, right] = file.wheels.get_ref();
    let (left, right) = (wheel(section, left, wheels)?, wheel(section, right, wheels)?);
    if left == right {
        return Err(section.fault(&file.wheels, "expected two different wheels, left and right"));
    }
    let share = match (&file.share, axles) {
        (None, 1) => 1.0,
        (None, _) => {
            return Err(section.missing("share", "with several driven axles each has its part of the torque"));
        }
        (share, _) => section.fraction_or(share, 1.0)?,
    };
    let own = file.differential.as_ref().map(|it| differential(&section.inside("axles.differential", it)));
    Ok(Axle {
        wheels: [left, right],
        ratio: section.positive(&file.ratio, "ratio", "the final drive's ratio")?,
        share,
        differential: own.transpose()?.unwrap_or_default(),
        half_shaft_inertia_kg_m2: section.not_negative(&file.half_shaft_inertia_kg_m2)?,
    })
}

/// A wheel's place from its number, which counts from 1.
fn wheel(section: &Section<'_, AxleFile>, number: &Spanned<i64>, wheels: usize) -> Result<usize, FileError> {
    let found = *number.get_ref();
    match usize::try_from(found).ok().and_then(|it| it.checked_sub(1)) {
        Some(place) if place < wheels => Ok(place),
        _ => Err(section.fault(number, format!("expected a wheel from 1 (front left) to {wheels}, found {found}"))),
    }
}

/// Shares make a whole, and no wheel is driven twice.
fn whole(sections: &Section<'_, Vec<Spanned<AxleFile>>>, axles: &[Axle]) -> Result<(), FileError> {
    for (at, (axle, file)) in axles.iter().zip(sections.file).enumerate() {
        let driven = |wheel: &usize| axles[..at].iter().any(|it| it.wheels.contains(wheel));
        if let Some(twice) = axle.wheels.iter().find(|it| driven(it)) {
            let problem = format!("wheel {} is driven by another axle already", twice + 1);
            return Err(sections.fault(&file.get_ref().wheels, problem));
        }
    }
    let sum: f64 = axles.iter().map(|it| it.share).sum();
    match sections.file.last().and_then(|it| it.get_ref().share.as_ref()) {
        Some(place) if (sum - 1.0).abs() > 1e-9 => {
            Err(sections.fault(place, format!("expected shares that add up to 1, found {sum}")))
        }
        _ => Ok(()),
    }
}

fn differential(section: &Section<'_, DifferentialFile>) -> Result<Differential, FileError> {
    let file = section.file;
    match section.choice(&file.kind, &["open", "limited-slip", "viscous", "locked"])? {
        0 => Ok(Differential::Open),
        1 => limited_slip(section),
        2 => {
            let slope = section.positive(&file.viscous_nms_rad, "viscous_nms_rad", "torque by speed difference")?;
            Ok(Differential::Viscous(slope))
        }
        _ => Ok(Differential::Locked),
    }
}

fn limited_slip(section: &Section<'_, DifferentialFile>) -> Result<Differential, FileError> {
    let file = section.file;
    let bias = section.positive_or(&file.bias, 1.0)?;
    if let Some(place) = &file.bias
        && bias < 1.0
    {
        let problem = format!("expected the slower side's torque by the faster side's, 1 or more, found {bias}");
        return Err(section.fault(place, problem));
    }
    let start_rad_s = section.not_negative(&file.start_rad_s)?;
    let full_rad_s = section.positive_or(&file.full_rad_s, start_rad_s + 0.1)?;
    if let Some(place) = &file.full_rad_s
        && full_rad_s <= start_rad_s
    {
        return Err(section.fault(place, "not monotonic: expected more than start_rad_s"));
    }
    Ok(Differential::LimitedSlip { preload_nm: section.not_negative(&file.preload_nm)?, bias, start_rad_s, full_rad_s })
}
