//! Is there a hypervisor beneath the kernel?

use super::super::Patient;
use super::super::finding::{About, Area, Finding};

const ABOUT: About = About {
    id: "bare-metal",
    area: Area::Kernel,
    title: "Bare metal",
    expected: "no hypervisor beneath the kernel",
    why: "A host may take a virtual CPU away for milliseconds, and nothing inside the guest can prevent or even \
          see it. Good for development; measure latency on the real machine.",
};

pub(super) fn check(patient: Patient) -> Finding {
    if patient.machine.kernel.virtual_machine {
        ABOUT.warning("virtual machine")
    } else {
        ABOUT.pass("no hypervisor")
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::super::sample::Sample;
    use crate::machine::sample::SampleTree;

    #[test]
    fn a_virtual_machine_is_warned_about() {
        let tree = SampleTree::healthy().with("proc/cpuinfo", "flags\t: fpu tsc hypervisor");
        assert_eq!(Sample::of(&tree).only_complaint("bare-metal").verdict, Verdict::Warning);
    }
}
