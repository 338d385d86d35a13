//! How blocks reach a reader: when, through what, and with which faults.

mod faults;
mod line;
mod outlet;
mod place;
mod queue;
mod record;
mod sent;
mod tally;
mod terminal;

pub(super) use faults::FaultInjector;
pub use faults::{Faults, Outcome, Repeated};
pub(super) use line::Line;
pub use outlet::Outlet;
pub use place::Place;
pub use record::{Format, Record, RecordError, Times};
pub use sent::{Sent, read};
pub use tally::Tally;
