//! The kernel and its clocks.

use std::collections::BTreeMap;

use super::super::Examined;
use super::super::finding::{About, Area, Finding};
use crate::fixes;
use crate::machine::{ClockSource, CpuList, FairServer};

const REAL_TIME_KERNEL: About = About {
    id: "real-time-kernel",
    area: Area::Kernel,
    title: "Real-time kernel",
    expected: "a PREEMPT_RT kernel",
    why: "Other kernels finish an interrupt handler or a locked section before a FIFO process may run: under \
          load it wakes up milliseconds late.",
};

pub(super) fn real_time_kernel(examined: Examined) -> Finding {
    let kernel = &examined.machine.kernel;
    if kernel.realtime {
        return REAL_TIME_KERNEL.pass(format!("{}, PREEMPT_RT", kernel.release));
    }
    let finding = REAL_TIME_KERNEL.failure(format!("{}, not PREEMPT_RT", kernel.release));
    Finding { fix: fixes::install_real_time_kernel(), ..finding }
}

const BARE_METAL: About = About {
    id: "bare-metal",
    area: Area::Kernel,
    title: "Bare metal",
    expected: "no hypervisor beneath the kernel",
    why: "A host may take a virtual CPU away for milliseconds, and nothing inside the guest can prevent or even \
          see it. Good for development; measure latency on the real machine.",
};

pub(super) fn bare_metal(examined: Examined) -> Finding {
    if examined.machine.kernel.virtual_machine {
        BARE_METAL.warning("virtual machine")
    } else {
        BARE_METAL.pass("no hypervisor")
    }
}

const CLOCK_SOURCE: About = About {
    id: "clock-source",
    area: Area::Kernel,
    title: "Clock source",
    expected: "tsc (arch_sys_counter on ARM)",
    why: "Every step reads the clock several times. A counter inside the CPU takes some 20 ns; hpet and acpi_pm \
          are read by a system call from the chipset, a microsecond or more each time.",
};

const USE_TSC: &str = "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource\
                       \u{20} # lasting: kernel parameter clocksource=tsc";

pub(super) fn clock_source(examined: Examined) -> Finding {
    let source = &examined.machine.clock_source;
    match source.current.as_deref() {
        Some(name @ ("tsc" | "arch_sys_counter" | "riscv_clocksource")) => CLOCK_SOURCE.pass(name),
        Some(name @ ("hpet" | "acpi_pm" | "jiffies" | "refined-jiffies" | "pit")) => {
            CLOCK_SOURCE.failure(name).with_fix(tsc_fix(source))
        }
        // Fast enough, but steered by the host.
        Some(name @ ("kvm-clock" | "xen" | "hyperv_clocksource_tsc_page")) => {
            let finding = CLOCK_SOURCE.warning(format!("{name}, the clock of the host"));
            if source.offers("tsc") { finding.with_fix(USE_TSC) } else { finding }
        }
        Some(name) => CLOCK_SOURCE.unknown(format!("{name}, which this check does not know")),
        None => CLOCK_SOURCE.unknown("the kernel does not say"),
    }
}

/// The kernel drops a tsc that it has found to be unstable from its offer.
fn tsc_fix(source: &ClockSource) -> String {
    if source.offers("tsc") {
        return USE_TSC.into();
    }
    "sudo dmesg | grep -i tsc  # says why tsc was given up; \
     if the firmware is at fault: kernel parameter tsc=reliable"
        .into()
}

const THROTTLING: About = About {
    id: "rt-throttling",
    area: Area::Kernel,
    title: "RT throttling",
    expected: "off (-1)",
    why: "When real-time processes have used their share of a CPU, usually 950 ms of each second, the kernel \
          stops them until the second is over. A process that waits by spinning is always over its share.",
};

const UNTHROTTLE: &str = "echo 'kernel.sched_rt_runtime_us = -1' | sudo tee /etc/sysctl.d/90-rtrd.conf && \
                   sudo sysctl -p /etc/sysctl.d/90-rtrd.conf";

pub(super) fn throttling(examined: Examined) -> Finding {
    let Examined { machine, workload, .. } = examined;
    let (Some(runtime), Some(period)) = (machine.scheduler.rt_runtime_us, machine.scheduler.rt_period_us) else {
        return THROTTLING.unknown("the kernel does not say");
    };
    let found = format!("{runtime} of {period} µs");
    if runtime < 0 || runtime >= period {
        THROTTLING.pass("off")
    } else if !throttling_applies(examined) {
        THROTTLING.pass(format!("{found}, without effect: from 6.12 on the fair server does this"))
    } else if workload.something_spins() {
        THROTTLING.failure(found).with_fix(UNTHROTTLE)
    } else if workload.real_time_cpus(machine).is_empty() {
        THROTTLING.pass(format!("{found}, which protects the one CPU that the system has"))
    } else {
        THROTTLING.warning(found).with_fix(UNTHROTTLE)
    }
}

/// From 6.12 on only group scheduling still throttles. Unless it is known to be absent it counts as
/// present.
fn throttling_applies(examined: Examined) -> bool {
    let machine = examined.machine;
    !machine.kernel.is_at_least(6, 12) || machine.scheduler.rt_groups.in_force != Some(false)
}

const FAIR_SERVER: About = About {
    id: "fair-server",
    area: Area::Kernel,
    title: "Fair server",
    expected: "runtime 0 on the CPUs of the real-time processes",
    why: "From 6.12 on the kernel takes a CPU from a busy real-time process, usually for 50 ms of each second, \
          as soon as an ordinary task waits there. CPUs that are set apart do not need this protection.",
};

pub(super) fn fair_server(examined: Examined) -> Finding {
    let cpus = examined.workload.real_time_cpus(examined.machine);
    if cpus.is_empty() {
        return FAIR_SERVER.pass("left on: no CPU is set apart");
    }
    match &examined.machine.scheduler.fair_server {
        FairServer::NotInKernel => FAIR_SERVER.pass("none: this kernel is older than 6.12"),
        FairServer::Unreadable => FAIR_SERVER.unknown("cannot be read: needs root").with_fix(fair_server_off(&cpus)),
        FairServer::NotMounted => {
            let mount = "sudo mount -t debugfs debugfs /sys/kernel/debug";
            FAIR_SERVER.unknown("cannot be read: debugfs is not mounted").with_fix(format!(
                "{mount}
{}",
                fair_server_off(&cpus)
            ))
        }
        FairServer::RuntimeNs(runtimes) => judge_runtimes(runtimes, &cpus),
    }
}

fn judge_runtimes(runtimes: &BTreeMap<usize, u64>, cpus: &CpuList) -> Finding {
    let is_on = |cpu: &usize| runtimes.get(cpu).is_some_and(|&runtime| runtime > 0);
    let on: CpuList = cpus.iter().filter(is_on).collect();
    match on.iter().filter_map(|cpu| runtimes.get(&cpu)).max() {
        None => FAIR_SERVER.pass(format!("off on CPU {cpus}")),
        Some(runtime) => FAIR_SERVER
            .warning(format!("{} ms on CPU {on}", runtime.div_ceil(1_000_000)))
            .with_fix(fair_server_off(&on)),
    }
}

/// Braces, not a star: the shell of the user cannot look into the directory.
fn fair_server_off(cpus: &CpuList) -> String {
    let cpus = fixes::braces(cpus);
    format!("echo 0 | sudo tee /sys/kernel/debug/sched/fair_server/cpu{cpus}/runtime  # until the next restart")
}
