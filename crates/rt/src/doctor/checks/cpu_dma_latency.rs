//! Can the processes keep the CPUs awake?

use super::super::finding::{About, Area, Finding};
use super::super::{Patient, shell};
use crate::machine::DeviceAccess;

const ABOUT: About = About {
    id: "cpu-dma-latency",
    area: Area::Rights,
    title: "/dev/cpu_dma_latency",
    expected: "the device can be opened for writing",
    why: "While a process holds this device open it keeps the CPUs out of deep idle states, and gives the power \
          back when it ends.",
};

pub(super) fn check(patient: Patient) -> Finding {
    match patient.machine.cpu_dma_latency {
        DeviceAccess::Writable => ABOUT.pass("writable"),
        DeviceAccess::Refused => ABOUT.warning("may not be opened").with_fix(shell::grant_cpu_dma_latency()),
        DeviceAccess::Absent => ABOUT.warning("absent: this kernel or container does not have it"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::super::sample::{Sample, fix};
    use crate::machine::sample::SampleTree;

    #[test]
    fn a_device_that_is_refused_can_be_granted() {
        let tree = SampleTree::healthy().without("dev/cpu_dma_latency").with("dev/cpu_dma_latency/x", "");
        let finding = Sample::of(&tree).only_complaint("cpu-dma-latency");
        assert_eq!(finding.verdict, Verdict::Warning);
        assert!(fix(&finding).contains("/etc/udev/rules.d/90-rtrd.rules"));
    }

    #[test]
    fn an_absent_device_is_warned_about() {
        let finding = Sample::of(&SampleTree::healthy().without("dev/cpu_dma_latency"))
            .only_complaint("cpu-dma-latency");
        assert_eq!((finding.verdict, finding.fix), (Verdict::Warning, None));
    }
}
