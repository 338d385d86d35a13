//! `[[axles]]` and `[centre]`

use super::check::Section;
use super::description::{AxleFile, DifferentialFile, File};
use crate::WHEELS_MAX;
use crate::files::{self, FileError, Source};
use crate::powertrain::axles::{Axle, Axles};
use crate::powertrain::differential::Differential;
use toml::Spanned;

pub fn build(source: &Source<'_>, file: &File, wheels: usize) -> Result<Axles, FileError> {
    let sections = Section::new(source, "axles", &file.axles);
    if file.axles.get_ref().is_empty() {
        return Err(sections.fault(&file.axles, "expected at least one driven axle"));
    }
    let wheels = wheels.min(WHEELS_MAX);
    let mut axles = Vec::new();
    for axle in file.axles.get_ref() {
        axles.push(one(&sections.inside("axles", axle), wheels, file.axles.get_ref().len())?);
    }
    whole(source, file, &axles)?;
    let centre = match &file.centre {
        Some(centre) => differential(&Section::new(source, "centre", centre))?,
        None => Differential::Open,
    };
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
    Ok(Axle {
        wheels: [left, right],
        ratio: section.positive(&file.ratio, "ratio", "the final drive's ratio")?,
        share,
        differential: match &file.differential {
            Some(file) => differential(&section.inside("axles.differential", file))?,
            None => Differential::Open,
        },
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
fn whole(source: &Source<'_>, file: &File, axles: &[Axle]) -> Result<(), files::FileError> {
    let sections = Section::new(source, "axles", &file.axles);
    for (at, axle) in axles.iter().enumerate() {
        let driven = |wheel: &usize| axles[..at].iter().any(|it| it.wheels.contains(wheel));
        if let Some(twice) = axle.wheels.iter().find(|it| driven(it)) {
            let place = &file.axles.get_ref()[at].get_ref().wheels;
            return Err(sections.fault(place, format!("wheel {} is driven by another axle already", twice + 1)));
        }
    }
    let sum: f64 = axles.iter().map(|it| it.share).sum();
    let last = file.axles.get_ref().last().and_then(|it| it.get_ref().share.as_ref());
    match last {
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
