//! Does the kernel stop real-time processes that use too much time?

use super::super::Patient;
use super::super::finding::{About, Area, Finding};

const ABOUT: About = About {
    id: "rt-throttling",
    area: Area::Kernel,
    title: "RT throttling",
    expected: "off (-1)",
    why: "When real-time processes have used their share of a CPU, usually 950 ms of each second, the kernel \
          stops them until the second is over. A process that waits by spinning is always over its share.",
};

const FIX: &str = "echo 'kernel.sched_rt_runtime_us = -1' | sudo tee /etc/sysctl.d/90-rtrd.conf && \
                   sudo sysctl -p /etc/sysctl.d/90-rtrd.conf";

pub(super) fn check(patient: Patient) -> Finding {
    let Patient { machine, workload, .. } = patient;
    let (Some(runtime), Some(period)) = (machine.scheduler.rt_runtime_us, machine.scheduler.rt_period_us)
    else {
        return ABOUT.unknown("the kernel does not tell");
    };
    let found = format!("{runtime} of {period} µs");
    if runtime < 0 || runtime >= period {
        ABOUT.pass("off")
    } else if !applies(patient) {
        ABOUT.pass(format!("{found}, without effect: from 6.12 on the fair server does this"))
    } else if workload.something_spins() {
        ABOUT.failure(found).with_fix(FIX)
    } else if workload.real_time_cpus(machine).is_empty() {
        ABOUT.pass(format!("{found}, which protects the one CPU that the system has"))
    } else {
        ABOUT.warning(found).with_fix(FIX)
    }
}

/// From 6.12 on only group scheduling still throttles. Unless it is known to be absent it counts as
/// present.
fn applies(patient: Patient) -> bool {
    let machine = patient.machine;
    !machine.kernel.is_at_least(6, 12) || machine.scheduler.rt_groups.in_force != Some(false)
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::super::sample::{Sample, fix};
    use crate::machine::sample::SampleTree;

    fn throttled(release: &str) -> SampleTree {
        SampleTree::healthy()
            .with("proc/sys/kernel/sched_rt_runtime_us", "950000")
            .with("proc/sys/kernel/osrelease", release)
    }

    #[test]
    fn spinning_processes_must_not_be_throttled() {
        let finding = Sample::of(&throttled("6.1.0-rt-amd64")).only_complaint("rt-throttling");
        assert_eq!((finding.verdict, finding.found.as_str()), (Verdict::Failure, "950000 of 1000000 µs"));
        assert!(fix(&finding).contains("kernel.sched_rt_runtime_us = -1"));
    }

    #[test]
    fn sleeping_processes_should_not_be() {
        let tree = throttled("6.1.0").with("sys/devices/system/cpu/online", "0-1");
        assert_eq!(Sample::of(&tree).finding("rt-throttling").verdict, Verdict::Warning);
    }

    #[test]
    fn on_a_single_cpu_throttling_saves_the_machine() {
        let tree = throttled("6.1.0").with("sys/devices/system/cpu/online", "0");
        assert_eq!(Sample::of(&tree).finding("rt-throttling").verdict, Verdict::Pass);
    }

    #[test]
    fn later_kernels_throttle_only_groups() {
        let later = throttled("6.12.9-rt-amd64");
        assert_eq!(Sample::of(&later).finding("rt-throttling").verdict, Verdict::Pass);
        let grouped = later.with_rt_group("/", 950_000, 950_000);
        assert_eq!(Sample::of(&grouped).only_complaint("rt-throttling").verdict, Verdict::Failure);
        let silent = throttled("6.12.9-rt-amd64").without("boot");
        assert_eq!(Sample::of(&silent).finding("rt-throttling").verdict, Verdict::Failure);
    }

    #[test]
    fn a_limit_as_long_as_the_period_is_none() {
        let tree = SampleTree::healthy().with("proc/sys/kernel/sched_rt_runtime_us", "1000000");
        assert_eq!(Sample::of(&tree).finding("rt-throttling").found, "off");
    }

    #[test]
    fn a_silent_kernel_is_unknown() {
        let tree = SampleTree::healthy().without("proc/sys/kernel/sched_rt_runtime_us");
        assert_eq!(Sample::of(&tree).only_complaint("rt-throttling").verdict, Verdict::Unknown);
    }
}
