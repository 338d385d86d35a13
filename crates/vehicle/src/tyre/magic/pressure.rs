//! What MF 6.1 makes of the inflation pressure, and the tangential stiffness that its relaxation
//! lengths come from.

use super::coefficients::Coefficients;
use crate::files::FileError;
use crate::tyre::property::{Dimension, PropertyFile};

/// Tangential stiffness in one direction: c_0 (1 + p_1 df_z + p_2 df_z²), with the pressure in c_0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tangential {
    stiffness_n_m: f64,
    linear: f64,
    square: f64,
}

impl Tangential {
    pub fn read(
        file: &PropertyFile<'_>,
        key: &str,
        letter: &str,
        default: f64,
        pressure: f64,
    ) -> Result<Self, FileError> {
        const SECTION: &str = "STRUCTURAL";
        let coefficient = |index: u32| file.coefficient(SECTION, &format!("PCF{letter}{index}"), 0.0);
        let stiffness = match file.quantity(SECTION, key, Dimension::Stiffness)? {
            Some(stiffness) if stiffness > 0.0 => stiffness,
            _ => {
                let line = file.require("VERTICAL")?;
                file.note(line, key, "missing in section [STRUCTURAL]: the vertical stiffness is taken for relaxation");
                default
            }
        };
        Ok(Self {
            stiffness_n_m: stiffness * (1.0 + coefficient(3)? * pressure).max(0.1),
            linear: coefficient(1)?,
            square: coefficient(2)?,
        })
    }

    #[inline]
    pub fn at(&self, dfz: f64) -> f64 {
        self.stiffness_n_m * (1.0 + dfz * (self.linear + dfz * self.square)).max(0.1)
    }
}

/// Factors of the inflation pressure, which does not change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pressure {
    /// dp
    pub change: f64,
    /// 1 + p_px1 dp + p_px2 dp²
    pub slip_stiffness: f64,
    /// 1 + p_px3 dp + p_px4 dp²
    pub friction_x: f64,
    /// 1 + p_py3 dp + p_py4 dp²
    pub friction_y: f64,
    /// (p / p_0)^q_sy8
    pub rolling: f64,
}

impl Pressure {
    pub fn new(c: &Coefficients, change: f64) -> Self {
        let square = change * change;
        Self {
            change,
            slip_stiffness: 1.0 + c.x.ppx1 * change + c.x.ppx2 * square,
            friction_x: 1.0 + c.x.ppx3 * change + c.x.ppx4 * square,
            friction_y: 1.0 + c.y.ppy3 * change + c.y.ppy4 * square,
            rolling: (1.0 + change).powf(c.rolling.qsy8),
        }
    }
}
