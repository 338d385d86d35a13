//! What the scheduler takes away from real-time tasks: throttling, the fair server, real-time groups.

use std::collections::BTreeMap;

use serde::Serialize;

use super::tree::Tree;
use super::{CpuList, Kernel};

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
    /// The real-time groups around this process, the outermost first; empty when tasks are not grouped.
    pub rt_groups: Vec<RtGroup>,
}

/// The fair server (kernels from 6.12 on): it runs ordinary tasks in place of a real-time task that would
/// starve them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum FairServer {
    /// This kernel is older than the fair server.
    NotInKernel,
    /// The debug file system is not mounted or may not be read by this user.
    Unreadable,
    /// Runtime in each period for each CPU; 0 is off.
    RuntimeNs(BTreeMap<usize, u64>),
}

/// A control group with a real-time budget (`RT_GROUP_SCHED`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RtGroup {
    /// The file that holds the budget.
    pub file: String,
    /// The budget in each period; with 0 no task of the group may become real-time.
    pub runtime_us: i64,
}

impl Scheduler {
    pub(crate) fn read(tree: &Tree, kernel: &Kernel, online: &CpuList) -> Self {
        Self {
            rt_runtime_us: tree.number("proc/sys/kernel/sched_rt_runtime_us"),
            rt_period_us: tree.number("proc/sys/kernel/sched_rt_period_us"),
            fair_server: fair_server(tree, kernel, online),
            rt_groups: rt_groups(tree),
        }
    }
}

fn fair_server(tree: &Tree, kernel: &Kernel, online: &CpuList) -> FairServer {
    let runtime = |cpu: usize| Some((cpu, tree.number(&format!("{FAIR_SERVER_FOLDER}/cpu{cpu}/runtime"))?));
    let runtimes: BTreeMap<usize, u64> = online.iter().filter_map(runtime).collect();
    if runtimes.len() == online.len() {
        FairServer::RuntimeNs(runtimes)
    } else if tree.exists(FAIR_SERVER_FOLDER) || kernel.is_at_least(6, 12) {
        FairServer::Unreadable
    } else {
        FairServer::NotInKernel
    }
}

/// Budgets exist only where the `cpu` controller is mounted in the first version of control groups: walk
/// from its mount point down to the group of this process.
fn rt_groups(tree: &Tree) -> Vec<RtGroup> {
    let (Some(mount), Some(group)) = (cpu_controller_mount(tree), cpu_controller_group(tree)) else {
        return Vec::new();
    };
    let mut folder = mount;
    let mut groups: Vec<RtGroup> = rt_group(tree, &folder).into_iter().collect();
    for name in group.split('/').filter(|name| !name.is_empty()) {
        folder = format!("{folder}/{name}");
        groups.extend(rt_group(tree, &folder));
    }
    groups
}

fn rt_group(tree: &Tree, folder: &str) -> Option<RtGroup> {
    let file = format!("{folder}/cpu.rt_runtime_us");
    Some(RtGroup { runtime_us: tree.number(&file)?, file })
}

/// From lines such as `cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,nosuid,cpu,cpuacct 0 0`.
fn cpu_controller_mount(tree: &Tree) -> Option<String> {
    let mounts = tree.text("proc/self/mounts")?;
    mounts.lines().find_map(|line| {
        let mut fields = line.split(' ').skip(1);
        let (folder, kind, options) = (fields.next()?, fields.next()?, fields.next()?);
        let is_ours = kind == "cgroup" && options.split(',').any(|option| option == "cpu");
        is_ours.then(|| folder.to_owned())
    })
}

/// From lines such as `4:cpu,cpuacct:/user.slice`.
fn cpu_controller_group(tree: &Tree) -> Option<String> {
    let groups = tree.text("proc/self/cgroup")?;
    groups.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) = (fields.next()?, fields.next()?);
        controllers.split(',').any(|controller| controller == "cpu").then(|| group.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::sample::SampleTree;

    fn scheduler(tree: &SampleTree) -> Scheduler {
        let tree = Tree::new(tree.root());
        Scheduler::read(&tree, &Kernel::read(&tree), &"0-3".parse().unwrap())
    }

    fn grouped(group: &str) -> SampleTree {
        SampleTree::healthy()
            .with("proc/self/mounts", "tmpfs /dev/shm tmpfs rw 0 0\ncgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,cpu,cpuacct 0 0")
            .with("proc/self/cgroup", &format!("3:cpuset:/\n2:cpu,cpuacct:{group}\n0::/init"))
            .with("sys/fs/cgroup/cpu,cpuacct/cpu.rt_runtime_us", "950000")
            .with("sys/fs/cgroup/cpu,cpuacct/user/cpu.rt_runtime_us", "0")
    }

    #[test]
    fn throttling_is_read_with_its_sign() {
        let found = scheduler(&SampleTree::healthy());
        assert_eq!((found.rt_runtime_us, found.rt_period_us), (Some(-1), Some(1_000_000)));
    }

    #[test]
    fn the_fair_server_is_absent_before_6_12_and_unreadable_after_it() {
        let tree = SampleTree::healthy().without("sys/kernel/debug");
        let old = tree.with("proc/sys/kernel/osrelease", "6.11.0");
        assert_eq!(scheduler(&old).fair_server, FairServer::NotInKernel);
        let new = old.with("proc/sys/kernel/osrelease", "6.12.0");
        assert_eq!(scheduler(&new).fair_server, FairServer::Unreadable);
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

    #[test]
    fn budgets_are_read_from_the_mount_down_to_the_own_group() {
        let groups = scheduler(&grouped("/user")).rt_groups;
        let found: Vec<_> = groups.iter().map(|group| (group.file.as_str(), group.runtime_us)).collect();
        assert_eq!(
            found,
            [
                ("/sys/fs/cgroup/cpu,cpuacct/cpu.rt_runtime_us", 950_000),
                ("/sys/fs/cgroup/cpu,cpuacct/user/cpu.rt_runtime_us", 0)
            ]
        );
        assert_eq!(scheduler(&grouped("/")).rt_groups.len(), 1);
    }

    #[test]
    fn without_the_first_version_of_control_groups_there_are_no_budgets() {
        assert!(scheduler(&SampleTree::healthy()).rt_groups.is_empty());
    }
}
