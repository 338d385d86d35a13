//! From the steering wheel to the rack, and back to the driver's hands.

use crate::files::{FileError, Source};
use crate::memory::Memory;
use crate::{Input, Rack};

/// What a steering system answers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steered {
    /// The rack at the end of the step.
    pub rack: Rack,
    /// Torque on the steering wheel that the driver should feel, positive to the left (Nm).
    pub feedback_nm: f64,
}

/// A steering system. Nothing in a step allocates or panics.
pub trait Steering: Memory + Send {
    /// One step: driver's input, force of the linkage on the rack (N, positive to the left), speed of the vehicle (m/s).
    fn step(&mut self, input: &Input, rack_force_n: f64, speed_m_s: f64, step_s: f64) -> Steered;
}

/// Reads a steering system from TOML.
pub fn read(source: &Source<'_>) -> Result<Box<dyn Steering>, FileError> {
    Err(source.fault(1, "kind", "no steering system is known"))
}
