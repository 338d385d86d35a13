//! On which CPUs, and under which policy, the calling thread may run.

use nix::errno::Errno;
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use thread_priority::{
    RealtimeThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
    thread_native_id,
};

use crate::machine::CpuList;

/// Numbers from here on do not fit the kernel's set.
pub(crate) const CPUS_MAX: usize = CpuSet::count();

/// The CPUs that the calling thread may run on.
pub(crate) fn own() -> Result<CpuList, Errno> {
    let mask = sched_getaffinity(Pid::from_raw(0))?;
    Ok((0..CPUS_MAX).filter(|&cpu| mask.is_set(cpu).unwrap_or(false)).collect())
}

/// Lets the calling thread run on these CPUs only. A CPU outside the cpuset is refused if there is
/// no other.
pub(crate) fn set(cpus: &CpuList) -> Result<(), Errno> {
    let mut set = CpuSet::new();
    for cpu in cpus.iter() {
        set.set(cpu)?;
    }
    sched_setaffinity(Pid::from_raw(0), &set)
}

/// Puts the calling thread under `SCHED_FIFO`.
pub(crate) fn set_fifo(priority: u8) -> Result<(), thread_priority::Error> {
    let policy = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    let value = priority.try_into().map_err(|_| thread_priority::Error::PriorityNotInRange(1..=99))?;
    set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Crossplatform(value), policy)
}
