//! The readiness report of a machine: what was found and measured, the limits, and whether they are
//! kept.
//!
//! `rtrd check --report` makes one; `rtrd top` looks whether there is one that passes and is of the
//! machine as it is now. `docs/readiness.md` says how to read it.

mod identity;
mod limits;
mod markdown;
mod report;
mod report_status;
#[cfg(test)]
pub mod sample;
mod store;

pub use identity::{Hardware, Identity};
pub use limits::{LIMIT_US, Limits, judge};
pub use report::{Check, Content, HardwareLatency, KernelFacts, Outcome, WakeUps};
pub use report_status::ReportStatus;
pub use store::{Places, prepare, write};
