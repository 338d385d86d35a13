//! The commands, one file each.

pub mod check;
pub mod clean;
pub mod completions;
pub mod config;
pub mod daq;
pub mod equilibrium;
pub mod jitter;
pub mod linearise;
pub mod report;
pub mod road;
pub mod scenarios;
pub mod signals;
pub mod sim;
pub mod topology;
pub mod trace_files;
