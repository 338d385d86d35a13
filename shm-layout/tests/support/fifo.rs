//! Real-time scheduling for tests that need it, with one answer when it is not granted.

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use thread_priority::{
    RealtimeThreadSchedulePolicy, ThreadPriority, ThreadPriorityValue, ThreadSchedulePolicy,
    set_thread_priority_and_policy, thread_native_id,
};

/// The last CPU that this process may use.
pub fn last_cpu() -> usize {
    let allowed = sched_getaffinity(Pid::from_raw(0)).expect("a process may ask");
    let mut cpus = (0..CpuSet::count()).rev();
    cpus.find(|cpu| allowed.is_set(*cpu).unwrap_or(false)).expect("a process runs somewhere")
}

/// Pins the calling thread to a CPU and gives it a FIFO priority; an error says why not.
pub fn become_real_time(cpu: usize, priority: u8) -> Result<(), String> {
    let mut set = CpuSet::new();
    set.set(cpu).map_err(|error| error.to_string())?;
    sched_setaffinity(Pid::from_raw(0), &set).map_err(|error| error.to_string())?;
    let value = ThreadPriorityValue::try_from(priority)?;
    let policy = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Crossplatform(value), policy)
        .map_err(|error| format!("FIFO priority {priority} is not granted: {error:?}"))
}
