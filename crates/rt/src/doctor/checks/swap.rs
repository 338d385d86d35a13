//! Is memory on a disk?

use super::super::finding::{About, Area, Finding};
use super::super::{Patient, bytes_text};

const ABOUT: About = About {
    id: "swap",
    area: Area::Memory,
    title: "Swap",
    expected: "no swap in use",
    why: "The real-time processes lock their memory, but what works beside them (logging, the supervisor) waits \
          milliseconds for each page that comes back from the disk.",
};

pub(super) fn check(patient: Patient) -> Finding {
    let memory = &patient.machine.memory;
    let available = bytes_text(memory.available_bytes);
    if memory.swap_used_bytes > 0 {
        let (used, total) = (bytes_text(memory.swap_used_bytes), bytes_text(memory.swap_total_bytes));
        let fix = "sudo swapoff -a  # lasting: comment the swap line out of /etc/fstab";
        ABOUT.warning(format!("{used} of {total} in use")).with_fix(fix)
    } else if memory.swap_total_bytes > 0 {
        ABOUT.pass(format!("unused, {available} of memory available"))
    } else {
        ABOUT.pass(format!("none, {available} of memory available"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::super::sample::{Sample, fix};
    use crate::machine::sample::SampleTree;

    fn with_swap(used: u64) -> Sample {
        let swaps = format!("Filename Type Size Used Priority\n/dev/sda2 partition 1048576 {used} -2\n");
        Sample::of(&SampleTree::healthy().with("proc/swaps", &swaps))
    }

    #[test]
    fn swap_in_use_is_warned_about() {
        let finding = with_swap(2048).only_complaint("swap");
        assert_eq!((finding.verdict, finding.found.as_str()), (Verdict::Warning, "2 MiB of 1.0 GiB in use"));
        assert!(fix(&finding).starts_with("sudo swapoff -a"));
    }

    #[test]
    fn swap_that_is_empty_or_absent_passes() {
        assert_eq!(with_swap(0).finding("swap").found, "unused, 6.0 GiB of memory available");
        assert_eq!(Sample::healthy().finding("swap").found, "none, 6.0 GiB of memory available");
    }
}
