//! Tyres: forces from load, slip and camber.
//!
//! A tyre model is a map without memory: slip in, forces out. What has memory (deflection of the
//! contact patch, which makes slip lag and holds a parked car) is in [`crate::rotation`] and is the
//! same for every model.
//!
//! Contact frame W: x forward in the road plane, y left, z the road's normal (ISO 8855, TYDEX W).
//! Signs:
//! ```text
//! κ = −V_sx / |V_x| = (R_e Ω − V_x) / |V_x|     positive when driving: F_x > 0
//! tan α = V_y / |V_x|                            moving left: F_y < 0
//! sin γ = axle · normal                          positive when the top leans to the right
//! ```

mod carpet;
mod combined;
mod fiala;
mod functions;
mod limits;
mod magic;
mod mirrored;
mod plausibility;
mod property;
mod spring;
mod tmeasy;

use crate::files::{FileError, Source};
pub use carpet::Carpet;
pub use fiala::Fiala;
pub use magic::{MagicFormula52, MagicFormula61};
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
    /// Friction of the road, as a factor on that of the tyre's file: 1 on the surface on which it
    /// was measured.
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

    /// Load (N) from deflection (m), its rate (m/s, positive when it grows) and the spin rate
    /// (rad/s): zero or more, and zero in the air.
    fn load_n(&self, deflection_m: f64, deflection_rate_m_s: f64, spin_rad_s: f64) -> f64;

    /// Effective rolling radius R_e (m) at a load.
    fn rolling_radius_m(&self, load_n: f64, spin_rad_s: f64) -> f64;

    /// Forces in steady state.
    fn forces(&self, slip: &Slip) -> SlipForces;

    /// Forces, and the slope ∂F_x/∂κ (N) as a difference over a step of κ. A model that can share
    /// work between the two does so.
    fn forces_with_slope(&self, slip: &Slip, step: f64) -> (SlipForces, f64) {
        let here = self.forces(slip);
        let further = self.forces(&Slip { longitudinal: slip.longitudinal + step, ..*slip });
        (here, (further.longitudinal_n - here.longitudinal_n) / step)
    }

    /// Relaxation lengths at a load and camber; at least a millimetre.
    fn relaxation(&self, load_n: f64, camber_rad: f64) -> Relaxation;

    /// Loads (N) for which the model was fitted.
    fn load_range_n(&self) -> (f64, f64);
}

/// A side of the vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Where y is positive.
    Left,
    /// Where y is negative.
    Right,
}

/// A tyre with what its file says beside the forces.
pub struct Reading {
    /// The tyre, on the side on which it was measured.
    pub tyre: Box<dyn Tyre>,
    /// That side (`TYRESIDE`); `None` where the file does not say, as for models that are
    /// symmetric.
    pub side: Option<Side>,
    /// Keys that are not used, and other things worth knowing; none of them is a fault.
    pub notes: Vec<FileError>,
}

impl Reading {
    /// The tyre for a side: mirrored where it was measured on the other one.
    #[must_use]
    pub fn mounted(self, side: Side) -> Box<dyn Tyre> {
        match self.side {
            Some(measured) if measured != side => Box::new(Mirrored(self.tyre)),
            _ => self.tyre,
        }
    }
}

/// Reads a tyre: a `.tir` property file, or a TOML file with `kind`. It is the tyre of the side on
/// which it was measured.
pub fn read(source: &Source<'_>) -> Result<Box<dyn Tyre>, FileError> {
    Ok(read_fully(source)?.tyre)
}

/// Reads a tyre for a side of the vehicle.
pub fn read_for(source: &Source<'_>, side: Side) -> Result<Box<dyn Tyre>, FileError> {
    Ok(read_fully(source)?.mounted(side))
}

/// Reads a tyre with all that its file says, and with a note for a curve that is none of a tyre.
pub fn read_fully(source: &Source<'_>) -> Result<Reading, FileError> {
    let mut reading = read_any(source)?;
    let odd = plausibility::check(&*reading.tyre);
    reading.notes.extend(odd.into_iter().map(|(field, problem)| source.fault(1, field, problem)));
    Ok(reading)
}

fn read_any(source: &Source<'_>) -> Result<Reading, FileError> {
    if source.name.to_lowercase().ends_with(".tir") {
        return magic::read(source);
    }
    let kind = source.toml::<Kind>()?.kind;
    let tyre: Box<dyn Tyre> = match kind.get_ref().as_str() {
        "tmeasy" => Box::new(Tmeasy::read(source)?),
        "fiala" => Box::new(Fiala::read(source)?),
        "carpet" => Box::new(Carpet::read(source)?),
        other => {
            let problem = format!("expected \"tmeasy\", \"fiala\" or \"carpet\", found \"{other}\"");
            return Err(source.fault_at(kind.span(), problem));
        }
    };
    Ok(Reading { tyre, side: None, notes: Vec::new() })
}

#[derive(serde::Deserialize)]
struct Kind {
    kind: Spanned<String>,
}
