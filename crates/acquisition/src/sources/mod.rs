//! The sources: one file per kind of hardware.

mod endpoint;
mod recording;
pub mod reopening;
pub mod replay;
pub mod scripted;
pub mod stream;
