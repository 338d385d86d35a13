//! When and where the calling thread runs: CPU, policy, throttling, timers.

use std::path::Path;

use core_affinity::CoreId;
use nix::sched::{CpuSet, sched_getaffinity};
use nix::sys::prctl;
use nix::sys::resource::Resource;
use nix::unistd::Pid;
use thread_priority::{
    RealtimeThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
    thread_native_id,
};

use super::Outcome;
use crate::fixes;
use crate::rights::{CAP_SYS_NICE, has_capability, limit};

const THROTTLING: &str = "/proc/sys/kernel/sched_rt_runtime_us";
/// What the kernel writes there for "no throttling".
const UNTHROTTLED: &str = "-1";

/// Pins the thread to `cpu`, and looks whether it is.
pub(super) fn pin(cpu: Option<usize>) -> Outcome {
    let Some(cpu) = cpu else { return Outcome::NotWished };
    // A larger number does not fit the kernel's set, and `core_affinity` would panic on it.
    if cpu >= CpuSet::count() {
        return not_pinned(cpu, "no such CPU can exist");
    }
    if !core_affinity::set_for_current(CoreId { id: cpu }) {
        return not_pinned(cpu, &std::io::Error::last_os_error().to_string());
    }
    if pinned_to() == Some(cpu) { Outcome::Granted } else { not_pinned(cpu, "the kernel chose others") }
}

/// The one CPU on which the calling thread may run; `None` when there are several.
fn pinned_to() -> Option<usize> {
    let allowed = sched_getaffinity(Pid::from_raw(0)).ok()?;
    let mut cpus = (0..CpuSet::count()).filter(|cpu| allowed.is_set(*cpu) == Ok(true));
    let only = cpus.next()?;
    cpus.next().is_none().then_some(only)
}

fn not_pinned(cpu: usize, reason: &str) -> Outcome {
    let online = std::fs::read_to_string("/sys/devices/system/cpu/online").unwrap_or_default();
    Outcome::missing(
        &format!("the thread is not pinned to CPU {cpu} ({reason})"),
        "it can be moved to another CPU in mid-step, and finds cold caches there",
        &format!(
            "choose one of the CPUs that are online ({}) and that the service's control group allows \
             (`AllowedCPUs=`)",
            online.trim()
        ),
    )
}

/// Puts the thread under `SCHED_FIFO`.
pub(super) fn enter_fifo(priority: Option<u8>) -> Outcome {
    let Some(priority) = priority else {
        return Outcome::NotWished;
    };
    match set_fifo(priority) {
        Ok(()) => Outcome::Granted,
        Err(thread_priority::Error::OS(libc::EPERM)) => fifo_not_permitted(priority),
        Err(error) => {
            not_fifo(&format!("no SCHED_FIFO priority {priority} ({error})"), "choose a priority from 1 to 99")
        }
    }
}

fn set_fifo(priority: u8) -> Result<(), thread_priority::Error> {
    let policy = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    let value = priority.try_into().map_err(|_| thread_priority::Error::PriorityNotInRange(1..=99))?;
    set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Crossplatform(value), policy)
}

fn fifo_not_permitted(priority: u8) -> Outcome {
    if has_capability(CAP_SYS_NICE) {
        return not_fifo(
            &format!("no SCHED_FIFO priority {priority} (refused although CAP_SYS_NICE is held)"),
            "the control group has no real-time time: `sudo sysctl -w kernel.sched_rt_runtime_us=-1`, or \
             `rt_group_sched=0` on the kernel's command line",
        );
    }
    let limit = limit(Resource::RLIMIT_RTPRIO).map_or(0, |limit| limit.soft.unwrap_or(u64::MAX));
    not_fifo(
        &format!("no SCHED_FIFO priority {priority} (RLIMIT_RTPRIO is {limit} and CAP_SYS_NICE is absent)"),
        &format!(
            "`{}`, or `LimitRTPRIO=99` in the service unit, or `* - rtprio 99` in \
             /etc/security/limits.conf and a new login",
            fixes::set_capabilities()
        ),
    )
}

fn not_fifo(what: &str, fix: &str) -> Outcome {
    Outcome::missing(what, "every other program can delay a step", fix)
}

/// Whether the kernel stops real-time threads that use too much of a CPU. Of interest to
/// `SCHED_FIFO` only.
pub(super) fn check_throttling(priority: Option<u8>) -> Outcome {
    if priority.is_none() {
        return Outcome::NotWished;
    }
    check_throttling_in(Path::new(THROTTLING))
}

fn check_throttling_in(path: &Path) -> Outcome {
    let fix = "`sudo sysctl -w kernel.sched_rt_runtime_us=-1`";
    match std::fs::read_to_string(path) {
        Ok(text) if text.trim() == UNTHROTTLED => Outcome::Granted,
        Ok(text) => Outcome::warning(
            &format!("real-time throttling is on ({} µs per period)", text.trim()),
            "a thread that keeps its CPU busy for longer is stopped until the period ends",
            fix,
        ),
        Err(error) => Outcome::warning(
            &format!("real-time throttling is not known ({}: {error})", path.display()),
            "a thread that keeps its CPU busy may be stopped",
            fix,
        ),
    }
}

/// Asks for timers exact to 1 ns. Without it the kernel may delay those of an ordinary thread by 50
/// µs to coalesce them; under `SCHED_FIFO` it never does.
pub(super) fn make_timers_exact() -> Outcome {
    match prctl::set_timerslack(1) {
        Ok(()) => Outcome::Granted,
        Err(error) => Outcome::warning(
            &format!("timer slack stays at its default ({})", error.desc()),
            "without SCHED_FIFO, each wake-up can be 50 µs late",
            "allow prctl(PR_SET_TIMERSLACK) in the system-call filter of the service",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line_of(outcome: Outcome) -> String {
        match outcome {
            Outcome::Missing(line) | Outcome::Warning(line) => line,
            other => panic!("expected a line, found {other:?}"),
        }
    }

    fn first_allowed_cpu() -> usize {
        let allowed = sched_getaffinity(Pid::from_raw(0)).unwrap();
        (0..CpuSet::count()).find(|cpu| allowed.is_set(*cpu).unwrap()).unwrap()
    }

    #[test]
    fn pins_to_an_allowed_cpu() {
        let cpu = first_allowed_cpu();
        assert_eq!(pin(Some(cpu)), Outcome::Granted);
        assert_eq!(pinned_to(), Some(cpu));
    }

    #[test]
    fn a_cpu_that_is_not_there_is_one_line() {
        for cpu in [CpuSet::count() - 1, CpuSet::count(), usize::MAX] {
            let line = line_of(pin(Some(cpu)));
            assert!(line.contains(&format!("not pinned to CPU {cpu}")), "{line}");
            assert!(!line.contains('\n'), "{line}");
        }
    }

    #[test]
    fn priorities_outside_the_range_are_one_line() {
        for priority in [0, 100, 255] {
            let line = line_of(enter_fifo(Some(priority)));
            assert!(line.contains("from 1 to 99"), "{line}");
            assert!(!line.contains('\n'), "{line}");
        }
    }

    #[test]
    fn throttling_is_a_warning_unless_it_is_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runtime");
        std::fs::write(&path, "-1\n").unwrap();
        assert_eq!(check_throttling_in(&path), Outcome::Granted);
        std::fs::write(&path, "950000\n").unwrap();
        let outcome = check_throttling_in(&path);
        assert!(matches!(&outcome, Outcome::Warning(line) if line.contains("950000 µs")), "{outcome:?}");
        let outcome = check_throttling_in(&folder.path().join("absent"));
        assert!(matches!(&outcome, Outcome::Warning(line) if line.contains("not known")), "{outcome:?}");
    }
}
