//! The commands, one file each.

pub mod check;
pub mod clean;
pub mod completions;
pub mod config;
pub mod daq;
pub mod deploy;
pub mod equilibrium;
pub mod flight;
pub mod jitter;
pub mod linearise;
pub mod reload;
pub mod report;
pub mod road;
pub mod scenarios;
pub mod signals;
pub mod sim;
pub mod soak;
pub mod topology;
pub mod trace_files;
