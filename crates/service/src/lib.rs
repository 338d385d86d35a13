//! What all processes of the set share: the configuration, the way they start, and how they report
//! their health.
//!
//! A service's `main` is a few lines: [`main`] reads the configuration, opens the region, asks the
//! machine for real time and calls the service's `run`, which claims its blocks, builds its model
//! and runs its loop in a [`ServiceLoop`], which reports its health. Beside the loop an
//! attendant writes what the loop reports and reads a changed configuration.

pub mod arguments;
mod attendant;
mod companion;
pub mod config;
mod health;
pub mod job;
mod logging;
mod main_function;
mod names;
mod page;
mod placement;
mod start;

pub use arguments::Arguments;
pub use attendant::LoopSide;
pub use companion::{Companion, Heartbeat};
pub use config::Config;
pub use health::{LoopAccount, ServiceLoop, copy_histogram, histogram_of};
pub use job::{Job, JobError};
pub use logging::{start_logging, start_logging_as};
pub use main_function::{main, main_of};
pub use names::{Naming, names_of, publish_names};
pub use page::{open_page, page_file};
pub use placement::{CPUS_VARIABLE, PlaceError, Placement, fifo_priority, place, plan, plan_on, short_name, topology};
pub use start::{StartError, Started, end_with, start};
