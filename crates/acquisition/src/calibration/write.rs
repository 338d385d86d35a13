//! Writes calibrations so that people can read and change them.

use std::fmt;

use super::{CALIBRATION_FORMAT, Calibration, CalibrationFile, Map};

/// The text of the file, as [`CalibrationFile::parse`] reads it.
impl fmt::Display for CalibrationFile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "format = \"{CALIBRATION_FORMAT}\"")?;
        for (name, calibration) in &self.channels {
            let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
            let name = if !name.is_empty() && name.chars().all(plain) {
                name.clone()
            } else {
                toml::Value::String(name.clone()).to_string()
            };
            write!(out, "\n[channel.{name}]\n{calibration}")?;
        }
        Ok(())
    }
}

/// The keys of the calibration, those that say something.
impl fmt::Display for Calibration {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.offset != 0.0 {
            writeln!(out, "offset = {:?}", self.offset)?;
        }
        match &self.map {
            Map::Scale(scale) => writeln!(out, "scale = {scale:?}")?,
            Map::TwoPoint([first, second]) => writeln!(out, "two_point = [{first:?}, {second:?}]")?,
            Map::Table(curve) => {
                writeln!(out, "table = [")?;
                for point in curve.points() {
                    writeln!(out, "    {point:?},")?;
                }
                writeln!(out, "]")?;
            }
        }
        if self.sign < 0.0 {
            writeln!(out, "sign = -1")?;
        }
        if self.deadband != 0.0 {
            writeln!(out, "deadband = {:?}", self.deadband)?;
        }
        match (self.least.is_finite(), self.most.is_finite()) {
            (true, true) => writeln!(out, "clamp = {{ min = {:?}, max = {:?} }}", self.least, self.most)?,
            (true, false) => writeln!(out, "clamp = {{ min = {:?} }}", self.least)?,
            (false, true) => writeln!(out, "clamp = {{ max = {:?} }}", self.most)?,
            (false, false) => {}
        }
        writeln!(out, "unit = \"{}\"", self.unit.name)
    }
}
