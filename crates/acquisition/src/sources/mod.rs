//! The sources: one file or folder per kind of hardware.

mod arrivals;
pub(crate) mod can;
pub(crate) mod comedi;
mod dbc;
mod endpoint;
pub(crate) mod evdev;
pub(crate) mod iio;
mod ioctl;
pub(crate) mod played;
mod recording;
mod records;
pub mod reopening;
mod serial;
pub mod stream;
