//! The simulation process: one plant, stepped on the clock.
//!
//! It steps any [`plant::Plant`], or the mechanism of a vehicle. Each step is one exchange: publish the outputs of step `k`, wait for inputs
//! that carry the same number, advance to `k + 1`, publish the state from which a restarted process goes on.

mod bounds;
mod events;
pub mod exchange;
mod linked;
mod response;
mod run;
mod simulation;
mod vehicle;

pub use events::Watch;
pub use exchange::Exchange;
pub use linked::Linked;
pub use response::Patience;
pub use run::run;
pub use simulation::Simulation;
pub use vehicle::VehicleSimulation;
