//! A small disk of our own, which may be filled without harm to anybody.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use nix::mount::{MntFlags, MsFlags, mount, umount2};

/// A file system in memory, mounted as long as this value lives.
pub struct SmallDisk {
    path: PathBuf,
}

/// Room for a few crash reports.
const SIZE: &str = "size=96m,mode=0755";
const FILL: &str = "fill";

impl SmallDisk {
    /// Mounts it on a folder, which is made.
    pub fn mount(path: &Path) -> anyhow::Result<Self> {
        std::fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))?;
        mount(
            Some("rtrd-soak"),
            path,
            Some("tmpfs"),
            MsFlags::MS_NODEV | MsFlags::MS_NOSUID,
            Some(SIZE),
        )
        .with_context(|| format!("cannot mount a small disk on {}", path.display()))?;
        Ok(Self {
            path: path.to_owned(),
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes until there is no room left.
    pub fn fill(&self) -> anyhow::Result<()> {
        let path = self.path.join(FILL);
        let mut file =
            std::fs::File::create(&path).with_context(|| format!("cannot make {}", path.display()))?;
        let megabyte = vec![0x5a; 1 << 20];
        while file.write_all(&megabyte).is_ok() {}
        Ok(())
    }

    /// Makes room again.
    pub fn empty(&self) -> anyhow::Result<()> {
        let path = self.path.join(FILL);
        std::fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // A reader may still be in it: it goes when the reader has gone.
        if let Err(errno) = umount2(&self.path, MntFlags::MNT_DETACH) {
            eprintln!("rtrd: cannot unmount {}: {errno}", self.path.display());
        }
    }
}
