//! Start-up with and without rights. Every body runs in a process of its own: priority, limits,
//! locked memory and user belong to it.

use crate::child;
use std::hint::black_box;

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::unistd::{Uid, geteuid, setuid};
use rt::allocation::page_faults;
use rt::machine::CpuList;
use rt::startup::{Item, Outcome, StartupError, Wishes, enter};

const MIB: usize = 1 << 20;

fn everything() -> Wishes {
    Wishes {
        cpu: Some(first_allowed_cpu()),
        fifo_priority: Some(1),
        lock_memory: true,
        dma_latency_us: Some(0),
        prefault_stack_bytes: MIB / 4,
        prefault_heap_bytes: 8 * MIB,
        require: false,
    }
}

fn first_allowed_cpu() -> usize {
    status_field("Cpus_allowed_list:").parse::<CpuList>().unwrap().first().unwrap()
}

/// Leaves this process with the rights of an ordinary user on an untuned machine.
fn give_up_rights() {
    let (_, most_bytes) = getrlimit(Resource::RLIMIT_MEMLOCK).unwrap();
    let little_bytes = most_bytes.min(64 << 10);
    setrlimit(Resource::RLIMIT_MEMLOCK, little_bytes, little_bytes).unwrap();
    setrlimit(Resource::RLIMIT_RTPRIO, 0, 0).unwrap();
    if geteuid().is_root() {
        setuid(Uid::from_raw(65534)).unwrap();
    }
}

#[test]
fn without_rights_each_missing_one_is_one_line() {
    child::run(|| {
        give_up_rights();
        let granted = enter(&everything()).unwrap();
        assert!(!granted.is_real_time());
        let missing = Item::MemoryLocked.bit() | Item::FifoPriority.bit();
        assert_eq!(granted.missing_bits() & missing, missing);
        let kept = Item::MemoryPrefaulted.bit() | Item::CpuPinned.bit() | Item::ExactTimers.bit();
        assert_eq!(granted.granted_bits() & kept, kept, "{granted:?}");

        let lines: Vec<&str> = granted.missing().collect();
        assert_eq!(lines.len() as u32, granted.missing_bits().count_ones());
        for line in &lines {
            assert!(!line.contains('\n') && line.contains("; to fix: "), "{line}");
        }
        assert!(lines[0].contains("RLIMIT_MEMLOCK is ") && lines[0].contains("LimitMEMLOCK="), "{}", lines[0]);
        assert!(lines[1].contains("RLIMIT_RTPRIO is 0") && lines[1].contains("setcap cap_sys_nice"), "{}", lines[1]);
    });
}

#[test]
fn a_small_lock_limit_leaves_later_memory_usable() {
    child::run(|| {
        give_up_rights();
        let granted = enter(&everything()).unwrap();
        assert_eq!(granted.missing_bits() & Item::MemoryLocked.bit(), Item::MemoryLocked.bit());
        // Were future memory to be locked, these would fail: a mapping, a thread with its stack.
        let block = black_box(vec![1_u8; 100 * MIB]);
        let sum = std::thread::spawn(move || block.iter().map(|byte| u64::from(*byte)).sum::<u64>()).join().unwrap();
        assert_eq!(sum, 100 * MIB as u64);
    });
}

#[test]
fn required_rights_that_are_missing_are_one_error_with_all_of_them() {
    child::run(|| {
        give_up_rights();
        let error = enter(&Wishes { require: true, ..everything() }).unwrap_err();
        let text = error.to_string();
        let StartupError::Missing { lines } = error;
        assert!(lines.len() >= 2, "{text}");
        assert!(
            text.starts_with(&format!("real time is required, but {} wishes are not granted", lines.len())),
            "{text}"
        );
        assert!(lines.iter().all(|line| text.contains(line.as_str())), "{text}");
    });
}

#[test]
fn a_prefaulted_heap_faults_no_more() {
    child::run(|| {
        let fresh_faults = {
            let before = page_faults();
            drop(black_box(vec![1_u8; 4 * MIB]));
            (page_faults() - before).minor
        };
        let wishes = Wishes { prefault_heap_bytes: 16 * MIB, prefault_stack_bytes: MIB / 4, ..Wishes::default() };
        let granted = enter(&wishes).unwrap();
        assert_eq!(granted.granted_bits() & Item::MemoryPrefaulted.bit(), Item::MemoryPrefaulted.bit());
        let before = page_faults();
        (0..10).for_each(|_| drop(black_box(vec![1_u8; 4 * MIB])));
        let faults = (page_faults() - before).minor;
        assert!(fresh_faults > 0 && faults < fresh_faults.max(8), "{faults} faults, {fresh_faults} without prefault");
    });
}

#[test]
fn what_is_reported_as_granted_is_so() {
    child::run(|| {
        // With rights or without: whatever start-up reports must be what the kernel says.
        let granted = enter(&everything()).unwrap();
        let holds = |item: Item| granted.granted_bits() & item.bit() != 0;
        let locked_kib = status_field("VmLck:").trim_end_matches("kB").trim().parse::<u64>().unwrap();
        assert_eq!(holds(Item::MemoryLocked), locked_kib > 0);
        assert_eq!(status_field("Cpus_allowed_list:") == first_allowed_cpu().to_string(), holds(Item::CpuPinned));
        let policy = thread_priority::thread_schedule_policy().unwrap();
        let fifo = thread_priority::RealtimeThreadSchedulePolicy::Fifo;
        assert_eq!(
            policy == thread_priority::ThreadSchedulePolicy::Realtime(fifo),
            holds(Item::FifoPriority),
            "{policy:?}"
        );
        assert_eq!(holds_open("/dev/cpu_dma_latency"), holds(Item::CpuLatencyHeld));
        assert_eq!(granted.is_real_time(), holds(Item::MemoryLocked) && holds(Item::FifoPriority));
        assert!(granted.outcomes().all(|(_, outcome)| *outcome != Outcome::NotWished));
        drop(granted);
        assert!(!holds_open("/dev/cpu_dma_latency"), "the hold ends with what was granted");
    });
}

fn status_field(name: &str) -> String {
    let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim().to_owned()
}

fn holds_open(path: &str) -> bool {
    let descriptors = std::fs::read_dir("/proc/self/fd").unwrap();
    descriptors
        .flatten()
        .any(|entry| std::fs::read_link(entry.path()).is_ok_and(|target| target == std::path::Path::new(path)))
}
