//! The checks, by the part of the machine.

mod kernel;
mod memory;
mod processors;
mod rights;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;

use super::Examined;
use super::finding::Finding;

/// One check.
pub(super) type Check = fn(Examined) -> Finding;

/// Every check, in the order in which they are shown; those of one area together.
pub(super) const ALL: [Check; 22] = [
    kernel::real_time_kernel,
    kernel::bare_metal,
    kernel::clock_source,
    kernel::throttling,
    kernel::fair_server,
    processors::cpu_plan,
    processors::isolated_cpus,
    processors::tick_stopped,
    processors::rcu_offloaded,
    processors::smt,
    processors::governor,
    processors::idle_states,
    processors::interrupts,
    processors::irqbalance,
    rights::rt_priority,
    rights::rt_group,
    rights::memory_lock,
    rights::cpu_dma_latency,
    memory::hugepages,
    memory::swap,
    memory::shared_memory,
    memory::cyclictest,
];
