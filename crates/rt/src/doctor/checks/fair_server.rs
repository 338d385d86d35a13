//! Does the kernel run ordinary tasks in place of real-time ones?

use std::collections::BTreeMap;

use super::super::finding::{About, Area, Finding};
use super::super::{Patient, shell};
use crate::machine::{CpuList, FairServer};

const ABOUT: About = About {
    id: "fair-server",
    area: Area::Kernel,
    title: "Fair server",
    expected: "runtime 0 on the CPUs of the real-time processes",
    why: "From 6.12 on the kernel takes a CPU from a busy real-time process, usually for 50 ms of each second, \
          as soon as an ordinary task waits there. CPUs that are set apart do not need this protection.",
};

pub(super) fn check(patient: Patient) -> Finding {
    let cpus = patient.workload.real_time_cpus(patient.machine);
    if cpus.is_empty() {
        return ABOUT.pass("left on: no CPU is set apart");
    }
    match &patient.machine.scheduler.fair_server {
        FairServer::NotInKernel => ABOUT.pass("none: this kernel is older than 6.12"),
        FairServer::Unreadable => ABOUT.unknown("cannot be read: needs root").with_fix(fix(&cpus)),
        FairServer::NotMounted => {
            let mount = "sudo mount -t debugfs debugfs /sys/kernel/debug";
            ABOUT.unknown("cannot be read: debugfs is not mounted").with_fix(format!(
                "{mount}
{}",
                fix(&cpus)
            ))
        }
        FairServer::RuntimeNs(runtimes) => judge(runtimes, &cpus),
    }
}

fn judge(runtimes: &BTreeMap<usize, u64>, cpus: &CpuList) -> Finding {
    let is_on = |cpu: &usize| runtimes.get(cpu).is_some_and(|&runtime| runtime > 0);
    let on: CpuList = cpus.iter().filter(is_on).collect();
    match on.iter().filter_map(|cpu| runtimes.get(&cpu)).max() {
        None => ABOUT.pass(format!("off on CPU {cpus}")),
        Some(runtime) => {
            ABOUT.warning(format!("{} ms on CPU {on}", runtime.div_ceil(1_000_000))).with_fix(fix(&on))
        }
    }
}

/// Braces, not a star: the shell of the user cannot look into the directory.
fn fix(cpus: &CpuList) -> String {
    let cpus = shell::braces(cpus);
    format!(
        "echo 0 | sudo tee /sys/kernel/debug/sched/fair_server/cpu{cpus}/runtime  # until the next restart"
    )
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::super::sample::{Sample, fix};
    use crate::machine::sample::SampleTree;

    #[test]
    fn a_running_server_on_a_real_time_cpu_is_warned_about() {
        let tree = SampleTree::healthy().with("sys/kernel/debug/sched/fair_server/cpu2/runtime", "50000000");
        let finding = Sample::of(&tree).only_complaint("fair-server");
        assert_eq!((finding.verdict, finding.found.as_str()), (Verdict::Warning, "50 ms on CPU 2"));
        assert!(
            fix(&finding).starts_with("echo 0 | sudo tee /sys/kernel/debug/sched/fair_server/cpu2/runtime")
        );
    }

    #[test]
    fn the_server_of_the_system_may_run() {
        assert_eq!(Sample::healthy().finding("fair-server").found, "off on CPU 1-3");
    }

    #[test]
    fn without_the_debug_file_system_it_is_unknown_and_can_be_switched_off_all_the_same() {
        let finding =
            Sample::of(&SampleTree::healthy().without("sys/kernel/debug")).only_complaint("fair-server");
        assert_eq!(finding.verdict, Verdict::Unknown);
        assert!(fix(&finding).contains("cpu{1..3}/runtime"));
        let unmounted = SampleTree::healthy().without("sys/kernel/debug").with("proc/self/mounts", "");
        let finding = Sample::of(&unmounted).only_complaint("fair-server");
        assert_eq!(finding.verdict, Verdict::Unknown);
        assert!(fix(&finding).starts_with("sudo mount -t debugfs debugfs /sys/kernel/debug\n"));
    }

    #[test]
    fn older_kernels_have_none_and_a_single_cpu_keeps_it() {
        let old =
            SampleTree::healthy().without("sys/kernel/debug").with("proc/sys/kernel/osrelease", "6.1.0");
        assert_eq!(Sample::of(&old).finding("fair-server").verdict, Verdict::Pass);
        let single = SampleTree::healthy().with("sys/devices/system/cpu/online", "0");
        assert_eq!(Sample::of(&single).finding("fair-server").verdict, Verdict::Pass);
    }
}
