//! How blocks reach a reader: when, through what, and with which faults.

mod faults;
mod line;
mod outlet;
mod record;
mod tally;

pub use faults::Repeated;
pub(super) use faults::{FaultInjector, Outcome};
pub(super) use line::Line;
pub use outlet::{Outlet, Place};
pub(super) use record::RecordError;
#[cfg(test)]
pub(super) use record::Times;
pub use record::{Record, Sent, read};
pub use tally::Tally;
