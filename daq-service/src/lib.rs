//! The acquisition process: what the driver or operator asks for, always the most recent.
//!
//! At present the one source is the scenario: profiles over simulated time, or a recording.

mod acquisition;
mod run;

pub use acquisition::Acquisition;
pub use run::run;
