//! What each check says of a machine, and what holds for all of them together.

use std::collections::BTreeSet;
use std::process::Command;

use super::super::Verdict::{Failure, Pass, Unknown, Warning};
use super::super::{Finding, Limit, Limits, Verdict, Workload, examine, summarise};
use super::sample::{Expected, Sample, wishes};
use crate::cpu_plan::Topology;
use crate::fixes;
use crate::machine::sample::SampleTree;

/// A machine on which everything that can be wrong at once is.
fn faulty() -> Vec<Finding> {
    let mut tree = SampleTree::healthy()
        .with("proc/sys/kernel/osrelease", "6.1.0-21-amd64")
        .with("sys/kernel/realtime", "0")
        .with("proc/cpuinfo", "flags : fpu hypervisor")
        .with("proc/cmdline", "quiet")
        .with("proc/swaps", "Filename Type Size Used Priority\n/dev/sda2 partition 1000 10 -2\n")
        .with("proc/78/comm", "irqbalance")
        .with("proc/irq/24/effective_affinity_list", "2")
        .with("proc/sys/kernel/sched_rt_runtime_us", "950000")
        .with("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never")
        .with("sys/devices/system/cpu/isolated", "")
        .with("sys/devices/system/cpu/nohz_full", "(null)")
        .with("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet")
        .with_rt_group("/user", 950_000, 0)
        .without("dev/cpu_dma_latency")
        .without("dev/shm")
        .without("usr/bin/cyclictest");
    for cpu in 0..4 {
        let folder = format!("sys/devices/system/cpu/cpu{cpu}");
        tree = tree
            .with_cpu(cpu, "0-3")
            .with(&format!("{folder}/cpufreq/scaling_governor"), "powersave")
            .with(&format!("{folder}/cpuidle/state1/disable"), "0")
            .with(&format!("sys/kernel/debug/sched/fair_server/cpu{cpu}/runtime"), "50000000");
    }
    let mut sample = Sample::of(&tree);
    let zero = Limit { soft: Some(0), hard: Some(0) };
    sample.limits = Limits { rtprio: zero, memlock: zero, fifo_priority_granted: 0, ..sample.limits };
    examine(&sample.machine, &sample.limits, &sample.workload)
}

#[test]
fn a_good_machine_passes_every_check() {
    let sample = Sample::healthy();
    let findings = examine(&sample.machine, &sample.limits, &sample.workload);
    for finding in &findings {
        assert_eq!(finding.verdict, Verdict::Pass, "{finding:?}");
    }
    assert_eq!(summarise(&findings).pass, super::ALL.len());
}

#[test]
fn a_faulty_machine_passes_none_but_the_plan() {
    let passing: Vec<&str> =
        faulty().iter().filter(|finding| finding.verdict == Verdict::Pass).map(|finding| finding.id).collect();
    assert_eq!(passing, ["cpu-plan"]);
}

const CPU: &str = "sys/devices/system/cpu";
const CLOCK: &str = "sys/devices/system/clocksource/clocksource0";
const HUGE_PAGES: &str = "sys/kernel/mm/transparent_hugepage/enabled";
const RUNTIME: &str = "proc/sys/kernel/sched_rt_runtime_us";
const RELEASE: &str = "proc/sys/kernel/osrelease";

fn good() -> SampleTree {
    SampleTree::healthy()
}

fn with(file: &str, text: &str) -> SampleTree {
    good().with(file, text)
}

fn cpu(file: &str, text: &str) -> SampleTree {
    with(&format!("{CPU}/{file}"), text)
}

/// The same file of each CPU that runs a process.
fn each_cpu(change: impl Fn(SampleTree, &str) -> SampleTree, file: &str) -> SampleTree {
    (0..4).fold(good(), |tree, number| change(tree, &format!("{CPU}/cpu{number}/{file}")))
}

/// The kernel's command for another kernel, where Debian has one for this processor.
fn real_time_kernel() -> &'static str {
    if cfg!(target_arch = "x86_64") { "sudo apt-get install linux-image-rt-amd64" } else { "" }
}

/// One thing is wrong, and one check says so.
#[test]
fn each_check_finds_what_it_is_for() {
    let fair = "sys/kernel/debug/sched/fair_server/cpu2/runtime";
    let clock = |name: &str| with(&format!("{CLOCK}/current_clocksource"), name);
    let offers = |tree: SampleTree, names: &str| tree.with(&format!("{CLOCK}/available_clocksource"), names);
    let slow = |release: &str| with(RUNTIME, "950000").with(RELEASE, release);
    let many = (40..46).fold(good(), |tree, irq: usize| {
        tree.with(&format!("proc/irq/{irq}/smp_affinity_list"), "0-3").with(&format!("proc/irq/{irq}/nvme/x"), "")
    });
    let swap = "Filename Type Size Used Priority\n/dev/sda2 partition 1048576 2048 -2\n";
    let ungrouped = "echo 900000 | sudo tee '/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.rt_runtime_us'";
    let off = "echo 0 | sudo tee /sys/kernel/debug/sched/fair_server/cpu";
    let cases: Vec<(SampleTree, Expected)> = vec![
        (
            with("sys/kernel/realtime", "0"),
            ("real-time-kernel", Failure, "6.12.9-rt-amd64, not PREEMPT_RT", real_time_kernel()),
        ),
        (with("proc/cpuinfo", "flags\t: fpu tsc hypervisor"), ("bare-metal", Warning, "virtual machine", "")),
        (clock("hpet"), ("clock-source", Failure, "hpet", "echo tsc | sudo tee /sys/")),
        (offers(clock("hpet"), "hpet acpi_pm"), ("clock-source", Failure, "hpet", "dmesg")),
        (offers(clock("kvm-clock"), "kvm-clock"), ("clock-source", Warning, "the clock of the host", "")),
        (slow("6.1.0-rt-amd64"), ("rt-throttling", Failure, "950000 of 1000000 µs", "kernel.sched_rt_runtime_us = -1")),
        // Later kernels throttle only groups.
        (
            slow("6.12.9-rt-amd64").with_rt_group("/", 950_000, 950_000),
            ("rt-throttling", Failure, "950000", "sched_rt_runtime_us"),
        ),
        (good().without(RUNTIME), ("rt-throttling", Unknown, "", "")),
        (with(fair, "50000000"), ("fair-server", Warning, "50 ms on CPU 2", off)),
        (good().without("sys/kernel/debug"), ("fair-server", Unknown, "needs root", "fair_server/cpu{1..3}/runtime")),
        (
            good().without("sys/kernel/debug").with("proc/self/mounts", ""),
            ("fair-server", Unknown, "not mounted", "sudo mount -t debugfs debugfs /sys/kernel/debug\n"),
        ),
        (cpu("online", "0-1"), ("cpu-plan", Warning, "CPU 0: system + daq, CPU 1: dynamics + subsystem", "")),
        (cpu("isolated", ""), ("isolated-cpus", Warning, "none", "isolcpus=managed_irq,domain,1-3 nohz_full=1-3")),
        (cpu("isolated", "2-3"), ("isolated-cpus", Warning, "CPU 2-3 only", "irqaffinity=0 ")),
        (cpu("nohz_full", "(null)"), ("nohz-full", Warning, "none", "nohz_full=1-3")),
        (
            good().without(&format!("{CPU}/nohz_full")),
            ("nohz-full", Warning, "not built into this kernel", real_time_kernel()),
        ),
        (
            good().with_cpu(2, "2-3").with_cpu(3, "2-3"),
            ("smt", Warning, "CPU 2 beside 3, 3 beside 2", "echo off | sudo tee /sys/devices/"),
        ),
        (
            cpu("cpu2/cpufreq/scaling_governor", "powersave"),
            ("governor", Warning, "CPU 1,3, powersave on CPU 2", "echo performance | sudo tee /sys/"),
        ),
        (
            each_cpu(|tree, file| tree.without(file), "cpufreq/scaling_governor"),
            ("governor", Unknown, "no frequency control", ""),
        ),
        (
            with("proc/irq/24/effective_affinity_list", "2"),
            ("irq-affinity", Warning, "1 on CPU 1-3: 24:enp1s0", "for irq in 24; do echo 0 | sudo tee /proc/irq/"),
        ),
        (many, ("irq-affinity", Warning, "43:nvme, 2 more", "for irq in 40 41 42 43 44 45;")),
        (
            with("proc/irq/default_smp_affinity", "f"),
            ("irq-affinity", Warning, "new ones go to CPU 0-3", "echo 1 | sudo tee /proc/irq/default"),
        ),
        (good().with_rt_group("/a/b", 950_000, 0), ("rt-group", Failure, "budget 0", ungrouped)),
        (
            good().without("dev/cpu_dma_latency").with("dev/cpu_dma_latency/x", ""),
            ("cpu-dma-latency", Warning, "may not be opened", "/etc/udev/rules.d/60-rtrd.rules"),
        ),
        (good().without("dev/cpu_dma_latency"), ("cpu-dma-latency", Warning, "absent", "")),
        (
            with(HUGE_PAGES, "[always] madvise never"),
            ("transparent-hugepages", Warning, "always", "echo madvise | sudo tee /sys/kernel/mm/"),
        ),
        (with("proc/swaps", swap), ("swap", Warning, "2 MiB of 1.0 GiB in use", "sudo swapoff -a")),
        (good().without("dev/shm"), ("shared-memory", Failure, "no /dev/shm", "mount -t tmpfs")),
        (
            good().without("usr/bin/cyclictest"),
            ("cyclictest", Warning, "not installed", "sudo apt-get install rt-tests"),
        ),
    ];
    for (tree, expected) in cases {
        Sample::of(&tree).assert_only(expected);
    }
}

/// What looks wrong and is not, what is wrong together with something else, and what is not known.
#[test]
fn each_check_knows_its_exceptions() {
    let clock = |name: &str| with(&format!("{CLOCK}/current_clocksource"), name);
    let slow = |release: &str| with(RUNTIME, "950000").with(RELEASE, release);
    let deep = || each_cpu(|tree, file| tree.with(file, "0"), "cpuidle/state1/disable");
    let without_states = || each_cpu(|tree, folder| tree.without(folder), "cpuidle");
    let old = good().without("sys/kernel/debug").with(RELEASE, "6.1.0");
    let ticking = cpu("nohz_full", "").with("proc/cmdline", "quiet");
    let irqbalance = || with("proc/77/comm", "irqbalance\n");
    let swap = "Filename Type Size Used Priority\n/dev/sda2 partition 1048576 0 -2\n";
    let cases: Vec<(SampleTree, Expected)> = vec![
        (clock("arch_sys_counter"), ("clock-source", Pass, "", "")),
        (clock("kvm-clock"), ("clock-source", Warning, "", "echo tsc")),
        (clock("acpi_pm"), ("clock-source", Failure, "", "echo tsc")),
        (clock("sundial"), ("clock-source", Unknown, "", "")),
        (good().without(CLOCK), ("clock-source", Unknown, "", "")),
        (slow("6.1.0").with(&format!("{CPU}/online"), "0-1"), ("rt-throttling", Warning, "", "sysctl")),
        // It protects the one CPU that the system has.
        (slow("6.1.0").with(&format!("{CPU}/online"), "0"), ("rt-throttling", Pass, "", "")),
        (slow("6.12.9-rt-amd64"), ("rt-throttling", Pass, "without effect", "")),
        (slow("6.12.9-rt-amd64").without("boot"), ("rt-throttling", Failure, "", "sysctl")),
        (with(RUNTIME, "1000000"), ("rt-throttling", Pass, "off", "")),
        (good(), ("fair-server", Pass, "off on CPU 1-3", "")),
        (old, ("fair-server", Pass, "", "")),
        (cpu("online", "0"), ("fair-server", Pass, "", "")),
        (good(), ("cpu-plan", Pass, "CPU 0: system, CPU 1: dynamics, CPU 2: subsystem, CPU 3: daq", "")),
        (ticking, ("rcu-nocbs", Warning, "", "nohz_full=1-3")),
        (cpu("online", "0"), ("isolated-cpus", Warning, "", "")),
        (cpu("cpu0/cpufreq/scaling_governor", "powersave"), ("governor", Pass, "", "")),
        (
            deep().without("dev/cpu_dma_latency"),
            ("idle-states", Warning, "C6 (133 µs)", "cpu{1..3}/cpuidle/state1/disable"),
        ),
        (deep(), ("idle-states", Pass, "C6 (133 µs), kept off while the processes run", "")),
        (without_states(), ("idle-states", Pass, "", "")),
        (without_states().with("proc/cpuinfo", "flags : fpu hypervisor"), ("idle-states", Unknown, "", "")),
        (irqbalance(), ("irqbalance", Pass, "", "")),
        (
            irqbalance().with(&format!("{CPU}/isolated"), ""),
            ("irqbalance", Warning, "", "sudo systemctl disable --now irqbalance"),
        ),
        (good().with_rt_group("/a", 950_000, 500_000), ("rt-group", Pass, "budget 500000 µs", "")),
        (good().without("boot"), ("rt-group", Pass, "FIFO is granted", "")),
        (with(HUGE_PAGES, "always madvise [never]"), ("transparent-hugepages", Pass, "never", "")),
        (good().without(HUGE_PAGES), ("transparent-hugepages", Pass, "not in this kernel", "")),
        (with("proc/swaps", swap), ("swap", Pass, "unused, 6.0 GiB of memory available", "")),
        (good(), ("swap", Pass, "none, 6.0 GiB of memory available", "")),
    ];
    for (tree, expected) in cases {
        Sample::of(&tree).assert(expected);
    }
}

#[test]
fn a_plan_says_what_it_expects_and_why_it_cannot_be_made() {
    let mut sample = Sample::healthy();
    let expected = "4 CPUs: one for each of the 3 processes, one for the system";
    assert_eq!(sample.finding("cpu-plan").expected, expected);
    let topology = Topology::of(&sample.machine, &"0-2".parse().unwrap());
    let mut wishes = wishes();
    wishes[0].cpu = Some(3);
    sample.workload = Workload::new(&topology, &wishes);
    sample.assert_only(("cpu-plan", Failure, "daq is configured for CPU 3", ""));
}

#[test]
fn isolation_is_advised_once_for_all_of_it() {
    let sample = Sample::of(&cpu("nohz_full", "").with("proc/cmdline", "quiet"));
    assert_eq!(sample.finding("rcu-nocbs").fix, sample.finding("nohz-full").fix);
    assert_eq!(Sample::of(&cpu("isolated", "")).finding("isolated-cpus").expected, "CPU 1-3");
}

/// Six threads of three cores for two processes: 2 and 4 will be chosen.
#[test]
fn siblings_must_be_isolated_and_unused() {
    let three_cores = |isolated: &str| {
        let tree = cpu("online", "0-5")
            .with(&format!("{CPU}/nohz_full"), "2-5")
            .with(&format!("{CPU}/isolated"), isolated)
            .with(&format!("{CPU}/smt/active"), "1");
        let siblings = |cpu: usize| format!("{}-{}", cpu / 2 * 2, cpu / 2 * 2 + 1);
        let mut sample = Sample::of(&(0..6).fold(tree, |tree, cpu| tree.with_cpu(cpu, &siblings(cpu))));
        let topology = Topology::of(&sample.machine, &sample.machine.processors.online);
        sample.workload = Workload::new(&topology, &wishes()[1..]);
        sample
    };
    three_cores("2,4").assert_only(("smt", Warning, "CPU 2 beside 3, 4 beside 5", "echo off"));
    three_cores("2-5").assert(("smt", Pass, "idle", ""));
}

#[test]
fn a_budget_is_given_to_each_group_from_the_outermost_inwards() {
    let tree = good().with_rt_group("/a/b", 950_000, 0).with("sys/fs/cgroup/cpu,cpuacct/a/cpu.rt_runtime_us", "0");
    let fix = Sample::of(&tree).finding("rt-group").fix.unwrap();
    let files: Vec<&str> = fix.lines().collect();
    assert_eq!(files.len(), 2);
    assert!(files[0].contains("/a/cpu") && files[1].contains("/a/b/cpu"));
}

#[test]
fn a_refusal_against_the_limits_is_that_of_a_group() {
    let mut sample = Sample::healthy();
    sample.limits.fifo_priority_granted = 0;
    sample.assert_only(("rt-group", Failure, "", "cgroup.procs"));
    sample.machine.kernel.version = Some((6, 16));
    sample.assert_only(("rt-group", Failure, "", "rt_group_sched=0"));
    let mut silent = Sample::of(&good().without("boot"));
    (silent.limits.fifo_priority_granted, silent.limits.rtprio.soft) = (0, Some(0));
    silent.assert(("rt-group", Unknown, "", ""));
}

/// The limits of priority and of locked memory: too low, just enough, in the user's own hand, of
/// root in a container, and without effect because of a capability.
#[test]
fn limits_must_be_as_high_as_what_is_asked_for() {
    let limited = |rtprio: [u64; 2], memlock: [u64; 2]| {
        let limit = |[soft, hard]: [u64; 2]| Limit { soft: Some(soft), hard: Some(hard) };
        let mut sample = Sample::healthy();
        (sample.limits.rtprio, sample.limits.memlock) = (limit(rtprio), limit(memlock));
        sample
    };
    const ENOUGH: u64 = crate::startup::LOCKED_MEMORY_BYTES;
    let high = [95, 95];
    let low = limited([84, 84], [ENOUGH; 2]);
    low.assert_only(("rt-priority", Failure, "limit 84", "/etc/security/limits.d/rtrd.conf"));
    let expected = "a limit (ulimit -r) of at least 85, or CAP_SYS_NICE";
    assert_eq!(low.finding("rt-priority").expected, expected);
    limited([85, 85], [ENOUGH; 2]).assert(("rt-priority", Pass, "limit 85", ""));
    limited([0, 95], [ENOUGH; 2]).assert_only(("rt-priority", Failure, "limit 0", "ulimit -Sr 85"));
    let small = limited(high, [ENOUGH - 1; 2]);
    small.assert_only(("memory-lock", Failure, "limit 96 MiB", "@rtrd - memlock unlimited"));
    let expected = "a limit (ulimit -l) of at least 96 MiB, or CAP_IPC_LOCK";
    assert_eq!(small.finding("memory-lock").expected, expected);
    limited(high, [ENOUGH; 2]).assert(("memory-lock", Pass, "", ""));
    limited(high, [0, u64::MAX]).assert_only(("memory-lock", Failure, "limit 0", "ulimit -Sl hard"));
    let mut none = limited([0, 0], [0, 0]);
    assert_eq!(none.finding("memory-lock").fix, none.finding("rt-priority").fix, "one command for both");
    assert_eq!(none.finding("memory-lock").fix, Some(fixes::grant_limits(false, 85)));
    none.limits.is_root = true;
    none.assert(("rt-priority", Failure, "limit 0", "--cap-add SYS_NICE"));
    (none.limits.cap_sys_nice, none.limits.cap_ipc_lock) = (true, true);
    none.assert(("rt-priority", Pass, "any (CAP_SYS_NICE)", ""));
    none.assert(("memory-lock", Pass, "any amount (CAP_IPC_LOCK)", ""));
}

#[test]
fn too_little_shared_memory_fails_and_just_enough_passes() {
    let mut sample = Sample::healthy();
    sample.machine.memory.shared_memory_free_bytes = Some((4 << 20) - 1024);
    sample.assert(("shared-memory", Failure, "", "remount,size=50%"));
    assert_eq!(sample.finding("shared-memory").expected, "/dev/shm with at least 4 MiB free");
    sample.machine.memory.shared_memory_free_bytes = Some(4 << 20);
    sample.assert(("shared-memory", Pass, "", ""));
}

#[test]
fn every_finding_has_its_own_name_and_says_something() {
    let findings = faulty();
    let names: BTreeSet<&str> = findings.iter().map(|finding| finding.id).collect();
    assert_eq!(names.len(), findings.len());
    for finding in findings {
        assert!(finding.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{}", finding.id);
        assert!(!finding.title.is_empty() && !finding.found.is_empty() && !finding.expected.is_empty());
        assert!(finding.why.ends_with('.'), "{}", finding.why);
    }
}

#[test]
fn every_fix_is_valid_shell() {
    let fixes: Vec<String> = faulty().into_iter().filter_map(|finding| finding.fix).collect();
    assert!(fixes.len() >= 18, "{fixes:#?}");
    for fix in fixes {
        let checked = Command::new("bash").args(["-n", "-c", &fix]).status().unwrap();
        assert!(checked.success(), "{fix}");
    }
}

#[test]
fn findings_of_one_area_stand_together() {
    let mut areas: Vec<&str> = faulty().iter().map(|finding| finding.area.heading()).collect();
    areas.dedup();
    let different: BTreeSet<&str> = areas.iter().copied().collect();
    assert_eq!(areas.len(), different.len(), "{areas:?}");
}

#[test]
fn findings_are_written_as_json() {
    let json = serde_json::to_value(faulty()).unwrap();
    let first = &json[0];
    assert_eq!(first["id"], "real-time-kernel");
    assert_eq!(first["verdict"], "failure");
    assert_eq!(first["area"], "kernel");
    assert!(first["fix"].is_string() && first["why"].is_string());
}
