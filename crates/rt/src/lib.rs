//! What every real-time process of the set needs, and nothing about what it computes.

pub mod allocation;
pub mod clock;
pub mod cpu_plan;
pub mod doctor;
pub mod histogram;
pub mod machine;
pub mod notify;
pub mod periodic;
pub mod signals;
pub mod startup;
pub mod wakeups;
