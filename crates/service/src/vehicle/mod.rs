//! A vehicle in the common blocks: what crosses the processes, and what onlookers are shown of it.

pub mod blocks;
pub mod driving;
mod external;
pub mod signals;
pub mod status;
mod subsystems;

pub use driving::LiveDriver;
pub use subsystems::{Terms, VehicleSubsystems};
