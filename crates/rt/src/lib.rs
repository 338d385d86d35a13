//! What every real-time process of the set needs, and nothing about what it computes.
//!
//! | before the loop | in the loop | beside it |
//! | --- | --- | --- |
//! | [`startup`]: rights, memory, CPU, priority | [`periodic`]: wake, step, account, sleep | [`notify`]: the service manager |
//! | [`cpu_plan`]: which process on which CPU | [`clock`], [`histogram`], [`signals`] | [`machine`], [`doctor`]: is the machine fit |
//! | | [`events`]: what happened, in numbers | [`startup::step_aside`]: threads beside the loop |
//!
//! [`allocation`] proves that a step leaves the heap alone; [`wakeups`] measures what the machine
//! adds to a loop, [`cyclictest`] is the peer that measures the same.

mod affinity;
pub mod allocation;
pub mod clock;
pub mod cpu_plan;
pub mod cyclictest;
pub mod doctor;
pub mod events;
mod fixes;
pub mod histogram;
pub mod kernel_parameters;
pub mod machine;
pub mod notify;
pub mod periodic;
pub mod processes;
mod rights;
pub mod signals;
pub mod startup;
pub mod wakeups;

pub use histogram::Histogram;
pub use periodic::{LoopStatistics, OverrunPolicy, Periodic, Wake};
