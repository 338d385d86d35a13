//! Do the CPUs run at full speed?

use std::collections::BTreeMap;

use super::super::Patient;
use super::super::finding::{About, Area, Finding};
use crate::machine::CpuList;

const ABOUT: About = About {
    id: "governor",
    area: Area::Processors,
    title: "Frequency governor",
    expected: "performance on the CPUs of the real-time processes",
    why: "Other governors lower the clock while a process sleeps between two steps: the next step starts slow, \
          and changing the frequency itself can stop the CPU for tens of microseconds.",
};

const FIX: &str = "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor\
                   \u{20} # lasting: kernel parameter cpufreq.default_governor=performance";

pub(super) fn check(patient: Patient) -> Finding {
    let planned = patient.workload.planned_cpus(patient.machine);
    let mut by_governor: BTreeMap<&str, CpuList> = BTreeMap::new();
    for cpu in patient.machine.processors.cpus_in(&planned) {
        if let Some(governor) = &cpu.governor {
            by_governor.entry(governor).or_default().insert(cpu.number);
        }
    }
    let texts: Vec<String> =
        by_governor.iter().map(|(governor, cpus)| format!("{governor} on CPU {cpus}")).collect();
    if by_governor.is_empty() {
        ABOUT.unknown("no frequency control (the firmware or the host decides)")
    } else if by_governor.keys().all(|&governor| governor == "performance") {
        ABOUT.pass(texts.join(", "))
    } else {
        ABOUT.warning(texts.join(", ")).with_fix(FIX)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::super::sample::{Sample, fix};
    use crate::machine::sample::SampleTree;

    fn file(cpu: usize) -> String {
        format!("sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor")
    }

    #[test]
    fn a_saving_governor_is_warned_about_with_its_cpus() {
        let finding =
            Sample::of(&SampleTree::healthy().with(&file(2), "powersave")).only_complaint("governor");
        assert_eq!(finding.verdict, Verdict::Warning);
        assert_eq!(finding.found, "performance on CPU 1,3, powersave on CPU 2");
        assert!(
            fix(&finding).starts_with("echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/")
        );
    }

    #[test]
    fn the_governor_of_a_cpu_without_processes_does_not_matter() {
        let sample = Sample::of(&SampleTree::healthy().with(&file(0), "powersave"));
        assert_eq!(sample.finding("governor").verdict, Verdict::Pass);
    }

    #[test]
    fn without_frequency_control_nothing_is_known() {
        let tree = (1..4).fold(SampleTree::healthy(), |tree, cpu| tree.without(&file(cpu)));
        assert_eq!(Sample::of(&tree).only_complaint("governor").verdict, Verdict::Unknown);
    }
}
