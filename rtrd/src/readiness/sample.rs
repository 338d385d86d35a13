//! A machine in good order and its report, for tests to spoil.

use std::path::Path;

use rt::machine::Machine;

use super::*;
use crate::commands::jitter::figures::Figures;

const FILES: [(&str, &str); 13] = [
    ("etc/machine-id", "0123456789abcdef0123456789abcdef\n"),
    ("proc/cpuinfo", "processor\t: 0\nmodel name\t: Test CPU @ 2 GHz\nflags\t: fpu\n"),
    ("proc/sys/kernel/osrelease", "6.12.9-rt-amd64\n"),
    ("proc/version", "Linux version 6.12.9-rt-amd64 #1 SMP PREEMPT_RT\n"),
    ("proc/cmdline", "quiet isolcpus=1\n"),
    ("proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 6291456 kB\n"),
    ("proc/sys/kernel/sched_rt_runtime_us", "-1\n"),
    ("sys/devices/system/cpu/online", "0-1\n"),
    ("sys/devices/system/cpu/isolated", "1\n"),
    ("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0-1\n"),
    ("sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "0-1\n"),
    ("sys/class/dmi/id/sys_vendor", "Maker\n"),
    ("sys/class/dmi/id/product_name", "Box 3\n"),
];

/// The files of a machine below a temporary root.
pub fn machine_tree() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in FILES {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

/// A report that passes, of the machine below this root.
pub fn content_of(root: &Path) -> Content {
    let machine = Machine::read(root).unwrap();
    Content { identity: Identity::of(&machine, root), hardware: Hardware::of(&machine, root), ..content() }
}

/// A report that passes, of no machine in particular.
pub fn content() -> Content {
    let ours = Figures {
        min_us: 2.0,
        p50_us: 3.1,
        p90_us: 4.0,
        p99_us: 7.25,
        p99_9_us: 12.3,
        max_us: 41.0,
        mean_us: 3.3,
        overruns: 0,
        samples: 60_000,
    };
    let mut content = Content {
        made: "2026-11-16 07:30 UTC".to_owned(),
        made_by: "rtrd 0.1.0".to_owned(),
        host: "car-pc".to_owned(),
        signed_off_by: Some("A. Tester".to_owned()),
        identity: Identity {
            machine_id_hash: "00".to_owned(),
            kernel_release: "6.12.9-rt-amd64".to_owned(),
            command_line: "quiet isolcpus=1".to_owned(),
            cpu_model: "Test CPU @ 2 GHz".to_owned(),
            settings_hash: "11".to_owned(),
        },
        hardware: Hardware::default(),
        kernel: KernelFacts {
            version: "Linux version 6.12.9-rt-amd64 #1 SMP PREEMPT_RT".to_owned(),
            realtime: true,
            virtual_machine: false,
        },
        instance: "default".to_owned(),
        cpu_plan: "dynamics  CPU 1".to_owned(),
        checks: vec![Check {
            id: "real-time-kernel".to_owned(),
            title: "Real-time kernel".to_owned(),
            verdict: "pass".to_owned(),
            found: "PREEMPT_RT".to_owned(),
            expected: "PREEMPT_RT".to_owned(),
            fix: None,
        }],
        wake_ups: WakeUps {
            period_us: 1_000,
            fifo_priority: 80,
            cpu: 1,
            memory_locked: true,
            seconds: 60.0,
            rounds: 6,
            ours,
            cyclictest: Some(Figures { max_us: 40.0, ..ours }),
            load_average: [0.1, 0.2],
            missing: vec![],
        },
        hardware_latency: HardwareLatency::Measured { seconds: 60, threshold_us: 10, max_us: None, above_threshold: 0 },
        limits: Limits::new(100),
        gates: vec![],
        passes: false,
        caveats: vec![],
    };
    judge_again(&mut content);
    content
}

/// Judges what a test has spoiled.
pub fn judge_again(content: &mut Content) {
    content.gates = judge(&content.limits, &content.checks, &content.wake_ups, &content.hardware_latency);
    content.passes = content.gates.iter().all(|gate| gate.outcome != Outcome::Failed);
}
