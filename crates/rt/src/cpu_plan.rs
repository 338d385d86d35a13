//! Which process runs on which CPU, and which of them may wait by spinning.
//!
//! A process that owns its CPU may spin for its lock-step partner and see the answer within a
//! microsecond. A process that shares its CPU must sleep: two FIFO spinners on one CPU block it,
//! and a spinner on the CPU of the system starves the machine. So the plan is made once, for all
//! processes together, from the topology of the machine; it gives the same answer for the same
//! topology, and it says plainly who shares with whom. The rules are listed in the `placement`
//! module beside their reasons.

mod placement;
mod table;
#[cfg(test)]
mod tests;
mod topology;

use serde::Serialize;
use thiserror::Error;

use crate::machine::CpuList;
pub use topology::Topology;

/// What one process asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessWish {
    /// Its name, `dynamics`.
    pub name: String,
    /// Its FIFO priority: among equals the higher one chooses its CPU first.
    pub priority: u8,
    /// The CPU that the configuration demands.
    pub cpu: Option<usize>,
    /// The process that it exchanges data with in every step, each waiting for the other. It is
    /// enough that one of the two says so; a name that is not in the plan has no effect.
    pub lock_step_with: Option<String>,
}

impl ProcessWish {
    /// A process that takes any CPU and waits for no other.
    pub fn new(name: impl Into<String>, priority: u8) -> Self {
        Self { name: name.into(), priority, ..Self::default() }
    }

    /// The same process on a certain CPU, if one is given.
    pub fn on_cpu(self, cpu: Option<usize>) -> Self {
        Self { cpu, ..self }
    }

    /// The same process in lock-step with another.
    pub fn in_lock_step_with(self, name: impl Into<String>) -> Self {
        Self { lock_step_with: Some(name.into()), ..self }
    }
}

/// The place of one process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Assignment {
    /// The name of the process.
    pub name: String,
    /// The CPU to pin it to.
    pub cpu: usize,
    /// Whether the scheduler leaves this CPU alone.
    pub isolated: bool,
    /// Whether it is the only process of the plan on this CPU, and the CPU is not the system's.
    pub dedicated: bool,
    /// The other processes of the plan on this CPU.
    pub shares_with: Vec<String>,
    /// The processes on the other threads of the same core.
    pub shares_core_with: Vec<String>,
    /// Whether this CPU also does the work of the rest of the system.
    pub shares_with_system: bool,
    /// Whether it may wait by spinning: its CPU is dedicated, and it is isolated or the system has
    /// a CPU that no process of the plan uses.
    pub may_spin: bool,
}

/// The places of all processes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CpuPlan {
    system_cpu: usize,
    system_is_isolated: bool,
    assignments: Vec<Assignment>,
}

/// Why no plan could be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlanError {
    /// No CPU is both online and allowed.
    #[error(
        "expected a CPU that is online and allowed, found none (online: {online}, allowed: {allowed}); widen the \
         cpuset or the affinity mask that this process was started with"
    )]
    NoUsableCpu {
        /// CPUs that run.
        online: CpuList,
        /// CPUs that this process may use.
        allowed: CpuList,
    },
    /// The configuration demands a CPU that does not run.
    #[error("{process} is configured for CPU {cpu}, which is not online (online: {online}); choose one of these")]
    NotOnline {
        /// The process.
        process: String,
        /// The CPU demanded.
        cpu: usize,
        /// CPUs that run.
        online: CpuList,
    },
    /// The configuration demands a CPU that this process may not use.
    #[error(
        "{process} is configured for CPU {cpu}, which this process may not use (allowed: {usable}); choose one of \
         these, or widen the cpuset or the affinity mask"
    )]
    NotAllowed {
        /// The process.
        process: String,
        /// The CPU demanded.
        cpu: usize,
        /// CPUs that are online and allowed.
        usable: CpuList,
    },
    /// Two processes have the same name.
    #[error("expected a name for each process, found two processes named {name:?}; rename one of them")]
    DuplicateName {
        /// The name.
        name: String,
    },
}

impl CpuPlan {
    /// Makes the plan for these processes on this machine.
    pub fn make(topology: &Topology, wishes: &[ProcessWish]) -> Result<Self, PlanError> {
        check_names(wishes)?;
        wishes.iter().try_for_each(|wish| check_wish(topology, wish))?;
        let placed = placement::place(topology, wishes)?;
        let assignments = (0..wishes.len()).map(|index| assignment(topology, wishes, &placed, index)).collect();
        let system_is_isolated = topology.isolated.contains(placed.system_cpu);
        Ok(Self { system_cpu: placed.system_cpu, system_is_isolated, assignments })
    }

    /// The places, in the order in which the processes were given.
    pub fn assignments(&self) -> &[Assignment] {
        &self.assignments
    }

    /// The place of one process.
    pub fn get(&self, name: &str) -> Option<&Assignment> {
        self.assignments.iter().find(|assignment| assignment.name == name)
    }

    /// Whether two processes in lock-step may both spin. A name that is not in the plan may not.
    pub fn lock_step_may_spin(&self, one: &str, other: &str) -> bool {
        let may_spin = |name| self.get(name).is_some_and(|assignment| assignment.may_spin);
        one != other && may_spin(one) && may_spin(other)
    }

    /// The CPU that is left to the rest of the system; in need some processes join it there.
    pub fn system_cpu(&self) -> usize {
        self.system_cpu
    }

    /// Whether even the system's CPU is an isolated one, because nothing else is allowed.
    pub fn system_is_isolated(&self) -> bool {
        self.system_is_isolated
    }

    /// All CPUs that processes of the plan run on.
    pub fn cpus(&self) -> CpuList {
        self.assignments.iter().map(|assignment| assignment.cpu).collect()
    }

    /// The CPUs that only processes of the plan run on.
    pub fn real_time_cpus(&self) -> CpuList {
        self.cpus().difference(&CpuList::from_iter([self.system_cpu]))
    }

    /// Whether every process has a CPU of its own.
    pub fn all_dedicated(&self) -> bool {
        self.assignments.iter().all(|assignment| assignment.dedicated)
    }
}

fn check_names(wishes: &[ProcessWish]) -> Result<(), PlanError> {
    for (index, wish) in wishes.iter().enumerate() {
        if wishes[..index].iter().any(|earlier| earlier.name == wish.name) {
            return Err(PlanError::DuplicateName { name: wish.name.clone() });
        }
    }
    Ok(())
}

fn check_wish(topology: &Topology, wish: &ProcessWish) -> Result<(), PlanError> {
    let process = wish.name.clone();
    match wish.cpu {
        Some(cpu) if !topology.online.contains(cpu) => {
            Err(PlanError::NotOnline { process, cpu, online: topology.online.clone() })
        }
        Some(cpu) if !topology.allowed.contains(cpu) => {
            Err(PlanError::NotAllowed { process, cpu, usable: topology.usable() })
        }
        _ => Ok(()),
    }
}

fn assignment(topology: &Topology, wishes: &[ProcessWish], placed: &placement::Placement, index: usize) -> Assignment {
    let cpu = placed.cpu_of[index];
    let names = |wanted: &dyn Fn(usize) -> bool| -> Vec<String> {
        let others = (0..wishes.len()).filter(|&other| other != index && wanted(placed.cpu_of[other]));
        others.map(|other| wishes[other].name.clone()).collect()
    };
    let shares_with = names(&|other| other == cpu);
    let shares_with_system = cpu == placed.system_cpu;
    let isolated = topology.isolated.contains(cpu);
    let dedicated = shares_with.is_empty() && !shares_with_system;
    Assignment {
        name: wishes[index].name.clone(),
        cpu,
        isolated,
        dedicated,
        shares_core_with: names(&|other| other != cpu && topology.share_core(cpu, other)),
        may_spin: dedicated && (isolated || !placed.cpu_of.contains(&placed.system_cpu)),
        shares_with,
        shares_with_system,
    }
}
