//! The subsystem process: models that answer each step of the dynamics, in lock-step.
//!
//! The models are a plant's controller, or all subsystems of a vehicle. The answer carries the step number of the question.

mod answer;
pub mod answering;
mod external;
mod run;
mod vehicle;

pub use answer::Subsystems;
pub use answering::Answering;
pub use run::run;
pub use vehicle::{Terms, VehicleSubsystems};
