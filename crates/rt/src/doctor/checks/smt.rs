//! Does something run on the other thread of a real-time core?

use super::super::Patient;
use super::super::finding::{About, Area, Finding};
use crate::machine::CpuList;

const ABOUT: About = About {
    id: "smt",
    area: Area::Processors,
    title: "SMT siblings",
    expected: "no busy thread beside a real-time one on the same core",
    why: "Two threads of one core share its execution units and caches: whatever runs on the sibling makes the \
          step slower, and its duration less certain.",
};

const FIX: &str =
    "echo off | sudo tee /sys/devices/system/cpu/smt/control  # lasting: kernel parameter nosmt";

pub(super) fn check(patient: Patient) -> Finding {
    let cpus = patient.workload.real_time_cpus(patient.machine);
    let pairs: Vec<String> = cpus
        .iter()
        .map(|cpu| (cpu, busy_siblings(patient, cpu)))
        .filter(|(_, siblings)| !siblings.is_empty())
        .map(|(cpu, siblings)| format!("{cpu} beside {siblings}"))
        .collect();
    if pairs.is_empty() {
        ABOUT.pass(if patient.machine.processors.smt_active == Some(true) { "idle" } else { "none online" })
    } else {
        ABOUT.warning(format!("CPU {}", pairs.join(", "))).with_fix(FIX)
    }
}

/// The online siblings of a CPU, but for those that nobody runs on: isolated and not in the plan.
fn busy_siblings(patient: Patient, cpu: usize) -> CpuList {
    let processors = &patient.machine.processors;
    let siblings = processors.cpu(cpu).map(|cpu| cpu.siblings.clone()).unwrap_or_default();
    let idle = processors.isolated.difference(&patient.workload.planned_cpus(patient.machine));
    let others = siblings.intersection(&processors.online).difference(&CpuList::from_iter([cpu]));
    others.difference(&idle)
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::super::sample::{Sample, fix};
    use crate::machine::sample::SampleTree;

    /// Six threads of three cores for two processes: 2 and 4 will be chosen.
    fn three_cores(isolated: &str) -> Sample {
        let mut tree = SampleTree::healthy()
            .with("sys/devices/system/cpu/online", "0-5")
            .with("sys/devices/system/cpu/nohz_full", "2-5")
            .with("sys/devices/system/cpu/isolated", isolated)
            .with("sys/devices/system/cpu/smt/active", "1");
        for (cpu, siblings) in [(0, "0-1"), (1, "0-1"), (2, "2-3"), (3, "2-3"), (4, "4-5"), (5, "4-5")] {
            tree = tree.with_cpu(cpu, siblings);
        }
        let mut sample = Sample::of(&tree);
        let topology = crate::cpu_plan::Topology::of(&sample.machine, &sample.machine.processors.online);
        sample.workload = super::super::super::Workload::new(&topology, &super::super::sample::wishes()[1..]);
        sample
    }

    #[test]
    fn siblings_that_others_may_use_are_warned_about() {
        let finding = three_cores("2,4").only_complaint("smt");
        assert_eq!(
            (finding.verdict, finding.found.as_str()),
            (Verdict::Warning, "CPU 2 beside 3, 4 beside 5")
        );
        assert!(fix(&finding).starts_with("echo off | sudo tee /sys/devices/system/cpu/smt/control"));
    }

    #[test]
    fn siblings_that_are_isolated_and_unused_pass() {
        assert_eq!(three_cores("2-5").finding("smt").found, "idle");
    }

    #[test]
    fn two_real_time_processes_on_one_core_are_warned_about() {
        let tree = SampleTree::healthy().with_cpu(2, "2-3").with_cpu(3, "2-3");
        let finding = Sample::of(&tree).only_complaint("smt");
        assert_eq!(finding.found, "CPU 2 beside 3, 3 beside 2");
    }
}
