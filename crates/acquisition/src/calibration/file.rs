//! A file of calibrations, one table per channel: how it is read, what has to hold for it, and how
//! it is written so that people can read and change it.

use std::collections::BTreeMap;
use std::fmt;

use files::ranges::{NotNegative, Whole};
use files::{Curve, Ends, FileError, Source as Text};
use serde::Deserialize;
use toml::Spanned;

use super::{Calibration, Map, Unit};
use crate::{Number, check_format};

const FORMAT: &str = "rtrd-calibration-1";

/// Calibrations by the name of the channel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CalibrationFile {
    /// What is calibrated.
    pub channels: BTreeMap<String, Calibration>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileText {
    format: Spanned<String>,
    #[serde(default)]
    channel: BTreeMap<String, CalibrationText>,
}

impl CalibrationFile {
    /// Finds and reads a file, by name (a shipped one) or path; first beside `near`.
    pub fn load(name: &str, near: Option<&std::path::Path>) -> Result<Self, FileError> {
        Self::parse(&files::find("calibrations", name, near)?.source())
    }

    /// Reads a text.
    pub fn parse(text: &Text<'_>) -> Result<Self, FileError> {
        let found: FileText = text.toml()?;
        check_format(&found.format, FORMAT, text)?;
        let channels = found.channel.into_iter().map(|(name, calibration)| Ok((name, calibration.check(text)?)));
        Ok(Self { channels: channels.collect::<Result<_, FileError>>()? })
    }
}

/// The keys of a calibration; every one may be left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibrationText {
    offset: Option<Number>,
    scale: Option<Spanned<Number>>,
    two_point: Option<Spanned<[[Number; 2]; 2]>>,
    table: Option<Spanned<Vec<[Number; 2]>>>,
    sign: Option<Spanned<Whole<-1, 1>>>,
    deadband: Option<NotNegative>,
    clamp: Option<Spanned<Limits>>,
    unit: Option<Spanned<String>>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Limits {
    min: Option<f64>,
    max: Option<f64>,
}

/// Least and greatest value of a place, where they are given.
pub(crate) fn check_limits<T>(
    min: Option<f64>,
    max: Option<f64>,
    place: &Spanned<T>,
    text: &Text<'_>,
) -> Result<(), FileError> {
    let (least, most) = (min.unwrap_or(f64::NEG_INFINITY), max.unwrap_or(f64::INFINITY));
    if least < most {
        return Ok(());
    }
    text.fail(place.span(), format!("expected min less than max, found {least} and {most}"))
}

impl CalibrationText {
    /// The calibration, if it is one.
    pub fn check(self, text: &Text<'_>) -> Result<Calibration, FileError> {
        let Limits { min, max } = self.clamp.as_ref().map_or(Limits::default(), |clamp| *clamp.get_ref());
        if let Some(clamp) = &self.clamp {
            check_limits(min, max, clamp, text)?;
        }
        let sign = self.sign.map_or(Ok(1.0), |sign| match sign.get_ref().get() {
            0 => text.fail(sign.span(), "expected 1 or -1, found 0"),
            sign => Ok(sign as f64),
        })?;
        Ok(Calibration {
            offset: self.offset.map_or(0.0, |Number(offset)| offset),
            map: map(self.scale, self.two_point, self.table, text)?,
            sign,
            deadband: self.deadband.map_or(0.0, |width| *width),
            least: min.unwrap_or(f64::NEG_INFINITY),
            most: max.unwrap_or(f64::INFINITY),
            unit: unit(self.unit, text)?,
        })
    }
}

fn unit(name: Option<Spanned<String>>, text: &Text<'_>) -> Result<Unit, FileError> {
    let Some(name) = name else { return Ok(Unit::ONE) };
    Unit::named(name.get_ref()).ok_or_else(|| {
        let known = Unit::names().collect::<Vec<_>>().join(", ");
        text.fault_at(name.span(), format!("`{}` is no unit; expected one of {known}", name.get_ref()))
    })
}

fn map(
    scale: Option<Spanned<Number>>,
    two_point: Option<Spanned<[[Number; 2]; 2]>>,
    table: Option<Spanned<Vec<[Number; 2]>>>,
    text: &Text<'_>,
) -> Result<Map, FileError> {
    let number = |point: &[Number; 2]| point.map(|Number(number)| number);
    match (scale, two_point, table) {
        (None, None, None) => Ok(Map::Scale(1.0)),
        (Some(scale), None, None) if scale.get_ref().0 == 0.0 => {
            text.fail(scale.span(), "expected a scale other than zero, found 0")
        }
        (Some(scale), None, None) => Ok(Map::Scale(scale.get_ref().0)),
        (None, Some(points), None) => {
            let pair = [number(&points.get_ref()[0]), number(&points.get_ref()[1])];
            two_point_problem(&pair).map_or(Ok(Map::TwoPoint(pair)), |problem| text.fail(points.span(), problem))
        }
        (None, None, Some(points)) => {
            let mut rising: Vec<[f64; 2]> = points.get_ref().iter().map(number).collect();
            if rising.len() > 1 && rising[1][0] < rising[0][0] {
                rising.reverse();
            }
            let curve = Curve::new(rising, Ends::Straight);
            curve.map(Map::Table).map_err(|problem| text.fault_at(points.span(), problem))
        }
        (_, Some(points), _) => text.fail(points.span(), ONE_OF),
        (_, _, Some(points)) => text.fail(points.span(), ONE_OF),
    }
}

const ONE_OF: &str = "expected one of scale, two_point and table, found more";

fn two_point_problem([first, second]: &[[f64; 2]; 2]) -> Option<String> {
    let same = |index: usize| first[index] == second[index];
    let what = match (same(0), same(1)) {
        (true, _) => format!("the raw number {}", first[0]),
        (_, true) => format!("the value {}", first[1]),
        _ => return None,
    };
    Some(format!("both points have {what}; expected two different ones"))
}

/// The text of the file, as [`CalibrationFile::parse`] reads it.
impl fmt::Display for CalibrationFile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "format = \"{FORMAT}\"")?;
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
