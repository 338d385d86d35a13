//! The acquisition process: what the driver or operator asks for, always the most recent.
//!
//! At present the sources are scripted: the demands of a plant's scenario (profiles over simulated time, or a recording) and the driver of a
//! vehicle's manoeuvre.

mod acquisition;
pub mod emulate;
mod run;
pub mod sampling;
mod vehicle;

pub use acquisition::Acquisition;
pub use run::run;
pub use sampling::Sampling;
pub use vehicle::ScriptedDriver;
