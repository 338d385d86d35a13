//! The simulation process: one plant or vehicle, stepped on the clock.
//!
//! Each step is one exchange of [`lockstep`]: publish the question of step `k`, wait for the answer
//! that carries the same number, advance to `k + 1`, publish the state from which a restarted
//! process resumes.

mod events;
mod pace;
mod plant;
mod run;
mod silence;
mod vehicle;

pub use pace::Pace;
pub use plant::PlantModel;
pub use run::{Turn, run};
pub use silence::HoldTimes;
pub use vehicle::VehicleModel;

/// A model whose terms a reload may change.
pub trait Dynamics: lockstep::Model {
    /// Takes over settings that were changed. Real-time safe.
    fn take_settings(&mut self, _settings: &service::config::Settings) {}
}
