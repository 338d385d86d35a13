//! Memory, and the tools that help.

use super::super::finding::{About, Area, Finding};
use super::super::{Examined, bytes_text};

const HUGEPAGES: About = About {
    id: "transparent-hugepages",
    area: Area::Memory,
    title: "Transparent huge pages",
    expected: "madvise or never",
    why: "With “always” the kernel gathers pages into huge ones behind the back of the processes: the memory map \
          is locked meanwhile, and touching a moved page faults.",
};

const MADVISE: &str = "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled\
                   \u{20} # lasting: kernel parameter transparent_hugepage=madvise";

pub(super) fn hugepages(examined: Examined) -> Finding {
    match examined.machine.memory.transparent_hugepages.as_deref() {
        None => HUGEPAGES.pass("not in this kernel"),
        Some("always") => HUGEPAGES.warning("always").with_fix(MADVISE),
        Some(setting) => HUGEPAGES.pass(setting),
    }
}

const SWAP: About = About {
    id: "swap",
    area: Area::Memory,
    title: "Swap",
    expected: "no swap in use",
    why: "The real-time processes lock their memory, but what works beside them (logging, the supervisor) waits \
          milliseconds for each page that comes back from the disk.",
};

pub(super) fn swap(examined: Examined) -> Finding {
    let memory = &examined.machine.memory;
    let available = bytes_text(memory.available_bytes);
    if memory.swap_used_bytes > 0 {
        let (used, total) = (bytes_text(memory.swap_used_bytes), bytes_text(memory.swap_total_bytes));
        let fix = "sudo swapoff -a  # lasting: comment the swap line out of /etc/fstab";
        SWAP.warning(format!("{used} of {total} in use")).with_fix(fix)
    } else if memory.swap_total_bytes > 0 {
        SWAP.pass(format!("unused, {available} of memory available"))
    } else {
        SWAP.pass(format!("none, {available} of memory available"))
    }
}

const SHARED_MEMORY: About = About {
    id: "shared-memory",
    area: Area::Memory,
    title: "Shared memory",
    expected: "/dev/shm with room for the shared region",
    why: "The processes meet in a region of shared memory. Without room for it they cannot start.",
};

const MOUNT: &str = "sudo mkdir -p /dev/shm && sudo mount -t tmpfs -o mode=1777 tmpfs /dev/shm";
const ENLARGE: &str = "ls -lS /dev/shm  # what fills it\nsudo mount -o remount,size=50% /dev/shm";

pub(super) fn shared_memory(examined: Examined) -> Finding {
    let need = examined.workload.shared_memory_bytes;
    let finding = match examined.machine.memory.shared_memory_free_bytes {
        None => SHARED_MEMORY.failure("no /dev/shm").with_fix(MOUNT),
        Some(free) if free < need => SHARED_MEMORY.failure(format!("{} free", bytes_text(free))).with_fix(ENLARGE),
        Some(free) => SHARED_MEMORY.pass(format!("{} free", bytes_text(free))),
    };
    finding.expecting(format!("/dev/shm with at least {} free", bytes_text(need)))
}

const CYCLICTEST: About = About {
    id: "cyclictest",
    area: Area::Tools,
    title: "cyclictest",
    expected: "installed",
    why: "The jitter measurement runs it beside our own loop, to separate the latency of the machine from ours. \
          Nothing else needs it.",
};

pub(super) fn cyclictest(examined: Examined) -> Finding {
    match &examined.machine.cyclictest {
        Some(path) => CYCLICTEST.pass(path.display().to_string()),
        None => CYCLICTEST.warning("not installed").with_fix("sudo apt-get install rt-tests"),
    }
}
