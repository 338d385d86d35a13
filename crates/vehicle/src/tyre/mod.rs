//! Tyres: forces from load, slip and camber.
//!
//! A tyre model is a map without memory: slip in, forces out. What has memory (deflection of the contact patch, which makes slip lag and holds a
//! parked car) is in [`crate::rotation`] and is the same for every model.
//!
//! Contact frame W: x forward in the road plane, y left, z the road's normal (ISO 8855, TYDEX W). Signs:
//! ```text
//! κ = −V_sx / |V_x| = (R_e Ω − V_x) / |V_x|     positive when driving: F_x > 0
//! tan α = V_y / |V_x|                            moving left: F_y < 0
//! sin γ = axle · normal                          positive when the top leans to the right
//! ```

mod check;
mod combined;
mod fiala;
mod limits;
mod mirrored;
mod spring;
mod tmeasy;

use crate::files::{FileError, Source};
pub use fiala::Fiala;
pub use mirrored::Mirrored;
pub use tmeasy::Tmeasy;
use toml::Spanned;

/// Slip and load at which forces are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slip {
    /// Load normal to the road (N), not negative.
    pub load_n: f64,
    /// κ: longitudinal slip.
    pub longitudinal: f64,
    /// tan α: lateral slip.
    pub lateral: f64,
    /// γ (rad).
    pub camber_rad: f64,
    /// Friction of the road, as a factor on that of the tyre's file: 1 on the surface on which it was measured.
    pub friction: f64,
    /// |V_x| (m/s).
    pub speed_m_s: f64,
}

/// Forces and torques of the road on the tyre in W, at the contact point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SlipForces {
    /// F_x (N).
    pub longitudinal_n: f64,
    /// F_y (N).
    pub lateral_n: f64,
    /// M_x (Nm).
    pub overturning_nm: f64,
    /// M_y (Nm): rolling resistance, negative when rolling forward.
    pub rolling_nm: f64,
    /// M_z (Nm).
    pub aligning_nm: f64,
}

/// Relaxation lengths (m): distances over which slip builds up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relaxation {
    /// σ_κ
    pub longitudinal_m: f64,
    /// σ_α
    pub lateral_m: f64,
}

/// A tyre model. Every method is finite for every finite input, and neither allocates nor panics.
pub trait Tyre: Send + Sync {
    /// Radius without load (m).
    fn radius_m(&self) -> f64;

    /// Load (N) from deflection (m), its rate (m/s, positive when it grows) and the spin rate (rad/s): zero or more, and zero in the air.
    fn load_n(&self, deflection_m: f64, deflection_rate_m_s: f64, spin_rad_s: f64) -> f64;

    /// Effective rolling radius R_e (m) at a load.
    fn rolling_radius_m(&self, load_n: f64, spin_rad_s: f64) -> f64;

    /// Forces in steady state.
    fn forces(&self, slip: &Slip) -> SlipForces;

    /// Relaxation lengths at a load and camber; at least a millimetre.
    fn relaxation(&self, load_n: f64, camber_rad: f64) -> Relaxation;

    /// Loads (N) for which the model was fitted.
    fn load_range_n(&self) -> (f64, f64);
}

/// Reads a tyre: a `.tir` property file, or a TOML file with `kind`.
pub fn read(source: &Source<'_>) -> Result<Box<dyn Tyre>, FileError> {
    let kind = source.toml::<Kind>()?.kind;
    Ok(match kind.get_ref().as_str() {
        "tmeasy" => Box::new(Tmeasy::read(source)?),
        "fiala" => Box::new(Fiala::read(source)?),
        other => {
            let problem = format!("expected \"tmeasy\" or \"fiala\", found \"{other}\"");
            return Err(source.fault_at(kind.span(), problem));
        }
    })
}

#[derive(serde::Deserialize)]
struct Kind {
    kind: Spanned<String>,
}
