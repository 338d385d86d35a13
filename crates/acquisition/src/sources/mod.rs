//! The sources: one file per kind of hardware.

mod arrivals;
pub mod can;
mod clocks;
pub mod comedi;
pub mod dbc;
pub mod evdev;
pub mod iio;
mod ioctl;
