//! The acquisition process: what the driver or operator asks for, always the most recent.
//!
//! With an acquisition file, its sources are taken, converted and published as soon as they deliver
//! ([`MeasuringChain`]). Without one the sources are scripted: the demands of a plant's scenario
//! (profiles over simulated time, or a recording) and the driver of a vehicle's manoeuvre.

mod chain;
pub mod emulate;
mod probe;
mod run;
mod scripted;
mod turn;

pub use chain::{Aged, MeasuringChain, Waiting};
pub use probe::ChainProbe;
pub use run::run;
pub use scripted::{PlantDemands, Script, Scripted, ScriptedDriver};
pub use turn::{Acquire, Turn};
