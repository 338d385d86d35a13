//! `rtrd` as people and scripts use it: the program itself, from its command line to its files.

mod check;
mod completions;
mod daq;
mod deploy;
mod jitter;
mod models;
mod readiness;
mod report;
mod road;
mod sim;
mod support;
mod top;
