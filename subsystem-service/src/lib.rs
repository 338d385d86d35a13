//! The subsystem process: models that answer each step of the dynamics, in lock-step.
//!
//! At present the one model is the scenario's controller. The answer carries the step number of the question.

mod answer;
mod run;

pub use answer::Subsystems;
pub use run::run;
