//! From raw numbers to quantities: offset, scale, two points, table, sign, deadband, clamp.
//!
//! With *x* the raw number, *y* the value:
//!
//! ```text
//! u = x − offset                                          (1)
//! y = scale·u                                             (2a) or
//! y = y1 + (y2 − y1)/(x2 − x1)·(u − x1)                   (2b) two points, or
//! y = between the neighbours in the table, beyond its ends along its end pieces   (2c)
//! y ← sign·y                                              (3)
//! y ← y − d·sgn y  where |y| > d, else 0                  (4) deadband: still continuous
//! y ← min(max(y, least), most)                            (5) clamp
//! ```
//!
//! The offset is in raw numbers, everything after (2) in the calibration's unit. (2b) is Eq. 4.12
//! of P. Gallo's thesis on the link between a by-wire car and its simulator (2012), whose values
//! ship as `models/calibrations/buggy.toml`. Whether a value is in range is asked before (5), which
//! would hide it.

mod file;
mod unit;

use files::Curve;

pub use file::CalibrationFile;
pub(crate) use file::{CalibrationText, check_limits};
pub(crate) use unit::Unit;

/// From the raw number to the value, before sign and limits.
#[derive(Clone, Debug, PartialEq)]
pub enum Map {
    /// Proportional: value per raw number.
    Scale(f64),
    /// A line through two points (raw number, value).
    TwoPoint([[f64; 2]; 2]),
    /// Lines through points (raw number, value), going on beyond the ends.
    Table(Curve),
}

/// The calibration of one channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// The raw number that counts as zero.
    pub offset: f64,
    /// From the raw number to the value.
    pub map: Map,
    /// 1 or −1.
    pub sign: f64,
    /// Values smaller than this are zero (unit).
    pub deadband: f64,
    /// Least value (unit); −∞ for none.
    pub least: f64,
    /// Greatest value (unit); ∞ for none.
    pub most: f64,
    /// The unit of the value.
    pub unit: Unit,
}

impl Default for Calibration {
    fn default() -> Self {
        Self {
            offset: 0.0,
            map: Map::Scale(1.0),
            sign: 1.0,
            deadband: 0.0,
            least: f64::NEG_INFINITY,
            most: f64::INFINITY,
            unit: Unit::ONE,
        }
    }
}

impl Calibration {
    /// The value, before it is clamped: Eq. (1) to (4). Real-time safe.
    #[inline]
    pub fn convert(&self, raw: f64) -> f64 {
        let shifted = raw - self.offset;
        let value = self.sign * self.map.at(shifted);
        if self.deadband == 0.0 {
            value
        } else if value.abs() <= self.deadband {
            0.0
        } else {
            value - self.deadband.copysign(value)
        }
    }

    /// The value within its limits: Eq. (5). Not a number stays what it is. Real-time safe.
    #[inline]
    pub fn clamp(&self, value: f64) -> f64 {
        if value < self.least {
            self.least
        } else if value > self.most {
            self.most
        } else {
            value
        }
    }

    /// By how much the value changes when the raw number changes by one; for a table, the steepest
    /// piece. What a counter cannot see.
    pub fn resolution(&self) -> f64 {
        match &self.map {
            Map::Scale(scale) => scale.abs(),
            Map::TwoPoint([first, second]) => slope(*first, *second).abs(),
            Map::Table(curve) => {
                let pieces = curve.points().windows(2);
                pieces.map(|pair| slope(pair[0], pair[1]).abs()).fold(0.0, f64::max)
            }
        }
    }
}

impl Map {
    /// Eq. (2).
    #[inline]
    fn at(&self, raw: f64) -> f64 {
        match self {
            Self::Scale(scale) => scale * raw,
            Self::TwoPoint([first, second]) => first[1] + slope(*first, *second) * (raw - first[0]),
            Self::Table(curve) => curve.value(raw),
        }
    }
}

#[inline]
fn slope(first: [f64; 2], second: [f64; 2]) -> f64 {
    (second[1] - first[1]) / (second[0] - first[0])
}

#[cfg(test)]
mod tests;
