//! What all processes of the set share: the configuration, the way they start, and how they report their health.
//!
//! A service's `main` is a few lines: [`main`] reads the configuration, opens the region, asks the machine for real time and
//! calls the service's `run`, which claims its blocks, builds its model and runs its loop; [`HealthReport`] tells the others
//! how it is.

mod answering;
pub mod arguments;
mod checkpoint;
pub mod config;
mod health;
pub mod job;
mod logging;
mod main_function;
mod model;
mod placement;
mod start;
pub mod vehicle;
mod watchdog;

pub use answering::Answering;
pub use arguments::Arguments;
pub use checkpoint::{Checkpoint, numbers};
pub use config::Config;
pub use health::{HealthReport, copy_histogram, copy_loop, histogram_of};
pub use job::{Job, JobError};
pub use logging::start_logging;
pub use main_function::{announce, main};
pub use model::model_hash;
pub use placement::{CPUS_VARIABLE, PlaceError, Placement, place, plan, plan_on, short_name, topology};
pub use start::{StartError, Started, start};
pub use watchdog::Heartbeat;
