//! Threads beside the loop: they write messages and read files, and must never be in its way.
//!
//! A thread inherits the policy and the CPUs of the one that starts it, and a service manager may have made the whole
//! process `SCHED_FIFO` on one CPU (`CPUSchedulingPolicy=`, `CPUAffinity=`). So a thread that is not real-time says so
//! itself.

use nix::errno::Errno;
use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;

use crate::machine::CpuList;

/// Puts the calling thread under the ordinary scheduler, on the first of these sets of CPUs that the kernel accepts.
///
/// # Errors
/// When the kernel refuses the policy, or every set. What was granted stays.
pub fn become_ordinary(choices: &[CpuList]) -> Result<(), Errno> {
    leave_fifo()?;
    let mut refused = Ok(());
    for cpus in choices.iter().filter(|cpus| !cpus.is_empty()) {
        match run_on(cpus) {
            Ok(()) => return Ok(()),
            Err(errno) => refused = Err(errno),
        }
    }
    refused
}

fn run_on(cpus: &CpuList) -> Result<(), Errno> {
    let mut set = CpuSet::new();
    for cpu in cpus.iter().filter(|cpu| *cpu < CpuSet::count()) {
        set.set(cpu)?;
    }
    sched_setaffinity(Pid::from_raw(0), &set)
}

#[expect(
    unsafe_code,
    reason = "no safe wrapper leaves the niceness of the thread alone"
)]
fn leave_fifo() -> Result<(), Errno> {
    let parameters = libc::sched_param { sched_priority: 0 };
    // SAFETY: thread 0 is the calling one, and the kernel only reads the parameters, which live until it returns.
    Errno::result(unsafe { libc::sched_setscheduler(0, libc::SCHED_OTHER, &parameters) }).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sched::sched_getaffinity;

    fn policy() -> String {
        let text = std::fs::read_to_string("/proc/thread-self/stat").expect("proc");
        let (_, fields) = text.rsplit_once(") ").expect("a name in brackets");
        // Field 41 of proc(5); the first after the name is field 3.
        fields.split(' ').nth(41 - 3).expect("a policy").to_owned()
    }

    #[test]
    fn the_first_set_that_the_kernel_accepts_is_taken() {
        let own = sched_getaffinity(Pid::from_raw(0)).expect("a mask");
        let cpu = (0..CpuSet::count())
            .find(|cpu| own.is_set(*cpu) == Ok(true))
            .expect("a CPU");
        let thread = std::thread::spawn(move || {
            let none = CpuList::new();
            let impossible = CpuList::from_iter([CpuSet::count() - 1]);
            become_ordinary(&[none, impossible, CpuList::from_iter([cpu])]).expect("an own CPU is allowed");
            let mask = sched_getaffinity(Pid::from_raw(0)).expect("a mask");
            assert!((0..CpuSet::count()).all(|other| mask.is_set(other) == Ok(other == cpu)));
            assert_eq!(policy(), "0", "SCHED_OTHER is 0");
        });
        thread.join().expect("the thread");
    }

    #[test]
    fn a_real_time_thread_becomes_an_ordinary_one() {
        let thread = std::thread::spawn(|| {
            let wishes = crate::startup::Wishes {
                fifo_priority: Some(1),
                ..Default::default()
            };
            let granted = crate::startup::enter(&wishes).expect("nothing is required");
            if granted.missing_bits() != 0 {
                println!("skipped: no right to SCHED_FIFO here");
                return;
            }
            assert_eq!(policy(), "1", "SCHED_FIFO is 1");
            become_ordinary(&[]).expect("a thread may always lower itself");
            assert_eq!(policy(), "0");
        });
        thread.join().expect("the thread");
    }
}
