//! What this user may do.

use super::super::finding::{About, Area, Finding};
use super::super::{Examined, bytes_text};
use crate::fixes;
use crate::machine::{DeviceAccess, RtGroup};
use crate::startup::LOCKED_MEMORY_BYTES;

const RT_PRIORITY: About = About {
    id: "rt-priority",
    area: Area::Rights,
    title: "Real-time priority",
    expected: "a limit (ulimit -r) as high as the priorities in the configuration, or CAP_SYS_NICE",
    why: "Without it the processes run as ordinary ones: any other program can delay a step.",
};

pub(super) fn rt_priority(examined: Examined) -> Finding {
    let (limits, need) = (examined.limits, examined.workload.priority_max);
    let limit = limits.rtprio.soft.map_or("unlimited".to_owned(), |soft| soft.to_string());
    let finding = if limits.cap_sys_nice {
        RT_PRIORITY.pass("any (CAP_SYS_NICE)")
    } else if limits.rtprio.allows(need.into()) {
        RT_PRIORITY.pass(format!("limit {limit}"))
    } else if limits.rtprio.can_be_raised_to(need.into()) {
        RT_PRIORITY.failure(format!("limit {limit}")).with_fix(format!("ulimit -Sr {need}"))
    } else {
        RT_PRIORITY.failure(format!("limit {limit}")).with_fix(fixes::grant_limits(limits.is_root, need))
    };
    finding.expecting(format!("a limit (ulimit -r) of at least {need}, or CAP_SYS_NICE"))
}

const RT_GROUP: About = About {
    id: "rt-group",
    area: Area::Rights,
    title: "Real-time group",
    expected: "no real-time groups, or a group with a budget",
    why: "With RT_GROUP_SCHED each control group has a budget of real-time, 0 at first. In such a group the \
          kernel refuses FIFO priorities with EPERM, even to root.",
};

pub(super) fn rt_group(examined: Examined) -> Finding {
    let groups = &examined.machine.scheduler.rt_groups;
    match groups.groups.last() {
        Some(own) if own.runtime_us == 0 => {
            RT_GROUP.failure(format!("budget 0 in {}", own.file)).with_fix(give_budget(&groups.groups))
        }
        Some(own) => RT_GROUP.pass(format!("budget {} µs", own.runtime_us)),
        None if was_refused_against_the_limits(examined) => {
            RT_GROUP.failure("FIFO is refused although the limits allow it").with_fix(leave_groups(examined))
        }
        None if groups.in_force == Some(false) => RT_GROUP.pass("not in this kernel"),
        None if examined.limits.fifo_priority_granted > 0 => RT_GROUP.pass("FIFO is granted"),
        None => RT_GROUP.unknown("cannot be tried without the right to a real-time priority"),
    }
}

/// The limits allow a priority and the kernel still said no: only a group can be the reason.
fn was_refused_against_the_limits(examined: Examined) -> bool {
    let limits = examined.limits;
    limits.fifo_priority_granted == 0 && (limits.cap_sys_nice || limits.rtprio.allows(1))
}

/// A group can give only what the one around it has: so from the outermost inwards.
fn give_budget(groups: &[RtGroup]) -> String {
    let without = groups.iter().filter(|group| group.runtime_us == 0);
    let commands: Vec<String> = without.map(|group| format!("echo 900000 | sudo tee '{}'", group.file)).collect();
    commands.join("\n")
}

fn leave_groups(examined: Examined) -> String {
    if examined.machine.kernel.is_at_least(6, 16) {
        return fixes::kernel_parameters("rtrd-groups", "rt_group_sched=0");
    }
    "echo $$ | sudo tee /sys/fs/cgroup/cgroup.procs  # moves this shell to the outermost group".into()
}

const MEMORY_LOCK: About = About {
    id: "memory-lock",
    area: Area::Rights,
    title: "Memory lock",
    expected: "a limit (ulimit -l) as large as what a process locks, or CAP_IPC_LOCK",
    why: "Memory that is not locked may be moved or dropped: touching it again costs a page fault, and \
          milliseconds when it must come from a disk.",
};

pub(super) fn memory_lock(examined: Examined) -> Finding {
    let (limits, need) = (examined.limits, LOCKED_MEMORY_BYTES);
    let limit = limits.memlock.soft.map_or("unlimited".to_owned(), bytes_text);
    let finding = if limits.cap_ipc_lock {
        MEMORY_LOCK.pass("any amount (CAP_IPC_LOCK)")
    } else if limits.memlock.allows(need) {
        MEMORY_LOCK.pass(format!("limit {limit}"))
    } else if limits.memlock.can_be_raised_to(need) {
        MEMORY_LOCK.failure(format!("limit {limit}")).with_fix("ulimit -Sl hard")
    } else {
        let fix = fixes::grant_limits(limits.is_root, examined.workload.priority_max);
        MEMORY_LOCK.failure(format!("limit {limit}")).with_fix(fix)
    };
    finding.expecting(format!("a limit (ulimit -l) of at least {}, or CAP_IPC_LOCK", bytes_text(need)))
}

const CPU_DMA_LATENCY: About = About {
    id: "cpu-dma-latency",
    area: Area::Rights,
    title: "/dev/cpu_dma_latency",
    expected: "the device can be opened for writing",
    why: "While a process holds this device open it keeps the CPUs out of deep idle states, and gives the power \
          back when it ends.",
};

pub(super) fn cpu_dma_latency(examined: Examined) -> Finding {
    match examined.machine.cpu_dma_latency {
        DeviceAccess::Writable => CPU_DMA_LATENCY.pass("writable"),
        DeviceAccess::Refused => CPU_DMA_LATENCY.warning("may not be opened").with_fix(fixes::grant_cpu_dma_latency()),
        DeviceAccess::Absent => CPU_DMA_LATENCY.warning("absent: this kernel or container does not have it"),
    }
}
