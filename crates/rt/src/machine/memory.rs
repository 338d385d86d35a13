//! Memory: how much there is, whether some of it is on disk, and where shared memory lives.

use nix::sys::statvfs::statvfs;
use serde::Serialize;

use super::tree::{Tree, field_bytes};

/// The memory of the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// All of it; 0 when the kernel does not say.
    pub total_bytes: u64,
    /// What can be had without pushing others out.
    pub available_bytes: u64,
    /// Size of all swap space.
    pub swap_total_bytes: u64,
    /// How much of the swap space holds pages.
    pub swap_used_bytes: u64,
    /// The setting for transparent huge pages: `always`, `madvise` or `never`; `None` when not
    /// built in.
    pub transparent_hugepages: Option<String>,
    /// Room left in `/dev/shm`; `None` when there is no such directory.
    pub shared_memory_free_bytes: Option<u64>,
}

impl Memory {
    pub(crate) fn read(tree: &Tree) -> Self {
        let meminfo = tree.text("proc/meminfo").unwrap_or_default();
        let (swap_total_bytes, swap_used_bytes) = swap(tree);
        Self {
            total_bytes: field_bytes(&meminfo, "MemTotal:"),
            available_bytes: field_bytes(&meminfo, "MemAvailable:"),
            swap_total_bytes,
            swap_used_bytes,
            transparent_hugepages: chosen(tree.text("sys/kernel/mm/transparent_hugepage/enabled")),
            shared_memory_free_bytes: shared_memory_free_bytes(tree),
        }
    }
}

/// Sums size and use over `/proc/swaps`, whose lines read `name type size used priority` in KiB.
/// The fields are counted from the end, since a name may hold blanks.
fn swap(tree: &Tree) -> (u64, u64) {
    let swaps = tree.text("proc/swaps").unwrap_or_default();
    let entry = |line: &str| {
        let mut fields = line.split_whitespace().rev().skip(1);
        let used = fields.next()?.parse::<u64>().ok()?;
        let size = fields.next()?.parse::<u64>().ok()?;
        Some((size * 1024, used * 1024))
    };
    let entries = swaps.lines().skip(1).filter_map(entry);
    entries.fold((0, 0), |(total, used), (size, part)| (total + size, used + part))
}

/// The word in brackets, as in `always [madvise] never`.
fn chosen(setting: Option<String>) -> Option<String> {
    let setting = setting?;
    let (_, rest) = setting.split_once('[')?;
    Some(rest.split_once(']')?.0.to_owned())
}

fn shared_memory_free_bytes(tree: &Tree) -> Option<u64> {
    let folder = tree.path("dev/shm");
    if !folder.is_dir() {
        return None;
    }
    let space = statvfs(&folder).ok()?;
    Some(space.blocks_available().saturating_mul(space.fragment_size()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::sample::SampleTree;

    fn memory(tree: &SampleTree) -> Memory {
        Memory::read(&Tree::new(tree.root()))
    }

    #[test]
    fn sizes_are_read_in_bytes() {
        let found = memory(&SampleTree::healthy());
        assert_eq!(found.total_bytes, 8 << 30);
        assert_eq!(found.available_bytes, 6 << 30);
        assert_eq!((found.swap_total_bytes, found.swap_used_bytes), (0, 0));
        assert!(found.shared_memory_free_bytes.is_some());
    }

    #[test]
    fn swap_is_summed_over_all_areas() {
        let swaps = "Filename\tType\tSize\tUsed\tPriority\n/dev/sda2 partition 1000 10 -2\n/swap file file 24 2 -3";
        let found = memory(&SampleTree::healthy().with("proc/swaps", swaps));
        assert_eq!((found.swap_total_bytes, found.swap_used_bytes), (1024 * 1024, 12 * 1024));
    }

    #[test]
    fn the_huge_page_setting_is_the_word_in_brackets() {
        let file = "sys/kernel/mm/transparent_hugepage/enabled";
        let tree = SampleTree::healthy().with(file, "[always] madvise never");
        assert_eq!(memory(&tree).transparent_hugepages.as_deref(), Some("always"));
        assert_eq!(memory(&tree.without(file)).transparent_hugepages, None);
    }

    #[test]
    fn a_machine_without_shared_memory_is_read() {
        assert_eq!(memory(&SampleTree::healthy().without("dev/shm")).shared_memory_free_bytes, None);
    }
}
