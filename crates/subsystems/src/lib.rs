//! The models that answer the dynamics: a plant's controller, or all subsystems of a vehicle.
//!
//! `subsystem-service` runs them in a process of its own; `dynamics-service` can link them.

mod controller;
mod driving;
mod external;
mod seat;
mod terms;
mod vehicle;

pub use controller::PlantController;
pub use driving::{LiveDriver, STOPPING_BRAKE};
pub use terms::Terms;
pub use vehicle::VehicleSubsystems;

use lockstep::Responder;
use service::config::Settings;

/// Models whose terms a reload may change.
pub trait Subsystems: Responder {
    /// Takes over settings that were changed. Real-time safe.
    fn take_settings(&mut self, settings: &Settings);
}
