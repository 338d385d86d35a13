//! The sources: one file per kind of hardware.

mod arrivals;
pub mod can;
mod clocks;
pub mod comedi;
pub mod dbc;
mod endpoint;
pub mod evdev;
pub mod iio;
mod ioctl;
mod recording;
mod records;
pub mod reopening;
pub mod replay;
pub mod scripted;
pub mod serial;
pub mod stream;
