//! From hardware, streams and recordings to the driver's inputs.
//!
//! A [`Source`] delivers [`Sample`]s: raw numbers with the time at which they were measured. A
//! channel takes one of these numbers through its calibration, its plausibility checks and its
//! differentiator, and the result has a place in a shared block. Which sources and channels there
//! are says one file.
//!
//! This crate knows no shared memory and no scheduling: `daq-service` has those.

pub mod board;
pub mod calibration;
#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
pub mod differentiation;
pub mod pipeline;
pub mod plan;
pub mod plausibility;
mod sample;
mod source;
pub mod sources;
pub mod stream;
pub mod text;

pub use pipeline::{Pipeline, Reading};
pub use plan::Plan;
pub use sample::{RAW_MAX, Sample};
pub use source::{Clock, Counters, OpenError, Opening, Source, State};

/// Nanoseconds of a second.
pub(crate) const NANOSECONDS_PER_SECOND: f64 = 1e9;
