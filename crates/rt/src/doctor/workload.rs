//! What the machine shall carry: the processes, their CPUs, their priorities, their memory.

use crate::cpu_plan::{CpuPlan, PlanError, ProcessWish, Topology};
use crate::machine::{CpuList, Machine};

const MIB: u64 = 1 << 20;

/// The demand that the machine is examined for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// Which process runs where, or why there is no plan.
    pub plan: Result<CpuPlan, PlanError>,
    /// The highest FIFO priority of any process.
    pub priority_max: u8,
    /// Room that the shared region takes.
    pub shared_memory_bytes: u64,
}

impl Workload {
    /// The demand of these processes on this machine, with usual amounts of memory.
    pub fn new(topology: &Topology, wishes: &[ProcessWish]) -> Self {
        Self {
            plan: CpuPlan::make(topology, wishes),
            priority_max: wishes.iter().map(|wish| wish.priority).max().unwrap_or(1),
            shared_memory_bytes: 4 * MIB,
        }
    }

    /// All CPUs that processes run on; without a plan every one that is online.
    pub(super) fn planned_cpus(&self, machine: &Machine) -> CpuList {
        self.plan.as_ref().map_or_else(|_| machine.processors.online.clone(), CpuPlan::cpus)
    }

    /// The CPUs that the rest of the system should leave alone; without a plan the isolated ones.
    pub(super) fn real_time_cpus(&self, machine: &Machine) -> CpuList {
        self.plan.as_ref().map_or_else(|_| machine.processors.isolated.clone(), CpuPlan::real_time_cpus)
    }

    /// Whether some process will keep its CPU busy all the time.
    pub(super) fn something_spins(&self) -> bool {
        let spins = |plan: &CpuPlan| plan.assignments().iter().any(|place| place.may_spin);
        self.plan.as_ref().is_ok_and(spins)
    }
}
