//! The checks of a machine: which of its settings stand in the way of real time, and the commands
//! that correct them.
//!
//! [`examine`] judges what [`Machine::read`] found, what this process may do ([`Limits`]) and what
//! it shall carry ([`Workload`]). Each check is one small function that looks at one thing and
//! returns one [`Finding`]: the verdict, what was found and expected, why it matters, and the
//! command that corrects it.
//!
//! Timer slack is not looked at: the kernel applies none to FIFO threads.

mod checks;
mod finding;
mod summary;
mod text;

pub use finding::{Area, Finding, Verdict};
pub use summary::{Summary, summarise};
pub use text::render_text;

pub use crate::rights::{Limit, Limits, LimitsError};

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

/// All that a check may look at.
#[derive(Clone, Copy)]
struct Examined<'a> {
    machine: &'a Machine,
    limits: &'a Limits,
    workload: &'a Workload,
}

/// Runs every check, in the order in which they are shown.
pub fn examine(machine: &Machine, limits: &Limits, workload: &Workload) -> Vec<Finding> {
    let examined = Examined { machine, limits, workload };
    checks::ALL.iter().map(|check| check(examined)).collect()
}

/// A number of bytes for people: `512 KiB`, `64 MiB`, `23.5 GiB`.
fn bytes_text(bytes: u64) -> String {
    let scaled = |shift: u32| bytes as f64 / (1_u64 << shift) as f64;
    match bytes {
        0..0x10_0000 => format!("{:.0} KiB", scaled(10)),
        0x10_0000..0x4000_0000 => format!("{:.0} MiB", scaled(20)),
        _ => format!("{:.1} GiB", scaled(30)),
    }
}

#[cfg(test)]
mod tests {
    use super::bytes_text;

    #[test]
    fn sizes_are_written_in_the_unit_that_fits() {
        assert_eq!(bytes_text(0), "0 KiB");
        assert_eq!(bytes_text(512 << 10), "512 KiB");
        assert_eq!(bytes_text(64 << 20), "64 MiB");
        assert_eq!(bytes_text(3 << 29), "1.5 GiB");
    }
}
