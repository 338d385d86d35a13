//! The simulation process: one plant, stepped on the clock.
//!
//! It knows only the [`plant::Plant`] trait. Each step is one exchange: publish the outputs of step `k`, wait for inputs
//! that carry the same number, advance to `k + 1`, publish the state from which a restarted process goes on.

mod run;
mod simulation;

pub use run::run;
pub use simulation::Simulation;
