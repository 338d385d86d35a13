//! The subsystem process: models that answer each step of the dynamics, in lock-step.
//!
//! The models are a plant's controller, or all subsystems of a vehicle ([`service::vehicle::VehicleSubsystems`], which `dynamics-service` can also link).
//! The answer carries the step number of the question.

mod answer;
mod events;
mod idle;
mod run;

pub use answer::Subsystems;
pub use events::Watch;
pub use idle::Idle;
pub use run::run;
