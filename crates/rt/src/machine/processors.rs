//! The CPUs: which are online, which are set apart, which share a core, how fast they run and how
//! deep they sleep.

use serde::Serialize;

use super::tree::Tree;
use super::{CommandLine, CpuList, MachineError};

const CPU_FOLDER: &str = "sys/devices/system/cpu";

/// All CPUs of the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Processors {
    /// CPUs that run.
    pub online: CpuList,
    /// CPUs that the scheduler leaves alone: `isolcpus=` and isolated partitions of control groups.
    pub isolated: CpuList,
    /// CPUs whose tick stops while one task runs; `None` when the kernel is built without it.
    pub nohz_full: Option<CpuList>,
    /// CPUs whose RCU callbacks run elsewhere (`rcu_nocbs=`; `nohz_full=` includes it).
    pub rcu_nocbs: CpuList,
    /// Whether two threads of one core are online somewhere; `None` when the kernel does not say.
    pub smt_active: Option<bool>,
    /// One entry for each online CPU, ascending.
    pub cpus: Vec<Cpu>,
}

/// One online CPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cpu {
    /// Its number.
    pub number: usize,
    /// The hardware threads of its core, itself included.
    pub siblings: CpuList,
    /// The frequency governor; `None` without frequency scaling, as in most virtual machines.
    pub governor: Option<String>,
    /// The idle states that it may enter, the shallowest first; empty without an idle driver.
    pub idle_states: Vec<IdleState>,
}

/// One idle state (C-state) of a CPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IdleState {
    /// Its number in `/sys/devices/system/cpu/cpuN/cpuidle/stateM`.
    pub number: usize,
    /// Its name, `C6`.
    pub name: String,
    /// How long the CPU needs to leave it.
    pub exit_latency_us: u64,
    /// Whether it was switched off by hand.
    pub disabled: bool,
}

impl Processors {
    pub(crate) fn read(tree: &Tree, command_line: &CommandLine) -> Result<Self, MachineError> {
        let online_path = format!("{CPU_FOLDER}/online");
        let online = tree.list(&online_path)?.filter(|online| !online.is_empty());
        let online = online.ok_or_else(|| MachineError::NoCpus { path: tree.path(&online_path) })?;
        let nohz_full = tree.list(&format!("{CPU_FOLDER}/nohz_full"))?;
        let cpus = online.iter().map(|number| Cpu::read(tree, number)).collect::<Result<_, _>>()?;
        Ok(Self {
            isolated: isolated(tree)?,
            rcu_nocbs: rcu_nocbs(command_line, &online).union(&nohz_full.clone().unwrap_or_default()),
            nohz_full,
            smt_active: tree.text(&format!("{CPU_FOLDER}/smt/active")).map(|text| text == "1"),
            online,
            cpus,
        })
    }

    /// The entry of one CPU.
    pub fn cpu(&self, number: usize) -> Option<&Cpu> {
        self.cpus.iter().find(|cpu| cpu.number == number)
    }

    /// The entries of the CPUs in a list.
    pub fn cpus_in<'a>(&'a self, list: &'a CpuList) -> impl Iterator<Item = &'a Cpu> {
        self.cpus.iter().filter(|cpu| list.contains(cpu.number))
    }
}

fn isolated(tree: &Tree) -> Result<CpuList, MachineError> {
    let at_boot = tree.list(&format!("{CPU_FOLDER}/isolated"))?.unwrap_or_default();
    let by_partition = tree.list("sys/fs/cgroup/cpuset.cpus.isolated")?.unwrap_or_default();
    Ok(at_boot.union(&by_partition))
}

/// The kernel shows this nowhere but on its command line. It ignores a list that it cannot read; so
/// do we.
fn rcu_nocbs(command_line: &CommandLine, online: &CpuList) -> CpuList {
    if command_line.has_word("rcu_nocbs") {
        return online.clone();
    }
    let list = command_line.value("rcu_nocbs").unwrap_or_default();
    CpuList::from_parameter(list, online.last().unwrap_or(0)).unwrap_or_default()
}

impl Cpu {
    fn read(tree: &Tree, number: usize) -> Result<Self, MachineError> {
        let folder = format!("{CPU_FOLDER}/cpu{number}");
        let siblings = tree.list(&format!("{folder}/topology/thread_siblings_list"))?.unwrap_or_default();
        let idle = format!("{folder}/cpuidle");
        let states = tree.numbers(&idle, "state");
        Ok(Self {
            number,
            siblings: siblings.union(&CpuList::from_iter([number])),
            governor: tree.text(&format!("{folder}/cpufreq/scaling_governor")),
            idle_states: states.into_iter().filter_map(|state| IdleState::read(tree, &idle, state)).collect(),
        })
    }
}

impl IdleState {
    fn read(tree: &Tree, idle: &str, number: usize) -> Option<Self> {
        let folder = format!("{idle}/state{number}");
        Some(Self {
            number,
            name: tree.text(&format!("{folder}/name"))?,
            exit_latency_us: tree.number(&format!("{folder}/latency"))?,
            disabled: tree.number(&format!("{folder}/disable")).is_some_and(|flag: u64| flag != 0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::sample::SampleTree;

    fn processors(tree: &SampleTree, command_line: &str) -> Result<Processors, MachineError> {
        Processors::read(&Tree::new(tree.root()), &CommandLine(command_line.into()))
    }

    #[test]
    fn the_sample_machine_is_read_whole() {
        let found = processors(&SampleTree::healthy(), "").unwrap();
        assert_eq!(found.online.to_string(), "0-3");
        assert_eq!(found.isolated.to_string(), "1-3");
        assert_eq!(found.nohz_full.as_ref().unwrap().to_string(), "1-3");
        assert_eq!(found.smt_active, Some(false));
        assert_eq!(found.cpus.len(), 4);
        let cpu = found.cpu(2).unwrap();
        assert_eq!(cpu.siblings.to_string(), "2");
        assert_eq!(cpu.governor.as_deref(), Some("performance"));
        assert_eq!(cpu.idle_states[1].name, "C6");
        assert_eq!(cpu.idle_states[1].exit_latency_us, 133);
        assert!(cpu.idle_states[1].disabled && !cpu.idle_states[0].disabled);
    }

    #[test]
    fn nohz_full_brings_rcu_offloading_with_it_and_may_be_missing_from_the_kernel() {
        let tree = SampleTree::healthy();
        assert_eq!(processors(&tree, "").unwrap().rcu_nocbs.to_string(), "1-3");
        let tree = tree.without("sys/devices/system/cpu/nohz_full");
        let found = processors(&tree, "rcu_nocbs=2-N").unwrap();
        assert_eq!(found.nohz_full, None);
        assert_eq!(found.rcu_nocbs.to_string(), "2-3");
        assert_eq!(processors(&tree, "rcu_nocbs").unwrap().rcu_nocbs.to_string(), "0-3");
        assert!(processors(&tree, "rcu_nocbs=oops").unwrap().rcu_nocbs.is_empty());
    }

    #[test]
    fn an_unset_mask_is_an_empty_list() {
        let tree = SampleTree::healthy().with("sys/devices/system/cpu/nohz_full", "  (null)\n");
        assert_eq!(processors(&tree, "").unwrap().nohz_full, Some(CpuList::new()));
    }

    #[test]
    fn isolated_partitions_count_as_isolated() {
        let tree = SampleTree::healthy().with("sys/devices/system/cpu/isolated", "");
        let tree = tree.with("sys/fs/cgroup/cpuset.cpus.isolated", "3\n");
        assert_eq!(processors(&tree, "").unwrap().isolated.to_string(), "3");
    }

    #[test]
    fn a_virtual_machine_without_governor_idle_states_and_topology_is_read() {
        let tree = SampleTree::healthy()
            .without("sys/devices/system/cpu/cpu2/cpufreq/scaling_governor")
            .without("sys/devices/system/cpu/cpu2/topology/thread_siblings_list")
            .without("sys/devices/system/cpu/cpu2/cpuidle")
            .without("sys/devices/system/cpu/smt/active");
        let found = processors(&tree, "").unwrap();
        let cpu = found.cpu(2).unwrap();
        assert_eq!((cpu.governor.as_ref(), cpu.idle_states.len()), (None, 0));
        assert_eq!(cpu.siblings.to_string(), "2");
        assert_eq!(found.smt_active, None);
    }

    #[test]
    fn no_cpus_and_damaged_lists_are_errors_with_the_path() {
        let tree = SampleTree::healthy().without("sys/devices/system/cpu/online");
        let message = processors(&tree, "").unwrap_err().to_string();
        assert!(message.contains("sys/devices/system/cpu/online"), "{message}");
        let tree = SampleTree::healthy().with("sys/devices/system/cpu/isolated", "1-x");
        let message = processors(&tree, "").unwrap_err().to_string();
        assert!(message.contains("sys/devices/system/cpu/isolated"), "{message}");
    }
}
