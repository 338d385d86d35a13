//! From the steering wheel to the rack, and back to the driver's hands.
//!
//! The mechanism takes the rack as given: its displacement, velocity and acceleration at the end of
//! a step. What comes back is the force of the linkage on the rack, from which the torque on the
//! steering wheel follows.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `gear` | steering-wheel angle to rack: constant ratio or curve, soft ends |
//! | `assist` | power assist over torque and speed |
//! | `mechanical` | rack and pinion, or Pitman arm, with a stiff column |
//! | `column` | the same with a torsion bar |
//! | `by_wire` | the rack follows the angle by an actuator; samples of an encoder in front of any of them |
//! | [`Compliance`] | how far a wheel turns and leans under its tyre's force |
//! | `file` | the characteristic file |

use crate::files::{FileError, Source};
use crate::state::Stateful;
use crate::{Coordinate, DriverInput};

mod assist;
mod by_wire;
mod column;
mod compliance;
mod file;
mod gear;
mod mechanical;

pub use compliance::Compliance;

/// What a steering system answers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steered {
    /// The rack at the end of the step.
    pub rack: Coordinate,
    /// Torque on the steering wheel that the driver should get, positive to the left (Nm).
    pub feedback_nm: f64,
}

/// A steering system. Nothing in a step allocates or panics.
pub trait Steering: Stateful + Send {
    /// One step: driver's input, force of the linkage on the rack (N, positive to the left), speed
    /// of the vehicle (m/s). The input's angle, rate and acceleration are those of the step's end.
    fn step(&mut self, input: &DriverInput, rack_force_n: f64, speed_m_s: f64, step_s: f64) -> Steered;

    /// Steering-wheel angle at full lock (rad), where the soft ends begin; infinite without ends.
    fn lock_rad(&self) -> f64 {
        f64::INFINITY
    }
}

/// Reads a steering system from TOML.
pub fn read(source: &Source<'_>) -> Result<Box<dyn Steering>, FileError> {
    file::steering(source)
}

/// Reads the compliance of the axles from the same file, front to rear; none where the file has no
/// such section.
pub fn read_compliance(source: &Source<'_>) -> Result<Vec<Compliance>, FileError> {
    file::compliance(source)
}
