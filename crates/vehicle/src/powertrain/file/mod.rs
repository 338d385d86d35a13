//! Powertrain files: what stands in them and what is checked.
//!
//! [`description`] is the file as it is written, [`check`] finds the values and tells what is wrong
//! with them, the other modules make the parts. The format is described in `docs/powertrain.md`.

mod axles;
mod check;
mod description;
mod engine;
mod gearbox;
mod launch;

use super::energy::{Lie, Mounting};
use super::train::{Parts, Train};
use crate::files::{FileError, Source};
use check::Section;
use description::{File, MountingFile};

/// Reads a powertrain for a vehicle with so many wheels.
pub(super) fn read(source: &Source<'_>, wheels: usize) -> Result<Train, FileError> {
    let file: File = source.toml()?;
    let engine = engine::build(&Section::new(source, "engine", &file.engine))?;
    let launch = match &file.launch {
        Some(launch) => launch::build(&Section::new(source, "launch", launch))?,
        None => super::launch::Launch::Rigid,
    };
    let geared = gearbox::build(&Section::new(source, "gearbox", &file.gearbox), &engine, &launch)?;
    let axles = axles::build(source, &file, wheels)?;
    let mounting = file.mounting.as_ref().map(|it| mounting(&Section::new(source, "mounting", it))).transpose()?;
    Ok(Train::new(Parts {
        engine,
        launch,
        gearbox: geared.gearbox,
        control: geared.control,
        loss: geared.loss,
        output_inertia_kg_m2: geared.output_inertia_kg_m2,
        axles,
        mounting,
    }))
}

fn mounting(section: &Section<'_, MountingFile>) -> Result<Mounting, FileError> {
    let engine = match section.choice(&section.file.engine, &["longitudinal", "transverse"])? {
        0 => Lie::Longitudinal,
        _ => Lie::Transverse,
    };
    let on_body = section.choice(&section.file.final_drive, &["body", "axle"])? == 0;
    Ok(Mounting { engine, final_drive_on_body: on_body })
}
