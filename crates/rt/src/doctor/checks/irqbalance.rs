//! Does a service move interrupts back?

use super::super::Patient;
use super::super::finding::{About, Area, Finding};

const ABOUT: About = About {
    id: "irqbalance",
    area: Area::Interrupts,
    title: "irqbalance",
    expected: "not running, or the CPUs of the real-time processes isolated",
    why: "irqbalance spreads interrupts over all CPUs that are not isolated, and undoes what was set by hand.",
};

pub(super) fn check(patient: Patient) -> Finding {
    let cpus = patient.workload.real_time_cpus(patient.machine);
    if !patient.machine.interrupts.irqbalance_running {
        ABOUT.pass("not running")
    } else if cpus.is_subset(&patient.machine.processors.isolated) {
        ABOUT.pass("running; it leaves isolated CPUs alone")
    } else {
        ABOUT.warning("running").with_fix("sudo systemctl disable --now irqbalance")
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::super::sample::{Sample, fix};
    use crate::machine::sample::SampleTree;

    #[test]
    fn it_is_warned_about_only_where_cpus_are_not_isolated() {
        let tree = SampleTree::healthy().with("proc/77/comm", "irqbalance\n");
        assert_eq!(Sample::of(&tree).finding("irqbalance").verdict, Verdict::Pass);
        let finding = Sample::of(&tree.with("sys/devices/system/cpu/isolated", "")).finding("irqbalance");
        assert_eq!(finding.verdict, Verdict::Warning);
        assert_eq!(fix(&finding), "sudo systemctl disable --now irqbalance");
    }
}
