//! What can go wrong with a region or a block, said so that a person knows what to do.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Why a region could not be made, opened or removed.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the variants and their fields are")]
pub enum RegionError {
    #[error("instance name {name:?}: expected 1 to 64 letters, digits, '-' or '_'")]
    BadName { name: String },
    #[error("no region {}: nothing runs under that instance name (start it with `rtrd run`)", path.display())]
    NotFound { path: PathBuf },
    #[error(
        "region {} may not be opened by this user: it is for user {owner} and group {group} (mode {mode:04o}); \
         add the user to the group, or run as that user", path.display()
    )]
    Forbidden { path: PathBuf, owner: u32, group: u32, mode: u32 },
    #[error(
        "region {} is of user {owner} and group {group} with mode {mode:04o}, expected {expected}: nothing of it is \
         used, because its maker could change or end this process; end the run that made it (`rtrd clean` removes what \
         nobody uses), choose another instance name, or name the group of all who take part in `instance.group`",
        path.display()
    )]
    Untrusted { path: PathBuf, owner: u32, group: u32, mode: u32, expected: String },
    #[error("folder {}: {source}; shared memory must be mounted there and writable", path.display())]
    Folder { path: PathBuf, source: io::Error },
    #[error(
        "region {} is in use{}; choose another instance name, or end the run that uses it",
        path.display(), owners_text(owners)
    )]
    InUse { path: PathBuf, owners: Vec<(String, u32)> },
    #[error("no room for region {}: {needed_kib} KiB are needed and {free_kib} KiB are free in its folder", path.display())]
    NoRoom { path: PathBuf, needed_kib: u64, free_kib: u64 },
    #[error("{} is not a region of rtrd: {why}; `rtrd clean` removes it if nobody uses it", path.display())]
    NotARegion { path: PathBuf, why: String },
    #[error(
        "region {} has layout {found_hash:016x} (version {found_version}), this program has {expected_hash:016x} \
         (version {expected_version}): start all processes from the same build", path.display()
    )]
    OtherLayout { path: PathBuf, found_version: u64, found_hash: u64, expected_version: u64, expected_hash: u64 },
    #[error("memory pages here are {found} bytes; the layout is made for {expected}")]
    PageSize { found: usize, expected: usize },
    #[error("group {group:?} does not exist; create it with `groupadd {group}`, or name another")]
    NoSuchGroup { group: String },
    #[error("{what} region {}: {source}", path.display())]
    System { what: &'static str, path: PathBuf, source: io::Error },
}

impl RegionError {
    /// What the system refused while doing something with the region at this path.
    pub(crate) fn system(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::System { what, path: path.to_owned(), source }
    }

    pub(crate) fn not_a_region(path: &Path, why: impl Into<String>) -> Self {
        Self::NotARegion { path: path.to_owned(), why: why.into() }
    }
}

/// The processes, each with what it writes.
fn owners_text(owners: &[(String, u32)]) -> String {
    let mut by_process = BTreeMap::<u32, Vec<String>>::new();
    for (block, pid) in owners {
        by_process.entry(*pid).or_default().push(format!("/{block}/"));
    }
    let list: Vec<String> =
        by_process.iter().map(|(pid, blocks)| format!("process {pid} writes {}", blocks.join(" "))).collect();
    if list.is_empty() { String::new() } else { format!(" ({})", list.join(", ")) }
}

/// Why a block could not be claimed for writing.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the variants and their fields are")]
pub enum ClaimError {
    #[error("block /{block}/ is written by process {pid} ({process}); a block has one writer, end that one first")]
    Owned { block: &'static str, pid: u32, process: String },
    #[error("block /{block}/ may not be written by this user: {source}")]
    Forbidden { block: &'static str, source: io::Error },
    #[error("{what} for block /{block}/: {source}")]
    System { what: &'static str, block: &'static str, source: io::Error },
}
