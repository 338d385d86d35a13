//! What this process may do: its resource limits, its capabilities, and whether the kernel really
//! grants a real-time priority.
//!
//! The start of a service and the checks of the machine both ask here, so that they agree.

use std::path::Path;
use std::thread;

use nix::errno::Errno;
use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
use nix::unistd::geteuid;
use serde::Serialize;
use thiserror::Error;

use crate::affinity;
use crate::machine::tree::{Tree, field};

/// Lock memory without limit.
pub(crate) const CAP_IPC_LOCK: u32 = 14;
/// Any scheduling policy and priority.
pub(crate) const CAP_SYS_NICE: u32 = 23;
const FIFO_PRIORITY_MAX: u8 = 99;

/// The rights of this process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// The highest real-time priority that an ordinary process may take (`ulimit -r`).
    pub rtprio: Limit,
    /// How many bytes it may lock (`ulimit -l`).
    pub memlock: Limit,
    /// Whether it may take any priority, whatever the limit.
    pub cap_sys_nice: bool,
    /// Whether it may lock any amount, whatever the limit.
    pub cap_ipc_lock: bool,
    /// The highest FIFO priority that the kernel granted when asked; 0 when it refused every one.
    pub fifo_priority_granted: u8,
    /// Whether the user is root.
    pub is_root: bool,
}

/// A resource limit; `None` is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Limit {
    /// What holds now.
    pub soft: Option<u64>,
    /// How far the process itself may raise it.
    pub hard: Option<u64>,
}

impl Limit {
    /// Whether the limit that holds now leaves room for `need`.
    pub fn allows(&self, need: u64) -> bool {
        self.soft.is_none_or(|soft| soft >= need)
    }

    /// Whether the process may raise its own limit to `need`.
    pub fn can_be_raised_to(&self, need: u64) -> bool {
        self.hard.is_none_or(|hard| hard >= need)
    }
}

/// Why the limits could not be read.
#[derive(Debug, Error)]
#[error("expected the limit {resource:?} of this process, the kernel answered: {source}")]
pub struct LimitsError {
    resource: Resource,
    source: Errno,
}

impl Limits {
    /// Reads the limits of this process.
    ///
    /// To learn what the kernel really grants, a thread that does nothing else asks for a FIFO
    /// priority and ends; the calling thread keeps its own.
    pub fn read() -> Result<Self, LimitsError> {
        let rtprio = limit(Resource::RLIMIT_RTPRIO)?;
        Ok(Self {
            memlock: limit(Resource::RLIMIT_MEMLOCK)?,
            cap_sys_nice: has_capability(CAP_SYS_NICE),
            cap_ipc_lock: has_capability(CAP_IPC_LOCK),
            fifo_priority_granted: fifo_priority_granted(rtprio),
            is_root: geteuid().is_root(),
            rtprio,
        })
    }
}

/// A limit of this process.
pub(crate) fn limit(resource: Resource) -> Result<Limit, LimitsError> {
    let (soft, hard) = getrlimit(resource).map_err(|source| LimitsError { resource, source })?;
    let finite = |value| (value != RLIM_INFINITY).then_some(value);
    Ok(Limit { soft: finite(soft), hard: finite(hard) })
}

/// Whether the calling thread has a capability.
pub(crate) fn has_capability(number: u32) -> bool {
    has(effective_capabilities(&Tree::new(Path::new("/"))), number)
}

fn has(capabilities: u64, number: u32) -> bool {
    capabilities & (1 << number) != 0
}

/// The bits of `CapEff`. In a user namespace (a container without root on the host) they count for
/// nothing here, because the kernel asks for these two rights in the first namespace only.
fn effective_capabilities(tree: &Tree) -> u64 {
    let uid_map = tree.text("proc/self/uid_map").unwrap_or_default();
    if !uid_map.split_whitespace().eq(["0", "0", "4294967295"]) {
        return 0;
    }
    let status = tree.text("proc/thread-self/status").unwrap_or_default();
    field(&status, "CapEff:").and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or(0)
}

fn fifo_priority_granted(rtprio: Limit) -> u8 {
    let by_limit = rtprio.soft.map_or(FIFO_PRIORITY_MAX, |soft| soft.min(FIFO_PRIORITY_MAX.into()) as u8);
    let ask = move || [FIFO_PRIORITY_MAX, by_limit].into_iter().find(|&priority| fifo_is_granted(priority));
    let asking = thread::Builder::new().name("fifo-probe".into()).spawn(ask);
    asking.ok().and_then(|thread| thread.join().ok()).flatten().unwrap_or(0)
}

fn fifo_is_granted(priority: u8) -> bool {
    affinity::set_fifo(priority).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::sample::SampleTree;

    fn capabilities(tree: &SampleTree) -> u64 {
        effective_capabilities(&Tree::new(tree.root()))
    }

    #[test]
    fn capabilities_are_bits_of_the_status_file() {
        let found = capabilities(&SampleTree::healthy());
        assert!(has(found, CAP_SYS_NICE) && has(found, CAP_IPC_LOCK));
        let found = capabilities(&SampleTree::healthy().with("proc/thread-self/status", "CapEff:\t0000000000004000"));
        assert!(!has(found, CAP_SYS_NICE) && has(found, CAP_IPC_LOCK));
        for odd in ["Name:\tx", "CapEff:\tnot a number"] {
            assert_eq!(capabilities(&SampleTree::healthy().with("proc/thread-self/status", odd)), 0);
        }
    }

    #[test]
    fn capabilities_of_a_user_namespace_do_not_count() {
        let tree = SampleTree::healthy().with("proc/self/uid_map", "0 1000 1\n");
        assert_eq!(capabilities(&tree), 0);
    }

    #[test]
    fn a_limit_allows_up_to_its_value_and_none_allows_all() {
        let limit = Limit { soft: Some(10), hard: Some(20) };
        assert!(limit.allows(10) && !limit.allows(11));
        assert!(limit.can_be_raised_to(20) && !limit.can_be_raised_to(21));
        assert!(Limit { soft: None, hard: None }.allows(u64::MAX));
    }

    #[test]
    fn the_own_limits_agree_with_each_other() {
        let limits = Limits::read().unwrap();
        assert!(limits.fifo_priority_granted <= FIFO_PRIORITY_MAX);
        let may_take_one = limits.cap_sys_nice || limits.rtprio.allows(1);
        assert!(limits.fifo_priority_granted == 0 || may_take_one, "{limits:?}");
    }

    #[test]
    fn a_priority_that_does_not_exist_is_not_granted() {
        assert!(!fifo_is_granted(100) && !fifo_is_granted(0));
    }
}
