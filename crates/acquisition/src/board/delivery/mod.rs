//! How blocks reach a reader: when, through what, and with which faults.

mod faults;
mod outlet;
mod place;
mod queue;
mod record;
mod tally;
mod terminal;

pub(super) use faults::Mishaps;
pub use faults::{Done, Faults, Repeated};
pub use outlet::Outlet;
pub use place::Place;
pub(super) use queue::{Entry, Queue};
pub use record::{Format, Record, RecordError};
pub use tally::Tally;
