//! The part of a machine that the plan needs: which CPUs there are and which of them belong
//! together.

use std::collections::BTreeMap;

use crate::machine::{CpuList, Machine};

/// The CPUs to plan with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// CPUs that run.
    pub online: CpuList,
    /// CPUs that this set of processes may use: in a container with a cpuset fewer than are online.
    pub allowed: CpuList,
    /// CPUs that the scheduler leaves alone.
    pub isolated: CpuList,
    /// The hardware threads of the core of each CPU, itself included; a CPU that is missing here
    /// has a core of its own.
    pub siblings: BTreeMap<usize, CpuList>,
}

impl Topology {
    /// The topology of a machine for a process that may use `allowed`
    /// (see [`allowed_cpus`](crate::machine::allowed_cpus)).
    pub fn of(machine: &Machine, allowed: &CpuList) -> Self {
        let processors = &machine.processors;
        Self {
            online: processors.online.clone(),
            allowed: allowed.clone(),
            isolated: processors.isolated.clone(),
            siblings: processors.cpus.iter().map(|cpu| (cpu.number, cpu.siblings.clone())).collect(),
        }
    }

    /// CPUs that are online and allowed.
    pub fn usable(&self) -> CpuList {
        self.online.intersection(&self.allowed)
    }

    /// Whether two CPUs are threads of one core (a CPU shares its core with itself).
    pub fn share_core(&self, one: usize, other: usize) -> bool {
        one == other || self.siblings.get(&one).is_some_and(|siblings| siblings.contains(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::sample::SampleTree;

    #[test]
    fn the_topology_of_a_machine_has_its_cpus_and_cores() {
        let tree = SampleTree::healthy().with_cpu(2, "2-3").with_cpu(3, "2-3");
        let machine = Machine::read(tree.root()).unwrap();
        let topology = Topology::of(&machine, &"0,2,3,9".parse().unwrap());
        assert_eq!(topology.usable().to_string(), "0,2-3");
        assert_eq!(topology.isolated.to_string(), "1-3");
        assert!(topology.share_core(2, 3) && topology.share_core(1, 1));
        assert!(!topology.share_core(0, 1) && !topology.share_core(9, 3));
    }
}
