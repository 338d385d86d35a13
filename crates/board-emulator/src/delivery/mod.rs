//! How blocks reach a reader: when, through what, and with which faults.

mod faults;
mod line;
mod outlet;
mod record;
mod tally;
mod terminal;

pub use faults::Repeated;
pub(super) use faults::{FaultInjector, Outcome};
pub(super) use line::Line;
pub use outlet::{Outlet, Place};
pub use record::{Record, Sent, read};
pub(super) use record::{RecordError, Times};
pub use tally::Tally;
