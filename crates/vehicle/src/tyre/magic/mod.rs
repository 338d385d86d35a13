//! The Magic Formula: coefficients from a property file, forces by Pacejka's equations.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `shape` | the sine and the cosine version of the formula |
//! | `coefficients` | the coefficients by section, with their names in the file |
//! | `condition` | what both versions share |
//! | `vertical` | load, rolling radius and bottoming; inflation pressure and tangential stiffness of MF 6.1 |
//! | `mf52` | MF-Tyre 5.2, which Adams calls PAC2002 |
//! | `mf61` | MF-Tyre 6.1, with inflation pressure |
//!
//! Both versions work in the axes of the tyre's file (ISO 8855, TYDEX W). Forces are those at
//! steady state; turn slip (parking, path curvature) is left out. Above the largest load of the
//! file the forces are those at that load. Road friction multiplies the scaling factors LMUX and
//! LMUY.

mod coefficients;
mod common;
mod condition;
mod mf52;
mod mf61;
mod shape;
mod vertical;

use super::fiala::Fiala;
use super::property::{Dimension, PropertyFile};
use super::{Reading, Side, Tyre};
use crate::files::{FileError, Source};
pub use mf52::MagicFormula52;
pub use mf61::MagicFormula61;
pub(super) use vertical::deflection_curve;

/// Known, and of no use here: what the keys describe is not modelled, or belongs to the
/// measurement.
const IGNORED: &str = "\
    USE_MODE VXLOW ASPECT_RATIO RIM_WIDTH RIM_RADIUS WIDTH KPUMIN KPUMAX ALPMIN ALPMAX CAMMIN CAMMAX PRESMIN \
    PRESMAX LGYR QTZ1 MBELT MESSAGES CONTACT_MODEL FUNCTION_NAME N_TIRE_STATES HMAX_LOCAL TIME_SWITCH_INTEG \
    MFSAFE1 MFSAFE2 MFSAFE3 LMUV MASS IXX IYY BELT_MASS BELT_IXX BELT_IYY GRAVITY RATIO USER_SUB_ID \
    ROAD_INCREMENT ROAD_DIRECTION Q_FCX Q_FCY Q_FCY2 Q_CAM Q_CAM1 Q_CAM2 Q_CAM3 Q_FYS1 Q_FYS2 Q_FYS3 Q_RA1 \
    Q_RA2 Q_RB1 Q_RB2 LSGKP LSGAL LMP";

/// Reads a `.tir` file of any kind that is known.
pub(super) fn read(source: &Source<'_>) -> Result<Reading, FileError> {
    let file = PropertyFile::read(source)?;
    let line = file.require("MODEL")?;
    let tyre: Box<dyn Tyre> = match kind(&file, line)? {
        Kind::Fiala => Box::new(Fiala::from_properties(&file)?),
        Kind::Version52 => Box::new(MagicFormula52::from_properties(&file)?),
        Kind::Version61 => Box::new(MagicFormula61::from_properties(&file)?),
    };
    for section in ["TURNSLIP_COEFFICIENTS", "TURN_SLIP_PARAMETERS"] {
        if file.has(section) {
            file.note(file.require(section)?, section, "turn slip is not modelled");
        }
    }
    let side = match file.text("MODEL", "TYRESIDE") {
        Some((side, _)) if side == "LEFT" => Some(Side::Left),
        Some((side, _)) if side == "RIGHT" => Some(Side::Right),
        _ => None,
    };
    Ok(Reading { tyre, side, notes: turnslip_aside(file.notes(IGNORED)) })
}

/// The keys of turn slip are covered by one note.
fn turnslip_aside(mut notes: Vec<FileError>) -> Vec<FileError> {
    const TURN: [&str; 9] = ["PDXP", "PKYP", "PDYP", "PHYP", "PECP", "QDTP", "QCRP", "QBRP", "QDRP"];
    notes.retain(|note| !TURN.iter().any(|start| note.field.starts_with(start)));
    notes
}

enum Kind {
    Fiala,
    Version52,
    Version61,
}

/// The model, from PROPERTY_FILE_FORMAT or, where that is no name of a model, from FITTYP.
fn kind(file: &PropertyFile<'_>, model_line: usize) -> Result<Kind, FileError> {
    let format = file.text("MODEL", "PROPERTY_FILE_FORMAT");
    let fit = file.number("MODEL", "FITTYP")?;
    let name = format.as_ref().map_or("", |(name, _)| name.as_str());
    match (name, fit) {
        ("FIALA", _) => return Ok(Kind::Fiala),
        ("PAC2002" | "MF_05" | "MF_TYRE52" | "MF52" | "MF-TYRE52", _) => return Ok(Kind::Version52),
        ("MF_TYRE61" | "MF61" | "MF-TYRE61" | "MF_61", _) => return Ok(Kind::Version61),
        (_, Some(5.0 | 6.0 | 21.0 | 51.0 | 52.0)) => return Ok(Kind::Version52),
        (_, Some(60.0 | 61.0)) => return Ok(Kind::Version61),
        (_, Some(62.0)) => {
            file.note(
                model_line,
                "FITTYP",
                "MF 6.2 is read as MF 6.1: its own terms of the loaded radius are left out",
            );
            return Ok(Kind::Version61);
        }
        _ => {}
    }
    let line = format.as_ref().map_or(model_line, |(_, line)| *line);
    let found = match fit {
        Some(fit) => format!("'{name}' and FITTYP {fit}"),
        None => format!("'{name}' and no FITTYP"),
    };
    let problem = format!(
        "expected 'PAC2002', 'MF_05', 'MF_TYRE52', 'MF_TYRE61' or 'FIALA', or FITTYP 5, 6, 21, 52, 60, 61 or 62, found {found}"
    );
    Err(file.fault(line, "PROPERTY_FILE_FORMAT", problem))
}

/// Loads (N) for which the coefficients were fitted; without the section, up to four times the
/// nominal load.
fn load_range_n(file: &PropertyFile<'_>, nominal_load_n: f64) -> Result<(f64, f64), FileError> {
    const SECTION: &str = "VERTICAL_FORCE_RANGE";
    let least = file.quantity_or(SECTION, "FZMIN", Dimension::Force, 0.0)?;
    let most = file.quantity_or(SECTION, "FZMAX", Dimension::Force, 4.0 * nominal_load_n)?;
    if most <= least.max(0.0) || most > 1.0e7 {
        let line = file.require(SECTION).unwrap_or(1);
        return Err(file.fault(line, "FZMAX", format!("expected more than FZMIN and at most 10 MN, found {most} N")));
    }
    Ok((least.max(0.0), most))
}
