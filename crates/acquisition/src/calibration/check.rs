//! A calibration as it stands in a file, and what has to hold for it.

use files::ranges::{NotNegative, Whole};
use files::{Curve, Ends, FileError, Source as Text};
use serde::Deserialize;
use toml::Spanned;

use super::{Calibration, Map, Unit};
use crate::Number;

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

/// The least and the greatest value.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Limits {
    min: Option<f64>,
    max: Option<f64>,
}

/// Least and greatest value as they are given; infinite where none is given.
pub(crate) fn check_limits<T>(
    min: Option<f64>,
    max: Option<f64>,
    place: &Spanned<T>,
    text: &Text<'_>,
) -> Result<(f64, f64), FileError> {
    let (least, most) = (min.unwrap_or(f64::NEG_INFINITY), max.unwrap_or(f64::INFINITY));
    if least < most {
        return Ok((least, most));
    }
    text.fail(place.span(), format!("expected min less than max, found {least} and {most}"))
}

impl CalibrationText {
    /// The calibration, if it is one.
    pub fn check(self, text: &Text<'_>) -> Result<Calibration, FileError> {
        let none = (f64::NEG_INFINITY, f64::INFINITY);
        let (least, most) = self.clamp.map_or(Ok(none), |clamp| {
            let Limits { min, max } = *clamp.get_ref();
            check_limits(min, max, &clamp, text)
        })?;
        let sign = self.sign.map_or(Ok(1.0), |sign| match sign.get_ref().get() {
            0 => text.fail(sign.span(), "expected 1 or -1, found 0"),
            sign => Ok(sign as f64),
        })?;
        Ok(Calibration {
            offset: self.offset.map_or(0.0, |Number(offset)| offset),
            map: map(self.scale, self.two_point, self.table, text)?,
            sign,
            deadband: self.deadband.map_or(0.0, |width| *width),
            least,
            most,
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
