//! What `rtrd deploy` has done to a machine, in order, so that all of it can be undone.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use crate::output::read_if_there;

/// Where the list is kept.
pub const PATH: &str = "/var/lib/rtrd/deploy/manifest.json";
/// Where files are kept that were there before.
pub const BACKUPS: &str = "/var/lib/rtrd/deploy/before";
const VERSION: u32 = 1;

/// Everything that was done, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    version: u32,
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Step {
    /// A folder was made.
    Folder(PathBuf),
    /// A file was written.
    File {
        /// Which.
        path: PathBuf,
        /// What was written: a file that someone has changed since is theirs.
        fingerprint: String,
        /// The file that was there before, if there was one.
        before: Option<PathBuf>,
    },
    /// A user and its group were made.
    User(String),
    /// A unit was enabled and started.
    Unit(String),
    /// The boot loader was told of the changed parameters of the kernel: `update-grub`.
    #[serde(rename = "boot-loader")]
    BootLoader,
}

impl Default for Manifest {
    fn default() -> Self {
        Self { version: VERSION, steps: Vec::new() }
    }
}

impl Manifest {
    /// Reads the list; an empty one if nothing was done yet.
    pub fn load(path: &Path) -> anyhow::Result<Self> {
        let Some(text) = read_if_there(path)? else { return Ok(Self::default()) };
        let manifest: Self = serde_json::from_slice(&text)
            .with_context(|| format!("{} is not a list of what `rtrd deploy` did", path.display()))?;
        if manifest.version != VERSION {
            bail!(
                "{} has version {}, this program knows {VERSION}: use the `rtrd` that wrote it",
                path.display(),
                manifest.version
            );
        }
        if let Some(odd) = manifest.paths().find(|path| !is_plain(path)) {
            bail!(
                "{}: expected paths that begin with `/` and have no `.` or `..`, found {}; nothing was changed: correct the \
                 list by hand",
                path.display(),
                odd.display()
            );
        }
        Ok(manifest)
    }

    /// Every path of the list.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.steps
            .iter()
            .flat_map(|step| match step {
                Step::Folder(path) => [Some(path.as_path()), None],
                Step::File { path, before, .. } => [Some(path.as_path()), before.as_deref()],
                Step::User(_) | Step::Unit(_) | Step::BootLoader => [None, None],
            })
            .flatten()
    }

    pub fn text(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// What was noted about a file, if we wrote it.
    pub fn file_mut(&mut self, wanted: &Path) -> Option<&mut String> {
        self.steps.iter_mut().find_map(|step| match step {
            Step::File { path, fingerprint, .. } if path == wanted => Some(fingerprint),
            _ => None,
        })
    }

    /// Notes a step, once.
    pub fn note(&mut self, step: Step) {
        if !self.steps.contains(&step) {
            self.steps.push(step);
        }
    }
}

/// Whether a path below a root stays below it, as long as no link leads away.
fn is_plain(path: &Path) -> bool {
    // Not the path's components, which leave out a `.`.
    path.is_absolute() && path.to_string_lossy().split('/').all(|part| part != "." && part != "..")
}

/// The fingerprint of a content: FNV-1a with 64 bits, which shows whether a file is the one that
/// was written. It is no protection against someone who wants to deceive.
pub fn fingerprint(content: &[u8]) -> String {
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(PRIME);
    format!("{:016x}", content.iter().fold(OFFSET_BASIS, mix))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors of the authors of the function (Fowler, Noll, Vo:
    /// <http://www.isthe.com/chongo/tech/comp/fnv/>).
    #[test]
    fn fingerprints_are_those_of_the_published_function() {
        assert_eq!(fingerprint(b""), "cbf29ce484222325");
        assert_eq!(fingerprint(b"a"), "af63dc4c8601ec8c");
        assert_eq!(fingerprint(b"foobar"), "85944171f73967e8");
    }

    #[test]
    fn what_is_written_can_be_read_and_anything_else_is_an_error_with_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("manifest.json");
        assert_eq!(Manifest::load(&path).unwrap(), Manifest::default());
        let mut manifest = Manifest::default();
        manifest.note(Step::User("rtrd".into()));
        manifest.note(Step::User("rtrd".into()));
        assert_eq!(manifest.steps.len(), 1);
        std::fs::write(&path, manifest.text().unwrap()).unwrap();
        assert_eq!(Manifest::load(&path).unwrap(), manifest);
        for (text, expected) in [("{", "is not a list"), ("{\"version\":2,\"steps\":[]}", "has version 2")] {
            std::fs::write(&path, text).unwrap();
            let said = format!("{:#}", Manifest::load(&path).unwrap_err());
            assert!(said.contains(expected) && said.contains("manifest.json"), "{said}");
        }
    }
}
