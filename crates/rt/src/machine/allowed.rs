//! The CPUs that this process may be given.
//!
//! `sched_getaffinity` alone gives the wrong answer on the very machines that matter: under
//! `isolcpus=2,3` every process starts with the mask `0,1`, although it may pin itself to 2 and 3.
//! A container with a cpuset looks the same from the inside, but there the pin is refused. So we
//! ask twice: what the mask is, and what is left of the widest mask when a thread asks for it (the
//! kernel cuts it down to the cpuset).

use std::thread;

use nix::errno::Errno;
use thiserror::Error;

use super::CpuList;
use crate::affinity::{self, CPUS_MAX};

/// Why the CPUs of this process could not be found out.
#[derive(Debug, Error)]
pub enum AllowedCpusError {
    /// The kernel does not give the affinity mask.
    #[error(
        "expected the affinity mask of this process, the kernel answered: {0}; give each process its CPU in the configuration"
    )]
    Mask(#[source] Errno),
    /// The thread that asks for the widest mask did not run.
    #[error("expected to start a short-lived thread, found: {0}; raise the limit of processes (ulimit -u)")]
    Thread(#[source] std::io::Error),
}

/// The CPUs that this process may be given: its affinity mask, and those isolated CPUs that only
/// the start of the machine took out of it.
///
/// Call it before the calling thread pins itself. A mask that was narrowed on purpose (`taskset`,
/// `CPUAffinity=`) is kept.
pub fn allowed_cpus(isolated: &CpuList) -> Result<CpuList, AllowedCpusError> {
    let own = affinity::own().map_err(AllowedCpusError::Mask)?;
    let asking = thread::Builder::new().name("allowed-cpus".into()).spawn(widest_affinity);
    let widest = asking.map_err(AllowedCpusError::Thread)?.join();
    // A sandbox may forbid the question: then the own mask is all that is known to be allowed.
    let ceiling = widest.ok().and_then(Result::ok).unwrap_or_else(|| own.clone());
    Ok(settle(own, ceiling, isolated))
}

/// The own mask is the default of the machine when it lacks nothing but isolated CPUs; only then is
/// the ceiling, which has them, what was meant.
fn settle(own: CpuList, ceiling: CpuList, isolated: &CpuList) -> CpuList {
    if own == ceiling.difference(isolated) { ceiling } else { own }
}

fn widest_affinity() -> Result<CpuList, Errno> {
    affinity::set(&(0..CPUS_MAX).collect())?;
    affinity::own()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(own: &str, ceiling: &str, isolated: &str) -> String {
        settle(own.parse().unwrap(), ceiling.parse().unwrap(), &isolated.parse().unwrap()).to_string()
    }

    #[test]
    fn only_a_mask_that_lacks_nothing_but_isolated_cpus_is_widened() {
        // The start of the machine took the isolated CPUs out of the mask.
        assert_eq!(settled("0-1", "0-3", "2-3"), "0-3");
        // A cpuset keeps its isolated CPUs out.
        assert_eq!(settled("0-1", "0-1", "2-3"), "0-1");
        // The mask was narrowed on purpose.
        assert_eq!(settled("1", "0-3", "2-3"), "1");
        assert_eq!(settled("0,2", "0-3", ""), "0,2");
        assert_eq!(settled("2", "2-3", "2-3"), "2");
    }

    #[test]
    fn the_question_leaves_the_mask_of_the_asking_thread_alone() {
        let before = affinity::own().unwrap();
        let allowed = allowed_cpus(&CpuList::new()).unwrap();
        assert_eq!(affinity::own().unwrap(), before);
        assert!(!allowed.is_empty() && before.is_subset(&allowed));
    }
}
