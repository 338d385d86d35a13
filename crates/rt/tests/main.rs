//! Tests of the crate from outside. `allocation.rs` is a program of its own: its allocator counts
//! for the whole process.

mod child;
mod cpu_plan_properties;
mod here;
mod notify;
mod periodic;
mod signals;
mod startup;
