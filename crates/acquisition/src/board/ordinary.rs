//! Out of real time: a thread inherits the priority and the CPU of the one that starts it, and the
//! emulated board must have neither.

use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;
use thread_priority::ThreadPriority;
use thread_priority::unix::{
    NormalThreadSchedulePolicy, ThreadSchedulePolicy, set_thread_priority_and_policy, thread_native_id,
};

/// Makes the calling thread an ordinary one, on the CPUs that are not set apart. What the system
/// refuses stays as it is.
pub(super) fn leave_real_time() {
    let policy = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Other);
    let _ = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, policy);
    let isolated = std::fs::read_to_string("/sys/devices/system/cpu/isolated").unwrap_or_default();
    let isolated = numbers(&isolated);
    let mut cpus = CpuSet::new();
    for cpu in (0..CpuSet::count()).filter(|cpu| !isolated.contains(cpu)) {
        // Every number below the count can be set.
        let _ = cpus.set(cpu);
    }
    let _ = sched_setaffinity(Pid::from_raw(0), &cpus);
}

/// The numbers of a list such as `2-3,7`.
fn numbers(list: &str) -> Vec<usize> {
    let mut numbers = Vec::new();
    for part in list.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) {
            numbers.extend(first..=last.min(CpuSet::count()));
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_cpus() {
        assert_eq!(numbers("2-4,7\n"), [2, 3, 4, 7]);
        assert!(numbers("\n").is_empty() && numbers("x-y").is_empty());
    }

    #[test]
    fn an_ordinary_thread_stays_one() {
        leave_real_time();
        assert!(std::thread::available_parallelism().is_ok());
    }
}
