//! Do devices interrupt the real-time processes?

use super::super::Patient;
use super::super::finding::{About, Area, Finding};
use crate::machine::{CpuList, Irq};

const ABOUT: About = About {
    id: "irq-affinity",
    area: Area::Interrupts,
    title: "Interrupt affinity",
    expected: "no device interrupt on the CPUs of the real-time processes",
    why: "Each interrupt takes the CPU from the real-time process for microseconds, whatever its priority. \
          Some interrupts of disk queues cannot be moved by hand; isolcpus=managed_irq keeps those away.",
};

/// How many interrupts are named before the rest is counted.
const NAMED_MAX: usize = 4;

pub(super) fn check(patient: Patient) -> Finding {
    let machine = patient.machine;
    let cpus = patient.workload.real_time_cpus(machine);
    if cpus.is_empty() {
        return ABOUT.pass("no CPU is set apart from interrupts");
    }
    let rest = machine.processors.online.difference(&cpus);
    let landing: Vec<&Irq> = machine.interrupts.landing_on(&cpus).collect();
    let default = machine.interrupts.default_affinity.as_ref();
    let default_touches = default.is_some_and(|default| !default.intersection(&cpus).is_empty());
    let mut found = Vec::new();
    let mut fixes = Vec::new();
    if !landing.is_empty() {
        found.push(format!("{} on CPU {cpus}: {}", landing.len(), names(&landing)));
        fixes.push(move_away(&landing, &rest));
    }
    if default_touches {
        found.push(format!("new ones go to CPU {}", default.cloned().unwrap_or_default()));
        fixes.push(format!("echo {} | sudo tee /proc/irq/default_smp_affinity", rest.to_mask()));
    }
    if found.is_empty() {
        return ABOUT.pass(format!("none on CPU {cpus}"));
    }
    ABOUT.warning(found.join("; ")).with_fix(fixes.join("\n"))
}

fn names(irqs: &[&Irq]) -> String {
    let name = |irq: &&Irq| format!("{}:{}", irq.number, irq.names.join("+"));
    let mut texts: Vec<String> = irqs.iter().take(NAMED_MAX).map(name).collect();
    if irqs.len() > NAMED_MAX {
        texts.push(format!("{} more", irqs.len() - NAMED_MAX));
    }
    texts.join(", ")
}

fn move_away(irqs: &[&Irq], rest: &CpuList) -> String {
    let numbers: Vec<String> = irqs.iter().map(|irq| irq.number.to_string()).collect();
    let numbers = numbers.join(" ");
    format!("for irq in {numbers}; do echo {rest} | sudo tee /proc/irq/$irq/smp_affinity_list; done")
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::super::sample::{Sample, fix};
    use crate::machine::sample::SampleTree;

    #[test]
    fn an_interrupt_on_a_real_time_cpu_is_warned_about_by_name() {
        let tree = SampleTree::healthy().with("proc/irq/24/effective_affinity_list", "2");
        let finding = Sample::of(&tree).only_complaint("irq-affinity");
        assert_eq!((finding.verdict, finding.found.as_str()), (Verdict::Warning, "1 on CPU 1-3: 24:enp1s0"));
        assert_eq!(
            fix(&finding),
            "for irq in 24; do echo 0 | sudo tee /proc/irq/$irq/smp_affinity_list; done"
        );
    }

    #[test]
    fn many_interrupts_are_named_in_part() {
        let add = |tree: SampleTree, irq: usize| {
            tree.with(&format!("proc/irq/{irq}/smp_affinity_list"), "0-3")
                .with(&format!("proc/irq/{irq}/nvme/x"), "")
        };
        let finding = Sample::of(&(40..46).fold(SampleTree::healthy(), add)).only_complaint("irq-affinity");
        assert!(finding.found.ends_with("43:nvme, 2 more"), "{}", finding.found);
        assert!(fix(&finding).contains("for irq in 40 41 42 43 44 45;"));
    }

    #[test]
    fn a_default_that_touches_real_time_cpus_is_warned_about() {
        let tree = SampleTree::healthy().with("proc/irq/default_smp_affinity", "f");
        let finding = Sample::of(&tree).only_complaint("irq-affinity");
        assert_eq!(finding.found, "new ones go to CPU 0-3");
        assert_eq!(fix(&finding), "echo 1 | sudo tee /proc/irq/default_smp_affinity");
    }
}
