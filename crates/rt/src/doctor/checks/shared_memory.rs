//! Is there room for the shared region?

use super::super::finding::{About, Area, Finding};
use super::super::{Patient, bytes_text};

const ABOUT: About = About {
    id: "shared-memory",
    area: Area::Memory,
    title: "Shared memory",
    expected: "/dev/shm with room for the shared region",
    why: "The processes meet in a region of shared memory. Without room for it they cannot start.",
};

const MOUNT: &str = "sudo mkdir -p /dev/shm && sudo mount -t tmpfs -o mode=1777 tmpfs /dev/shm";
const ENLARGE: &str = "ls -lS /dev/shm  # what fills it\nsudo mount -o remount,size=50% /dev/shm";

pub(super) fn check(patient: Patient) -> Finding {
    let need = patient.workload.shared_memory_bytes;
    let finding = match patient.machine.memory.shared_memory_free_bytes {
        None => ABOUT.failure("no /dev/shm").with_fix(MOUNT),
        Some(free) if free < need => ABOUT.failure(format!("{} free", bytes_text(free))).with_fix(ENLARGE),
        Some(free) => ABOUT.pass(format!("{} free", bytes_text(free))),
    };
    finding.expecting(format!("/dev/shm with at least {} free", bytes_text(need)))
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::super::sample::{Sample, fix};
    use crate::machine::sample::SampleTree;

    #[test]
    fn a_machine_without_shared_memory_fails() {
        let finding = Sample::of(&SampleTree::healthy().without("dev/shm")).only_complaint("shared-memory");
        assert_eq!(finding.verdict, Verdict::Failure);
        assert!(fix(&finding).contains("mount -t tmpfs"));
    }

    #[test]
    fn too_little_room_fails_and_just_enough_passes() {
        let mut sample = Sample::healthy();
        sample.machine.memory.shared_memory_free_bytes = Some((4 << 20) - 1024);
        let finding = sample.only_complaint("shared-memory");
        assert_eq!(finding.expected, "/dev/shm with at least 4 MiB free");
        assert!(fix(&finding).contains("remount,size=50%"));
        sample.machine.memory.shared_memory_free_bytes = Some(4 << 20);
        assert_eq!(sample.finding("shared-memory").verdict, Verdict::Pass);
    }
}
