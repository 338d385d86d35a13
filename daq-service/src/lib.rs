//! The acquisition process: what the driver or operator asks for, always the most recent.
//!
//! With an acquisition file, its sources are taken, converted and published as soon as they deliver
//! ([`Acquiring`]). Without one the sources are scripted: the demands of a plant's scenario
//! (profiles over simulated time, or a recording) and the driver of a vehicle's manoeuvre.

mod acquiring;
pub mod emulate;
mod observed;
mod run;
mod scripted;

pub use acquiring::{Acquiring, Waiting};
pub use observed::Observed;
pub use run::run;
pub use scripted::{PlantDemands, Script, Scripted, ScriptedDriver};
