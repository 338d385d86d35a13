//! The `[UNITS]` of a property file: factors that make its quantities SI.
//!
//! The coefficients of the Magic Formula have no units in any file (slip angles inside of them are
//! radians): units apply to dimensions, loads, stiffnesses, speeds and pressures.

use super::PropertyFile;
use crate::files::FileError;
use std::f64::consts::PI;

/// What a quantity is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Dimension {
    Length,
    Force,
    /// Force by length.
    Stiffness,
    /// Force times time by length.
    Damping,
    /// Force by angle.
    ForceByAngle,
    Speed,
    Pressure,
    /// Without unit.
    Ratio,
}

/// Factors from the units of the file to SI.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    length: f64,
    force: f64,
    angle: f64,
    time: f64,
    pressure: f64,
    speed: Option<f64>,
}

impl Default for Units {
    fn default() -> Self {
        Self { length: 1.0, force: 1.0, angle: 1.0, time: 1.0, pressure: 1.0, speed: None }
    }
}

/// Names of each unit, and its factor to SI.
const LENGTHS: &[(&str, f64)] = &[
    ("METER METRE M", 1.0),
    ("MILLIMETER MILLIMETRE MM", 1e-3),
    ("CENTIMETER CENTIMETRE CM", 1e-2),
    ("KILOMETER KM", 1e3),
    ("INCH IN", 0.0254),
    ("FOOT FT FEET", 0.3048),
    ("MILE", 1609.344),
];
const FORCES: &[(&str, f64)] = &[
    ("NEWTON N", 1.0),
    ("KILONEWTON KNEWTON KN", 1e3),
    ("POUND_FORCE LBF", 4.448_221_615_260_5),
    ("KG_FORCE KILOGRAM_FORCE KGF", 9.806_65),
    ("DYNE", 1e-5),
];
const ANGLES: &[(&str, f64)] = &[("RADIAN RAD", 1.0), ("DEGREE DEG", PI / 180.0)];
const MASSES: &[(&str, f64)] = &[
    ("KG KILOGRAM", 1.0),
    ("GRAM G", 1e-3),
    ("TONNE", 1e3),
    ("POUND_MASS LBM", 0.453_592_37),
    ("SLUG", 14.593_902_937),
];
const TIMES: &[(&str, f64)] =
    &[("SECOND SEC S", 1.0), ("MILLISECOND MS", 1e-3), ("MINUTE MIN", 60.0), ("HOUR H", 3600.0)];
const PRESSURES: &[(&str, f64)] =
    &[("PASCAL PA", 1.0), ("KILOPASCAL KPA", 1e3), ("MEGAPASCAL MPA", 1e6), ("BAR", 1e5), ("PSI", 6_894.757_293_168)];
const SPEEDS: &[(&str, f64)] = &[("M/S METER/SECOND", 1.0), ("KM/H KPH", 1.0 / 3.6), ("MM/S", 1e-3), ("MPH", 0.447_04)];

impl Units {
    /// Reads the section. Length, force, angle and time must be there.
    pub fn read(file: &PropertyFile<'_>) -> Result<Self, FileError> {
        let required = |key: &str, known| match unit(file, key, known)? {
            Some(factor) => Ok(factor),
            None => {
                let line = file.require("UNITS")?;
                Err(file.fault(line, key, "expected in section [UNITS], but it is missing"))
            }
        };
        let speed = match unit(file, "SPEED", SPEEDS)? {
            Some(factor) => Some(factor),
            None => unit(file, "VELOCITY", SPEEDS)?,
        };
        unit(file, "MASS", MASSES)?;
        Ok(Self {
            length: required("LENGTH", LENGTHS)?,
            force: required("FORCE", FORCES)?,
            angle: required("ANGLE", ANGLES)?,
            time: required("TIME", TIMES)?,
            pressure: unit(file, "PRESSURE", PRESSURES)?.unwrap_or(1.0),
            speed,
        })
    }

    /// The factor from the file's unit to the SI unit.
    pub fn factor(&self, dimension: Dimension) -> f64 {
        match dimension {
            Dimension::Length => self.length,
            Dimension::Force => self.force,
            Dimension::Stiffness => self.force / self.length,
            Dimension::Damping => self.force * self.time / self.length,
            Dimension::ForceByAngle => self.force / self.angle,
            Dimension::Speed => self.speed.unwrap_or(self.length / self.time),
            Dimension::Pressure => self.pressure,
            Dimension::Ratio => 1.0,
        }
    }
}

/// A unit by its name, in the singular or the plural.
fn unit(file: &PropertyFile<'_>, key: &str, known: &[(&str, f64)]) -> Result<Option<f64>, FileError> {
    let Some((name, line)) = file.text("UNITS", key) else {
        return Ok(None);
    };
    let singular = name.strip_suffix('S').unwrap_or(&name);
    let is_named = |others: &str| others.split(' ').any(|other| other == name || other == singular);
    let found = known.iter().find(|(others, _)| is_named(others));
    match found {
        Some((_, factor)) => Ok(Some(*factor)),
        None => {
            let names: Vec<&str> = known.iter().flat_map(|(names, _)| names.split(' ')).collect();
            let problem = format!("unknown unit '{name}', expected one of {}", names.join(", "));
            Err(file.fault(line, key, problem))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Source;

    fn file(text: &str) -> Result<f64, FileError> {
        let file = PropertyFile::read(&Source::new("a.tir", text.as_bytes()))?;
        file.within("A", "STIFFNESS", Dimension::Stiffness, (0.0, 1e9))
    }

    #[test]
    fn units_are_honoured() {
        let head = "[UNITS]\nLENGTH='mm'\nFORCE='kN'\nANGLE='degrees'\nTIME='sec'\n[A]\n";
        let stiffness = file(&format!("{head}STIFFNESS=0.2\n")).expect("a stiffness");
        assert!((stiffness - 200_000.0).abs() < 1e-6);
        let file = PropertyFile::read(&Source::new("a.tir", head.as_bytes())).expect("units");
        assert!((file.units().factor(Dimension::ForceByAngle) - 1000.0 * 180.0 / PI).abs() < 1e-6);
        assert!((file.units().factor(Dimension::Speed) - 1e-3).abs() < 1e-12);
    }

    #[test]
    fn an_unknown_unit_names_its_line() {
        let error = file("[UNITS]\nLENGTH='furlong'\n").expect_err("no such unit");
        assert_eq!((error.line, error.field.as_str()), (2, "LENGTH"));
        let error = file("[UNITS]\nLENGTH='m'\nFORCE='N'\nTIME='s'\n").expect_err("no angle");
        assert_eq!((error.line, error.field.as_str()), (1, "ANGLE"));
    }
}
