//! The checks, one small file each.

mod bare_metal;
mod clock_source;
mod cpu_dma_latency;
mod cpu_plan;
mod cyclictest;
mod fair_server;
mod governor;
mod hugepages;
mod idle_states;
mod interrupts;
mod irqbalance;
mod isolation;
mod memory_lock;
mod real_time_kernel;
mod rt_group;
mod rt_priority;
#[cfg(test)]
mod sample;
mod shared_memory;
mod smt;
mod swap;
#[cfg(test)]
mod tests;
mod throttling;

use super::Patient;
use super::finding::Finding;

/// One check.
pub(super) type Check = fn(Patient) -> Finding;

/// Every check, in the order in which they are shown; those of one area together.
pub(super) const ALL: [Check; 22] = [
    real_time_kernel::check,
    bare_metal::check,
    clock_source::check,
    throttling::check,
    fair_server::check,
    cpu_plan::check,
    isolation::check_scheduler,
    isolation::check_tick,
    isolation::check_rcu,
    smt::check,
    governor::check,
    idle_states::check,
    interrupts::check,
    irqbalance::check,
    rt_priority::check,
    rt_group::check,
    memory_lock::check,
    cpu_dma_latency::check,
    hugepages::check,
    swap::check,
    shared_memory::check,
    cyclictest::check,
];
