//! A calibration as it stands in a file, and what has to hold for it.

use serde::Deserialize;
use toml::Spanned;

use super::{Calibration, Map, Unit};
use crate::text::{Text, TextError};

/// The keys of a calibration; every one may be left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibrationText {
    offset: Option<Spanned<f64>>,
    scale: Option<Spanned<f64>>,
    two_point: Option<Spanned<[[f64; 2]; 2]>>,
    table: Option<Spanned<Vec<[f64; 2]>>>,
    sign: Option<Spanned<i64>>,
    deadband: Option<Spanned<f64>>,
    clamp: Option<Spanned<ClampText>>,
    unit: Option<Spanned<String>>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClampText {
    min: Option<f64>,
    max: Option<f64>,
}

impl CalibrationText {
    /// The calibration, if it is one.
    pub fn check(self, text: &Text) -> Result<Calibration, TextError> {
        let sign = match &self.sign {
            None => 1.0,
            Some(sign) if [-1, 1].contains(sign.get_ref()) => *sign.get_ref() as f64,
            Some(sign) => {
                return Err(text.fault(sign.span(), format!("expected 1 or -1, found {}", sign.get_ref())));
            }
        };
        let (least, most) = limits(self.clamp, text)?;
        Ok(Calibration {
            offset: finite(self.offset, 0.0, text)?,
            map: map(self.scale, self.two_point, self.table, text)?,
            sign,
            deadband: deadband(self.deadband, text)?,
            least,
            most,
            unit: unit(self.unit, text)?,
        })
    }
}

fn finite(value: Option<Spanned<f64>>, otherwise: f64, text: &Text) -> Result<f64, TextError> {
    match value {
        None => Ok(otherwise),
        Some(value) if value.get_ref().is_finite() => Ok(value.into_inner()),
        Some(value) => {
            Err(text.fault(value.span(), format!("expected a finite number, found {}", value.get_ref())))
        }
    }
}

fn deadband(value: Option<Spanned<f64>>, text: &Text) -> Result<f64, TextError> {
    let place = value.as_ref().map(Spanned::span);
    let width = finite(value, 0.0, text)?;
    match place {
        Some(place) if width < 0.0 => {
            Err(text.fault(place, format!("expected a width of zero or more, found {width}")))
        }
        _ => Ok(width),
    }
}

fn limits(clamp: Option<Spanned<ClampText>>, text: &Text) -> Result<(f64, f64), TextError> {
    let Some(clamp) = clamp else {
        return Ok((f64::NEG_INFINITY, f64::INFINITY));
    };
    let least = clamp.get_ref().min.unwrap_or(f64::NEG_INFINITY);
    let most = clamp.get_ref().max.unwrap_or(f64::INFINITY);
    if least < most {
        Ok((least, most))
    } else {
        Err(text.fault(clamp.span(), format!("expected min less than max, found {least} and {most}")))
    }
}

fn unit(name: Option<Spanned<String>>, text: &Text) -> Result<Unit, TextError> {
    let Some(name) = name else { return Ok(Unit::ONE) };
    Unit::named(name.get_ref()).ok_or_else(|| {
        let known = Unit::names().collect::<Vec<_>>().join(", ");
        text.fault(name.span(), format!("`{}` is no unit; expected one of {known}", name.get_ref()))
    })
}

fn map(
    scale: Option<Spanned<f64>>,
    two_point: Option<Spanned<[[f64; 2]; 2]>>,
    table: Option<Spanned<Vec<[f64; 2]>>>,
    text: &Text,
) -> Result<Map, TextError> {
    match (scale, two_point, table) {
        (None, None, None) => Ok(Map::Scale(1.0)),
        (Some(scale), None, None) => {
            match *scale.get_ref() {
                value if value.is_finite() && value != 0.0 => Ok(Map::Scale(value)),
                value => Err(text
                    .fault(scale.span(), format!("expected a finite scale other than zero, found {value}"))),
            }
        }
        (None, Some(points), None) => {
            let problem = two_point_problem(points.get_ref());
            problem.map_or(Ok(Map::TwoPoint(*points.get_ref())), |problem| {
                Err(text.fault(points.span(), problem))
            })
        }
        (None, None, Some(points)) => match table_problem(points.get_ref()) {
            None => Ok(Map::Table(rising(points.into_inner()))),
            Some(problem) => Err(text.fault(points.span(), problem)),
        },
        (_, Some(points), _) => Err(text.fault(points.span(), ONE_OF)),
        (_, _, Some(points)) => Err(text.fault(points.span(), ONE_OF)),
    }
}

const ONE_OF: &str = "expected one of scale, two_point and table, found more";

fn two_point_problem([first, second]: &[[f64; 2]; 2]) -> Option<String> {
    let numbers = [first, second].into_iter().flatten();
    if numbers.copied().any(|number| !number.is_finite()) {
        Some("expected finite numbers".to_owned())
    } else if first[0] == second[0] {
        Some(format!("both points have the raw number {}; expected two different ones", first[0]))
    } else if first[1] == second[1] {
        Some(format!("both points have the value {}; expected two different ones", first[1]))
    } else {
        None
    }
}

fn table_problem(points: &[[f64; 2]]) -> Option<String> {
    if points.iter().flatten().any(|number| !number.is_finite()) {
        return Some("expected finite numbers".to_owned());
    }
    if points.len() < 2 {
        return Some(format!("expected at least two points, found {}", points.len()));
    }
    let falling = points[1][0] < points[0][0];
    let wrong = points.windows(2).position(|pair| {
        let (before, after) = if falling { (pair[1], pair[0]) } else { (pair[0], pair[1]) };
        after[0] <= before[0]
    });
    wrong.map(|index| {
        let direction = if falling { "fall" } else { "rise" };
        format!(
            "raw numbers have to {direction} all the way: {} is followed by {}",
            points[index][0],
            points[index + 1][0]
        )
    })
}

fn rising(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    if points[1][0] < points[0][0] {
        points.reverse();
    }
    points
}
