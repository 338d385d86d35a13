//! Are there enough CPUs for the processes?

use std::collections::BTreeMap;

use super::super::Patient;
use super::super::finding::{About, Area, Finding};
use crate::cpu_plan::CpuPlan;

const ABOUT: About = About {
    id: "cpu-plan",
    area: Area::Processors,
    title: "CPU plan",
    expected: "a CPU for each process and one for the system",
    why: "A process that shares its CPU waits until the other one sleeps, and must not spin for its lock-step \
          partner: each hand-over then costs a context switch.",
};

pub(super) fn check(patient: Patient) -> Finding {
    match &patient.workload.plan {
        Err(error) => ABOUT.failure(error.to_string()),
        Ok(plan) => {
            let finding =
                if plan.all_dedicated() { ABOUT.pass(places(plan)) } else { ABOUT.warning(places(plan)) };
            finding.expecting(expected(plan))
        }
    }
}

fn expected(plan: &CpuPlan) -> String {
    let processes = plan.assignments().len();
    format!("{} CPUs: one for each of the {processes} processes, one for the system", processes + 1)
}

/// CPU by CPU: `CPU 0: system + daq, CPU 1: dynamics + subsystem`.
fn places(plan: &CpuPlan) -> String {
    let mut by_cpu = BTreeMap::from([(plan.system_cpu(), vec!["system"])]);
    for place in plan.assignments() {
        by_cpu.entry(place.cpu).or_default().push(&place.name);
    }
    let texts: Vec<String> =
        by_cpu.iter().map(|(cpu, names)| format!("CPU {cpu}: {}", names.join(" + "))).collect();
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::super::{Verdict, Workload};
    use super::super::sample::{Sample, wishes};
    use crate::cpu_plan::Topology;
    use crate::machine::sample::SampleTree;

    #[test]
    fn a_cpu_for_each_passes() {
        let finding = Sample::healthy().finding("cpu-plan");
        assert_eq!(finding.found, "CPU 0: system, CPU 1: dynamics, CPU 2: subsystem, CPU 3: daq");
        assert_eq!(finding.expected, "4 CPUs: one for each of the 3 processes, one for the system");
    }

    #[test]
    fn sharing_is_warned_about_by_name() {
        let tree = SampleTree::healthy().with("sys/devices/system/cpu/online", "0-1");
        let finding = Sample::of(&tree).only_complaint("cpu-plan");
        assert_eq!(finding.verdict, Verdict::Warning);
        assert_eq!(finding.found, "CPU 0: system + daq, CPU 1: dynamics + subsystem");
    }

    #[test]
    fn a_plan_that_cannot_be_made_fails_with_the_reason() {
        let mut sample = Sample::healthy();
        let topology = Topology::of(&sample.machine, &"0-2".parse().unwrap());
        let mut wishes = wishes();
        wishes[0].cpu = Some(3);
        sample.workload = Workload::new(&topology, &wishes);
        let finding = sample.only_complaint("cpu-plan");
        assert_eq!(finding.verdict, Verdict::Failure);
        assert!(finding.found.contains("daq is configured for CPU 3"), "{}", finding.found);
    }
}
