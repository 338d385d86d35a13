//! The sources: one file per kind of hardware.

mod arrivals;
pub mod can;
mod clocks;
pub mod dbc;
