//! From the throttle to torques on the wheels.
//!
//! A powertrain meets the wheels within their substep. Its torques may depend steeply on their
//! speeds (a locked differential, a closed clutch), so it also tells the slope, and the wheels take
//! it implicitly:
//! ```text
//! T_i(Ω + ΔΩ) = torque_i − Σ_j damping_ij ΔΩ_j,      damping symmetric and not negative
//! ```
//!
//! [`Train`] serves from a buggy to a tractor: what its file leaves out is rigid or without
//! inertia. [`WheelMotors`] has a motor for each driven wheel.
//! ```text
//! engine ──► launch ──► gearbox ──► loss ──► axles ──► wheels      train: a substep of the whole chain
//! curves     clutch     schedule             differential
//! idle       converter  control
//! ```

mod axles;
mod clutch;
mod control;
mod converter;
mod differential;
mod energy;
mod engine;
mod file;
mod gearbox;
mod launch;
mod law;
mod train;
mod wheel_motors;

use crate::files::{FileError, Source};
use crate::state::Stateful;
use crate::{DriverInput, Vector3, WHEELS_MAX};
pub use energy::Energy;
pub use train::Train;
pub use wheel_motors::WheelMotors;

/// Torques on the wheels, linear in their speeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// Torque on each wheel at the speeds that were given (Nm).
    pub torque_nm: [f64; WHEELS_MAX],
    /// Slope: row i, column j at `damping[i * wheels + j]` (Nms/rad), with as many columns as there
    /// are wheels; zero where [`Powertrain::coupled`] does not name both.
    pub damping: Vec<f64>,
    /// Inertia that turns with each wheel (kg m²): half-shafts and gears, reflected.
    pub inertia_kg_m2: [f64; WHEELS_MAX],
}

impl Drive {
    /// No torque on a number of wheels.
    #[must_use]
    pub fn new(wheels: usize) -> Self {
        Self { torque_nm: [0.0; WHEELS_MAX], damping: vec![0.0; wheels * wheels], inertia_kg_m2: [0.0; WHEELS_MAX] }
    }
}

/// What a driver's display shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Instruments {
    /// Speed of the engine (rad/s).
    pub engine_speed_rad_s: f64,
    /// Torque of the engine (Nm).
    pub engine_torque_nm: f64,
    /// -1 reverse, 0 neutral, 1 and up.
    pub gear: i32,
    /// Power that the engine gives (W).
    pub engine_power_w: f64,
}

/// A powertrain. Nothing in a step allocates or panics.
pub trait Powertrain: Stateful + Send {
    /// Once at the beginning of every step of the mechanism: what the driver wants, gear shifts.
    fn begin_step(&mut self, input: &DriverInput, spin_rad_s: &[f64], step_s: f64);

    /// Wheels whose torques depend on speeds of wheels, each once: the only rows and columns of the
    /// damping that are read.
    fn coupled(&self) -> &[usize];

    /// Torques for a substep that begins at these wheel speeds.
    fn torques(&mut self, spin_rad_s: &[f64], substep_s: f64, drive: &mut Drive);

    /// The substep has led to these wheel speeds: the engine follows.
    fn advance(&mut self, spin_rad_s: &[f64], substep_s: f64);

    /// Reaction of engine and final drive on the body, in V (Nm): about x for a longitudinal
    /// engine, about y for the axles' housings.
    fn body_torque_nm(&self) -> Vector3 {
        Vector3::ZERO
    }

    /// What the display shows.
    fn instruments(&self) -> Instruments {
        Instruments::default()
    }
}

/// Reads a powertrain from TOML for a vehicle with so many wheels.
pub fn read(source: &Source<'_>, wheels: usize) -> Result<Box<dyn Powertrain>, FileError> {
    match kind(source)?.as_deref() {
        Some("wheel-motors") => Ok(Box::new(wheel_motors::read(source, wheels)?)),
        _ => Ok(Box::new(read_train(source, wheels)?)),
    }
}

/// The same with its type, for those who want to see [`Train::energy`] and the parts.
pub fn read_train(source: &Source<'_>, wheels: usize) -> Result<Train, FileError> {
    file::read(source, wheels)
}

/// What the file says it is.
fn kind(source: &Source<'_>) -> Result<Option<String>, FileError> {
    let kind = source.toml::<Kind>()?.kind;
    match kind {
        Some(kind) if !matches!(kind.get_ref().as_str(), "train" | "wheel-motors") => {
            let found = kind.get_ref();
            Err(source.fault_at(kind.span(), format!("expected \"train\" or \"wheel-motors\", found \"{found}\"")))
        }
        kind => Ok(kind.map(toml::Spanned::into_inner)),
    }
}

#[derive(serde::Deserialize)]
struct Kind {
    kind: Option<toml::Spanned<String>>,
}
