//! Reading small text files below a root: `/` on a real machine, a temporary tree in a test.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::{CpuList, MachineError};

/// A file tree with `proc`, `sys`, `dev` and the like below its root.
pub(crate) struct Tree<'a> {
    root: &'a Path,
}

impl<'a> Tree<'a> {
    pub(crate) fn new(root: &'a Path) -> Self {
        Self { root }
    }

    /// Where a file is; `relative` may begin with a slash.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative.trim_start_matches('/'))
    }

    pub(crate) fn exists(&self, relative: &str) -> bool {
        self.path(relative).exists()
    }

    /// The text of a file without the white space around it; `None` when it is absent or may not be
    /// read.
    pub(crate) fn text(&self, relative: &str) -> Option<String> {
        let bytes = fs::read(self.path(relative)).ok()?;
        Some(String::from_utf8_lossy(&bytes).trim().to_owned())
    }

    /// A file that holds one number.
    pub(crate) fn number<Number: FromStr>(&self, relative: &str) -> Option<Number> {
        self.text(relative)?.parse().ok()
    }

    /// A file that holds a list of CPUs; `None` when it is absent, an error when it is damaged.
    pub(crate) fn list(&self, relative: &str) -> Result<Option<CpuList>, MachineError> {
        match self.text(relative).as_deref() {
            None => Ok(None),
            // What some kernels print for a mask that was never set.
            Some("(null)") => Ok(Some(CpuList::new())),
            Some(text) => {
                text.parse().map(Some).map_err(|source| MachineError::CpuList { path: self.path(relative), source })
            }
        }
    }

    /// The names in a directory, sorted; none when it cannot be read.
    pub(crate) fn names(&self, relative: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(relative)) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    /// The numbers that follow `prefix` in the names of a directory, ascending: `state0`, `state1`
    /// → 0, 1.
    pub(crate) fn numbers(&self, relative: &str, prefix: &str) -> Vec<usize> {
        let mut numbers: Vec<usize> =
            self.names(relative).iter().filter_map(|name| name.strip_prefix(prefix)?.parse().ok()).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The names of the directories inside a directory, sorted.
    pub(crate) fn directories(&self, relative: &str) -> Vec<String> {
        let base = self.path(relative);
        self.names(relative).into_iter().filter(|name| base.join(name).is_dir()).collect()
    }
}

/// What follows a name at the beginning of a line of `/proc`: `VmSize:   123 kB` → `123 kB`.
pub(crate) fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim)
}

/// The same for an amount in kB, in bytes; 0 when the kernel does not say.
pub(crate) fn field_bytes(text: &str, name: &str) -> u64 {
    let kibibytes = field(text, name).and_then(|amount| amount.strip_suffix("kB")?.trim().parse::<u64>().ok());
    kibibytes.unwrap_or(0).saturating_mul(1024)
}
