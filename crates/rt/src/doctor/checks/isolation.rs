//! Does the rest of the system keep off the CPUs of the real-time processes?
//!
//! Three kinds of work are kept away by three kernel parameters: other tasks (`isolcpus`), the
//! timer tick (`nohz_full`) and the clean-up of RCU (`rcu_nocbs`, which `nohz_full` includes).

use super::super::finding::{About, Area, Finding};
use super::super::{Patient, shell};
use crate::machine::CpuList;

const SCHEDULER: About = About {
    id: "isolated-cpus",
    area: Area::Processors,
    title: "Isolated CPUs",
    expected: "isolcpus= names the CPUs of the real-time processes",
    why: "On other CPUs the scheduler also places ordinary tasks and kernel threads, which disturb the caches \
          and hold locks that a real-time process may need.",
};

const TICK: About = About {
    id: "nohz-full",
    area: Area::Processors,
    title: "Tick stopped",
    expected: "nohz_full= names the CPUs of the real-time processes",
    why: "Otherwise the timer tick interrupts the processes 100 to 1000 times a second.",
};

const RCU: About = About {
    id: "rcu-nocbs",
    area: Area::Processors,
    title: "RCU offloaded",
    expected: "rcu_nocbs= or nohz_full= names the CPUs of the real-time processes",
    why: "Otherwise the kernel runs clean-up work of RCU on these CPUs, at moments of its own choice.",
};

pub(super) fn check_scheduler(patient: Patient) -> Finding {
    judge(&SCHEDULER, patient, &patient.machine.processors.isolated)
}

pub(super) fn check_tick(patient: Patient) -> Finding {
    match &patient.machine.processors.nohz_full {
        Some(cpus) => judge(&TICK, patient, cpus),
        None => {
            Finding { fix: shell::install_real_time_kernel(), ..TICK.warning("not built into this kernel") }
        }
    }
}

pub(super) fn check_rcu(patient: Patient) -> Finding {
    judge(&RCU, patient, &patient.machine.processors.rcu_nocbs)
}

fn judge(about: &About, patient: Patient, covered: &CpuList) -> Finding {
    let wanted = patient.workload.real_time_cpus(patient.machine);
    if wanted.is_empty() {
        return about.warning("no CPU can be set apart: the system needs them all");
    }
    if wanted.is_subset(covered) {
        return about.pass(format!("CPU {wanted}"));
    }
    let expected = format!("CPU {wanted}");
    let fix = shell::isolate(&wanted, &patient.machine.processors.online);
    let found = if covered.is_empty() { "none".into() } else { format!("CPU {covered} only") };
    about.warning(found).expecting(expected).with_fix(fix)
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::super::sample::{Sample, fix};
    use crate::machine::sample::SampleTree;

    const FOLDER: &str = "sys/devices/system/cpu";

    #[test]
    fn cpus_that_are_not_isolated_are_warned_about() {
        let tree = SampleTree::healthy().with(&format!("{FOLDER}/isolated"), "");
        let finding = Sample::of(&tree).only_complaint("isolated-cpus");
        assert_eq!((finding.verdict, finding.found.as_str()), (Verdict::Warning, "none"));
        assert_eq!(finding.expected, "CPU 1-3");
        assert!(fix(&finding).contains("isolcpus=managed_irq,domain,1-3 nohz_full=1-3"));
        assert!(fix(&finding).contains("irqaffinity=0\""));
    }

    #[test]
    fn a_part_is_not_enough() {
        let tree = SampleTree::healthy().with(&format!("{FOLDER}/isolated"), "2-3");
        assert_eq!(Sample::of(&tree).only_complaint("isolated-cpus").found, "CPU 2-3 only");
    }

    #[test]
    fn a_running_tick_is_warned_about() {
        let tree = SampleTree::healthy().with(&format!("{FOLDER}/nohz_full"), "(null)");
        let finding = Sample::of(&tree).only_complaint("nohz-full");
        assert_eq!(finding.verdict, Verdict::Warning);
        assert!(fix(&finding).contains("nohz_full=1-3"));
    }

    #[test]
    fn a_kernel_without_nohz_full_needs_another_kernel() {
        let tree = SampleTree::healthy().without(&format!("{FOLDER}/nohz_full"));
        let finding = Sample::of(&tree).only_complaint("nohz-full");
        assert_eq!(finding.found, "not built into this kernel");
        if cfg!(target_arch = "x86_64") {
            assert!(fix(&finding).contains("linux-image-rt-amd64"));
        }
    }

    #[test]
    fn rcu_callbacks_on_real_time_cpus_are_warned_about() {
        let tree =
            SampleTree::healthy().with(&format!("{FOLDER}/nohz_full"), "").with("proc/cmdline", "quiet");
        let sample = Sample::of(&tree);
        assert_eq!(sample.finding("rcu-nocbs").verdict, Verdict::Warning);
        assert_eq!(sample.finding("rcu-nocbs").fix, sample.finding("nohz-full").fix);
    }

    #[test]
    fn a_single_cpu_cannot_be_isolated_and_no_command_helps() {
        let tree = SampleTree::healthy().with(&format!("{FOLDER}/online"), "0");
        let finding = Sample::of(&tree).finding("isolated-cpus");
        assert_eq!((finding.verdict, finding.fix), (Verdict::Warning, None));
    }
}
