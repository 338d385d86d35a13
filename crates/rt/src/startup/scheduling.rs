//! When and where the calling thread runs: CPU, policy, throttling, timers.

use std::path::Path;

use nix::sys::prctl;
use nix::sys::resource::Resource;

use super::Outcome;
use crate::affinity::{self, CPUS_MAX, set_fifo};
use crate::fixes;
use crate::machine::CpuList;
use crate::rights::{CAP_SYS_NICE, has_capability, limit};

const THROTTLING: &str = "/proc/sys/kernel/sched_rt_runtime_us";
/// What the kernel writes there for "no throttling".
const UNTHROTTLED: &str = "-1";

/// Pins the thread to `cpu`, and looks whether it is.
pub(super) fn pin(cpu: Option<usize>) -> Outcome {
    let Some(cpu) = cpu else { return Outcome::NotWished };
    if cpu >= CPUS_MAX {
        return not_pinned(cpu, "no such CPU can exist");
    }
    let wished = CpuList::from_iter([cpu]);
    match affinity::set(&wished) {
        Err(errno) => not_pinned(cpu, &std::io::Error::from(errno).to_string()),
        Ok(()) if affinity::own() == Ok(wished) => Outcome::Granted,
        Ok(()) => not_pinned(cpu, "the kernel chose others"),
    }
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

    #[test]
    fn pins_to_an_allowed_cpu() {
        let cpu = affinity::own().unwrap().first();
        assert_eq!(pin(cpu), Outcome::Granted);
        assert_eq!(affinity::own().unwrap(), cpu.into_iter().collect());
    }

    #[test]
    fn a_cpu_that_is_not_there_and_a_priority_outside_the_range_are_one_line() {
        let cpus = [CPUS_MAX - 1, CPUS_MAX, usize::MAX];
        let pinned = cpus.map(|cpu| (pin(Some(cpu)), format!("not pinned to CPU {cpu}")));
        let entered = [0, 100, 255].map(|priority| (enter_fifo(Some(priority)), "from 1 to 99".to_owned()));
        for (outcome, expected) in pinned.into_iter().chain(entered) {
            let line = line_of(outcome);
            assert!(line.contains(&expected) && !line.contains('\n'), "{line}");
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
