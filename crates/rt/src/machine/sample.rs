//! A file tree of a machine in perfect order, for tests to spoil one file at a time.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// A temporary tree; removed when dropped.
pub(crate) struct SampleTree {
    folder: TempDir,
}

/// Four CPUs without SMT, 1 to 3 isolated, a real-time kernel with a fair server that is switched
/// off.
const FILES: &[(&str, &str)] = &[
    ("proc/sys/kernel/osrelease", "6.12.9-rt-amd64\n"),
    ("proc/version", "Linux version 6.12.9-rt-amd64 #1 SMP PREEMPT_RT Debian 6.12.9-1\n"),
    (
        "proc/cmdline",
        "BOOT_IMAGE=/vmlinuz quiet isolcpus=managed_irq,domain,1-3 nohz_full=1-3 rcu_nocbs=1-3 irqaffinity=0\n",
    ),
    ("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu tsc constant_tsc nonstop_tsc\n"),
    ("proc/meminfo", "MemTotal:        8388608 kB\nMemFree:         6291456 kB\nMemAvailable:    6291456 kB\n"),
    ("proc/swaps", "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"),
    ("proc/sys/kernel/sched_rt_runtime_us", "-1\n"),
    ("proc/sys/kernel/sched_rt_period_us", "1000000\n"),
    ("proc/self/mounts", "debugfs /sys/kernel/debug debugfs rw 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n"),
    ("proc/self/cgroup", "0::/user.slice\n"),
    ("proc/thread-self/status", "Name:\trtrd\nCapEff:\t0000000000804000\n"),
    ("proc/self/uid_map", "         0          0 4294967295\n"),
    ("proc/irq/default_smp_affinity", "1\n"),
    ("proc/irq/24/smp_affinity_list", "0\n"),
    ("proc/irq/24/effective_affinity_list", "0\n"),
    ("proc/irq/24/enp1s0/unused", ""),
    ("proc/irq/130/smp_affinity_list", "0\n"),
    ("proc/irq/130/nvme0q0/unused", ""),
    ("proc/1/comm", "systemd\n"),
    ("sys/kernel/realtime", "1\n"),
    ("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"),
    ("sys/devices/system/cpu/online", "0-3\n"),
    ("sys/devices/system/cpu/isolated", "1-3\n"),
    ("sys/devices/system/cpu/nohz_full", "1-3\n"),
    ("sys/devices/system/cpu/smt/active", "0\n"),
    ("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"),
    ("sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet acpi_pm\n"),
    ("boot/config-6.12.9-rt-amd64", "CONFIG_PREEMPT_RT=y\n# CONFIG_RT_GROUP_SCHED is not set\n"),
    ("dev/cpu_dma_latency", ""),
    ("dev/shm/unused", ""),
    ("usr/bin/cyclictest", ""),
];

/// What each CPU has below `sys/devices/system/cpu/cpuN`, but for its siblings.
const CPU_FILES: &[(&str, &str)] = &[
    ("cpufreq/scaling_governor", "performance\n"),
    ("cpuidle/state0/name", "POLL\n"),
    ("cpuidle/state0/latency", "0\n"),
    ("cpuidle/state0/disable", "0\n"),
    ("cpuidle/state1/name", "C6\n"),
    ("cpuidle/state1/latency", "133\n"),
    ("cpuidle/state1/disable", "1\n"),
];

impl SampleTree {
    /// The machine on which every check passes.
    pub(crate) fn healthy() -> Self {
        let mut tree = Self { folder: tempfile::tempdir().expect("a temporary directory") };
        for (path, text) in FILES {
            tree = tree.with(path, text);
        }
        for cpu in 0..4 {
            tree = tree.with_cpu(cpu, &cpu.to_string());
        }
        tree
    }

    /// Adds one CPU with these hardware threads in its core.
    pub(crate) fn with_cpu(self, cpu: usize, siblings: &str) -> Self {
        let folder = format!("sys/devices/system/cpu/cpu{cpu}");
        let tree = self.with(&format!("{folder}/topology/thread_siblings_list"), siblings).with(
            &format!("sys/kernel/debug/sched/fair_server/cpu{cpu}/runtime"),
            if cpu == 0 { "50000000" } else { "0" },
        );
        CPU_FILES.iter().fold(tree, |tree, (path, text)| tree.with(&format!("{folder}/{path}"), text))
    }

    /// Puts this process into a group with a real-time budget, below an outermost group with one.
    pub(crate) fn with_rt_group(self, group: &str, outermost_us: i64, own_us: i64) -> Self {
        let mount = "sys/fs/cgroup/cpu,cpuacct";
        let own = format!("{mount}/{group}/cpu.rt_runtime_us");
        self.with("proc/self/mounts", "cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,cpu,cpuacct 0 0\n")
            .with("proc/self/cgroup", &format!("3:cpuset:/\n2:cpu,cpuacct:{group}\n0::/init\n"))
            .with(&format!("{mount}/cpu.rt_runtime_us"), &outermost_us.to_string())
            .with(&own.replace("//", "/"), &own_us.to_string())
    }

    /// Writes one file.
    pub(crate) fn with(self, path: &str, text: &str) -> Self {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, text).expect("a file");
        self
    }

    /// Removes one file, or a directory with all that it holds.
    pub(crate) fn without(self, path: &str) -> Self {
        let path = self.root().join(path);
        let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        removed.expect("a file or directory to remove");
        self
    }

    /// The root of the tree.
    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }
}
