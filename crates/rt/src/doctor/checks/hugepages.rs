//! Does the kernel rearrange memory by itself?

use super::super::Patient;
use super::super::finding::{About, Area, Finding};

const ABOUT: About = About {
    id: "transparent-hugepages",
    area: Area::Memory,
    title: "Transparent huge pages",
    expected: "madvise or never",
    why: "With “always” the kernel gathers pages into huge ones behind the back of the processes: the memory map \
          is locked meanwhile, and touching a moved page faults.",
};

const FIX: &str = "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled\
                   \u{20} # lasting: kernel parameter transparent_hugepage=madvise";

pub(super) fn check(patient: Patient) -> Finding {
    match patient.machine.memory.transparent_hugepages.as_deref() {
        None => ABOUT.pass("not in this kernel"),
        Some("always") => ABOUT.warning("always").with_fix(FIX),
        Some(setting) => ABOUT.pass(setting),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::super::sample::{Sample, fix};
    use crate::machine::sample::SampleTree;

    const FILE: &str = "sys/kernel/mm/transparent_hugepage/enabled";

    #[test]
    fn always_is_warned_about() {
        let tree = SampleTree::healthy().with(FILE, "[always] madvise never");
        let finding = Sample::of(&tree).only_complaint("transparent-hugepages");
        assert_eq!(finding.verdict, Verdict::Warning);
        assert!(
            fix(&finding).starts_with("echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled")
        );
    }

    #[test]
    fn never_and_a_kernel_without_it_pass() {
        let tree = SampleTree::healthy().with(FILE, "always madvise [never]");
        assert_eq!(Sample::of(&tree).finding("transparent-hugepages").found, "never");
        assert_eq!(
            Sample::of(&tree.without(FILE)).finding("transparent-hugepages").found,
            "not in this kernel"
        );
    }
}
