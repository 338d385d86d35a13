//! The opposite of entering real time, for the time before it: a process that its manager has
//! already made real-time (`CPUSchedulingPolicy=`, `CPUAffinity=`) sets itself up as an ordinary
//! one, away from the CPUs of its partners.
//!
//! Otherwise its set-up, which takes tens of milliseconds, would run at its priority on a CPU that
//! a partner may be using; and its helper threads, which inherit both, could never run beside a
//! loop that spins.

use nix::errno::Errno;

use crate::affinity::{self, CPUS_MAX};
use crate::machine::CpuList;

/// Makes the calling thread an ordinary one (`SCHED_OTHER`) on these CPUs, and with it the threads
/// that it starts from now on.
///
/// # Errors
/// When the kernel refuses one of the two. Lowering one's own priority needs no right; a CPU
/// outside the cpuset is refused.
pub fn step_aside(cpus: &CpuList) -> Result<(), Errno> {
    leave_fifo()?;
    affinity::set(cpus)
}

/// Puts the calling thread back under the ordinary scheduler and on every CPU that it may use: for
/// the helpers of a real-time process, which inherit its priority and its CPU.
pub fn leave() {
    // A thread that stays where it is is slow, and nothing worse.
    let _ = step_aside(&(0..CPUS_MAX).collect());
}

#[allow(unsafe_code, reason = "no wrapper sets the policy of a thread to SCHED_OTHER")]
fn leave_fifo() -> Result<(), Errno> {
    let none = libc::sched_param { sched_priority: 0 };
    // SAFETY: the pointer is to a whole `sched_param` that outlives the call; 0 is the calling
    // thread.
    let answer = unsafe { libc::sched_setscheduler(0, libc::SCHED_OTHER, &raw const none) };
    Errno::result(answer).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::startup::{Item, Wishes, enter};

    /// The kernel's own account of the calling thread: policy is the 41st field of `stat`, counted
    /// from 1 (proc(5)).
    fn policy() -> u32 {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        let after_name = stat.rsplit_once(") ").unwrap().1;
        after_name.split_whitespace().nth(41 - 3).unwrap().parse().unwrap()
    }

    fn allowed() -> CpuList {
        affinity::own().unwrap()
    }

    #[test]
    fn a_thread_that_was_made_real_time_is_ordinary_again_and_so_are_its_children() {
        let before = allowed();
        let granted = enter(&Wishes { cpu: before.first(), fifo_priority: Some(1), ..Wishes::default() }).unwrap();
        if granted.granted_bits() & Item::FifoPriority.bit() == 0 {
            println!("skipped: no right to SCHED_FIFO: only the CPUs are looked at");
        } else {
            assert_eq!(policy(), libc::SCHED_FIFO as u32);
        }
        assert_eq!(allowed().len(), 1);
        step_aside(&before).unwrap();
        assert_eq!((policy(), allowed()), (libc::SCHED_OTHER as u32, before.clone()));
        let child = std::thread::spawn(|| (policy(), allowed())).join().unwrap();
        assert_eq!(child, (libc::SCHED_OTHER as u32, before));
    }

    #[test]
    fn no_cpu_at_all_is_refused() {
        assert_eq!(step_aside(&CpuList::new()), Err(Errno::EINVAL));
    }
}
