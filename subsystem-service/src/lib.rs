//! The subsystem process: models that answer each step of the dynamics, in lock-step.
//!
//! The models are those of [`subsystems`]: a plant's controller, or all subsystems of a vehicle.
//! The answer carries the step number of the question.

mod events;
mod run;

pub use run::{Turn, run};
