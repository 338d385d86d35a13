//! What the scheduler takes away from real-time tasks: throttling, the fair server, real-time
//! groups.

use std::collections::BTreeMap;

use serde::Serialize;

use super::tree::Tree;
use super::{CpuList, Kernel, RtGroups};

const FAIR_SERVER_FOLDER: &str = "sys/kernel/debug/sched/fair_server";

/// The settings of the scheduler that concern real-time tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Scheduler {
    /// How long real-time tasks may run in each period; −1 without limit.
    pub rt_runtime_us: Option<i64>,
    /// The period of that limit.
    pub rt_period_us: Option<i64>,
    /// The time that ordinary tasks get for themselves on each CPU.
    pub fair_server: FairServer,
    /// Whether real-time tasks are grouped.
    pub rt_groups: RtGroups,
}

/// The fair server (kernels from 6.12 on): it runs ordinary tasks in place of a real-time task that
/// would starve them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum FairServer {
    /// This kernel is older than the fair server.
    NotInKernel,
    /// The debug file system is not mounted.
    NotMounted,
    /// The debug file system may not be read by this user.
    Unreadable,
    /// Runtime in each period for each CPU; 0 is off.
    RuntimeNs(BTreeMap<usize, u64>),
}

impl Scheduler {
    pub(crate) fn read(tree: &Tree, kernel: &Kernel, online: &CpuList) -> Self {
        Self {
            rt_runtime_us: tree.number("proc/sys/kernel/sched_rt_runtime_us"),
            rt_period_us: tree.number("proc/sys/kernel/sched_rt_period_us"),
            fair_server: fair_server(tree, kernel, online),
            rt_groups: RtGroups::read(tree, kernel),
        }
    }
}

fn fair_server(tree: &Tree, kernel: &Kernel, online: &CpuList) -> FairServer {
    let runtime = |cpu: usize| Some((cpu, tree.number(&format!("{FAIR_SERVER_FOLDER}/cpu{cpu}/runtime"))?));
    let runtimes: BTreeMap<usize, u64> = online.iter().filter_map(runtime).collect();
    if runtimes.len() == online.len() {
        FairServer::RuntimeNs(runtimes)
    } else if !tree.exists(FAIR_SERVER_FOLDER) && !kernel.is_at_least(6, 12) {
        FairServer::NotInKernel
    } else if is_mounted(tree, "/sys/kernel/debug") {
        FairServer::Unreadable
    } else {
        FairServer::NotMounted
    }
}

/// From lines such as `debugfs /sys/kernel/debug debugfs rw 0 0`.
fn is_mounted(tree: &Tree, folder: &str) -> bool {
    let mounts = tree.text("proc/self/mounts").unwrap_or_default();
    mounts.lines().any(|line| line.split(' ').nth(1) == Some(folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::sample::SampleTree;

    fn scheduler(tree: &SampleTree) -> Scheduler {
        let tree = Tree::new(tree.root());
        Scheduler::read(&tree, &Kernel::read(&tree), &"0-3".parse().unwrap())
    }

    #[test]
    fn throttling_is_read_with_its_sign() {
        let found = scheduler(&SampleTree::healthy());
        assert_eq!((found.rt_runtime_us, found.rt_period_us), (Some(-1), Some(1_000_000)));
    }

    #[test]
    fn the_fair_server_is_absent_before_6_12_and_hidden_after_it() {
        let tree = SampleTree::healthy().without("sys/kernel/debug");
        let old = tree.with("proc/sys/kernel/osrelease", "6.11.0");
        assert_eq!(scheduler(&old).fair_server, FairServer::NotInKernel);
        let new = old.with("proc/sys/kernel/osrelease", "6.12.0");
        assert_eq!(scheduler(&new).fair_server, FairServer::Unreadable);
        let unmounted = new.with("proc/self/mounts", "sysfs /sys sysfs rw 0 0");
        assert_eq!(scheduler(&unmounted).fair_server, FairServer::NotMounted);
    }

    #[test]
    fn the_runtime_of_each_fair_server_is_read() {
        let tree = SampleTree::healthy().with("sys/kernel/debug/sched/fair_server/cpu2/runtime", "50000000");
        let expected = BTreeMap::from([(0, 50_000_000), (1, 0), (2, 50_000_000), (3, 0)]);
        assert_eq!(scheduler(&tree).fair_server, FairServer::RuntimeNs(expected));
    }

    #[test]
    fn one_unreadable_fair_server_makes_the_answer_unknown() {
        let tree = SampleTree::healthy().without("sys/kernel/debug/sched/fair_server/cpu2/runtime");
        assert_eq!(scheduler(&tree).fair_server, FairServer::Unreadable);
    }
}
