//! Group scheduling of real-time tasks (`RT_GROUP_SCHED`).
//!
//! Where it is in force every control group has a budget of real-time, which is 0 until someone
//! sets it; in a group with budget 0 no process can take a FIFO priority, not even root. The
//! budgets can be seen only where the `cpu` controller is mounted in the first version of control
//! groups; elsewhere the build options of the kernel say whether the feature is there at all.

use serde::Serialize;

use super::Kernel;
use super::tree::Tree;

/// The grouping of real-time tasks around this process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RtGroups {
    /// Whether it is in force; `None` when the machine does not say.
    pub in_force: Option<bool>,
    /// The groups around this process that show their budget, the outermost first.
    pub groups: Vec<RtGroup>,
}

/// A control group with a real-time budget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RtGroup {
    /// The file that holds the budget.
    pub file: String,
    /// The budget in each period; with 0 no task of the group may become real-time.
    pub runtime_us: i64,
}

impl RtGroups {
    pub(crate) fn read(tree: &Tree, kernel: &Kernel) -> Self {
        let groups = groups(tree);
        let in_force = if groups.is_empty() { by_build_options(tree, kernel) } else { Some(true) };
        Self { in_force, groups }
    }
}

/// `rt_group_sched=` on the command line (kernels from 6.16 on) overrides what was built in.
fn by_build_options(tree: &Tree, kernel: &Kernel) -> Option<bool> {
    let options = tree.text(&format!("boot/config-{}", kernel.release))?;
    let is_set = |name: &str| options.lines().any(|line| line.strip_prefix(name) == Some("=y"));
    if !is_set("CONFIG_RT_GROUP_SCHED") {
        return Some(false);
    }
    match kernel.command_line.value("rt_group_sched") {
        Some("0" | "n" | "no" | "off") => Some(false),
        Some(_) => Some(true),
        None => Some(!is_set("CONFIG_RT_GROUP_SCHED_DEFAULT_DISABLED")),
    }
}

/// Walks from the mount point of the controller down to the group of this process.
fn groups(tree: &Tree) -> Vec<RtGroup> {
    let (Some(mount), Some(group)) = (controller_mount(tree), controller_group(tree)) else {
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
fn controller_mount(tree: &Tree) -> Option<String> {
    let mounts = tree.text("proc/self/mounts")?;
    mounts.lines().find_map(|line| {
        let mut fields = line.split(' ').skip(1);
        let (folder, kind, options) = (fields.next()?, fields.next()?, fields.next()?);
        let is_ours = kind == "cgroup" && options.split(',').any(|option| option == "cpu");
        is_ours.then(|| folder.to_owned())
    })
}

/// From lines such as `4:cpu,cpuacct:/user.slice`.
fn controller_group(tree: &Tree) -> Option<String> {
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

    fn read(tree: &SampleTree) -> RtGroups {
        let tree = Tree::new(tree.root());
        RtGroups::read(&tree, &Kernel::read(&tree))
    }

    fn in_force(options: &str, command_line: &str) -> Option<bool> {
        let tree = SampleTree::healthy().with("boot/config-6.12.9-rt-amd64", options);
        read(&tree.with("proc/cmdline", command_line)).in_force
    }

    #[test]
    fn budgets_are_read_from_the_mount_down_to_the_own_group() {
        let found = read(&SampleTree::healthy().with_rt_group("/user", 950_000, 0));
        let groups: Vec<_> = found.groups.iter().map(|group| (group.file.as_str(), group.runtime_us)).collect();
        assert_eq!(
            groups,
            [
                ("/sys/fs/cgroup/cpu,cpuacct/cpu.rt_runtime_us", 950_000),
                ("/sys/fs/cgroup/cpu,cpuacct/user/cpu.rt_runtime_us", 0)
            ]
        );
        assert_eq!(found.in_force, Some(true));
    }

    #[test]
    fn a_process_in_the_outermost_group_has_one_budget() {
        assert_eq!(read(&SampleTree::healthy().with_rt_group("/", 950_000, 950_000)).groups.len(), 1);
    }

    #[test]
    fn without_budgets_the_build_options_and_the_command_line_decide() {
        let built_in = "CONFIG_RT_GROUP_SCHED=y\n";
        assert_eq!(in_force("# CONFIG_RT_GROUP_SCHED is not set\n", ""), Some(false));
        assert_eq!(in_force(built_in, ""), Some(true));
        assert_eq!(in_force(built_in, "quiet rt_group_sched=0"), Some(false));
        let disabled = "CONFIG_RT_GROUP_SCHED=y\nCONFIG_RT_GROUP_SCHED_DEFAULT_DISABLED=y\n";
        assert_eq!(in_force(disabled, ""), Some(false));
        assert_eq!(in_force(disabled, "rt_group_sched=1"), Some(true));
    }

    #[test]
    fn without_build_options_nothing_is_known() {
        let tree = SampleTree::healthy().without("boot");
        assert_eq!(read(&tree), RtGroups::default());
    }
}
