//! Does the control group refuse real-time priorities?

use super::super::finding::{About, Area, Finding};
use super::super::{Patient, shell};
use crate::machine::RtGroup;

const ABOUT: About = About {
    id: "rt-group",
    area: Area::Rights,
    title: "Real-time group",
    expected: "no real-time groups, or a group with a budget",
    why: "With RT_GROUP_SCHED each control group has a budget of real-time, 0 at first. In such a group the \
          kernel refuses FIFO priorities with EPERM, even to root.",
};

pub(super) fn check(patient: Patient) -> Finding {
    let groups = &patient.machine.scheduler.rt_groups;
    match groups.groups.last() {
        Some(own) if own.runtime_us == 0 => {
            ABOUT.failure(format!("budget 0 in {}", own.file)).with_fix(give_budget(&groups.groups))
        }
        Some(own) => ABOUT.pass(format!("budget {} µs", own.runtime_us)),
        None if was_refused_against_the_limits(patient) => {
            ABOUT.failure("FIFO is refused although the limits allow it").with_fix(leave_groups(patient))
        }
        None if groups.in_force == Some(false) => ABOUT.pass("not in this kernel"),
        None if patient.limits.fifo_priority_granted > 0 => ABOUT.pass("FIFO is granted"),
        None => ABOUT.unknown("cannot be tried without the right to a real-time priority"),
    }
}

/// The limits allow a priority and the kernel still said no: only a group can be the reason.
fn was_refused_against_the_limits(patient: Patient) -> bool {
    let limits = patient.limits;
    limits.fifo_priority_granted == 0 && (limits.cap_sys_nice || limits.rtprio.allows(1))
}

/// A group can give only what the one around it has: so from the outermost inwards.
fn give_budget(groups: &[RtGroup]) -> String {
    let without = groups.iter().filter(|group| group.runtime_us == 0);
    let commands: Vec<String> =
        without.map(|group| format!("echo 900000 | sudo tee '{}'", group.file)).collect();
    commands.join("\n")
}

fn leave_groups(patient: Patient) -> String {
    if patient.machine.kernel.is_at_least(6, 16) {
        return shell::kernel_parameters("rtrd-groups", "rt_group_sched=0");
    }
    "echo $$ | sudo tee /sys/fs/cgroup/cgroup.procs  # moves this shell to the outermost group".into()
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::super::sample::{Sample, fix};
    use crate::machine::sample::SampleTree;

    #[test]
    fn a_group_without_budget_fails_and_each_level_is_mended() {
        let finding =
            Sample::of(&SampleTree::healthy().with_rt_group("/a/b", 950_000, 0)).only_complaint("rt-group");
        assert_eq!(finding.verdict, Verdict::Failure);
        assert_eq!(
            fix(&finding),
            "echo 900000 | sudo tee '/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.rt_runtime_us'"
        );
        let tree = SampleTree::healthy()
            .with_rt_group("/a/b", 950_000, 0)
            .with("sys/fs/cgroup/cpu,cpuacct/a/cpu.rt_runtime_us", "0");
        let finding = Sample::of(&tree).only_complaint("rt-group");
        let files: Vec<&str> = fix(&finding).lines().collect();
        assert_eq!(files.len(), 2);
        assert!(files[0].contains("/a/cpu") && files[1].contains("/a/b/cpu"));
    }

    #[test]
    fn a_group_with_budget_passes() {
        let sample = Sample::of(&SampleTree::healthy().with_rt_group("/a", 950_000, 500_000));
        assert_eq!(sample.finding("rt-group").found, "budget 500000 µs");
    }

    #[test]
    fn a_refusal_against_the_limits_fails() {
        let mut sample = Sample::healthy();
        sample.limits.fifo_priority_granted = 0;
        let finding = sample.only_complaint("rt-group");
        assert_eq!(finding.verdict, Verdict::Failure);
        assert!(fix(&finding).contains("cgroup.procs"));
        sample.machine.kernel.version = Some((6, 16));
        assert!(fix(&sample.only_complaint("rt-group")).contains("rt_group_sched=0"));
    }

    #[test]
    fn without_rights_and_build_options_it_is_unknown() {
        let mut sample = Sample::of(&SampleTree::healthy().without("boot"));
        assert_eq!(sample.finding("rt-group").found, "FIFO is granted");
        sample.limits.fifo_priority_granted = 0;
        sample.limits.rtprio.soft = Some(0);
        assert_eq!(sample.finding("rt-group").verdict, Verdict::Unknown);
    }
}
