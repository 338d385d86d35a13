//! A small disk of our own, which may be filled without harm to anybody.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use nix::mount::{MntFlags, MsFlags, mount, umount2};

/// A file system in memory, mounted as long as this value lives.
pub struct SmallDisk {
    path: PathBuf,
}

/// Room for the crash reports that are kept.
const SIZE: &str = "size=256m,mode=0755";
const FILL: &str = "fill";
/// The newest crash reports are copied from it before it goes: at most so many, and so much (bytes).
const COPIED_MAX: usize = 5;
const COPIED_BYTES_MAX: u64 = 64 << 20;

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
        let _ = std::fs::remove_dir(&self.path);
    }
}

/// Copies the newest crash reports to another folder, within bounds; how many.
pub fn copy_newest(from: &Path, to: &Path) -> io::Result<usize> {
    let mut reports: Vec<PathBuf> = std::fs::read_dir(from)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join(crate::flight::REPORT_FILE).is_file())
        .collect();
    reports.sort_by_key(|path| path.metadata().and_then(|data| data.modified()).ok());
    let (mut copied, mut bytes) = (0, 0);
    for report in reports.iter().rev().take(COPIED_MAX) {
        bytes += size(report)?;
        if bytes > COPIED_BYTES_MAX {
            break;
        }
        copy_files(report, &to.join(report.file_name().unwrap_or_default()))?;
        copied += 1;
    }
    Ok(copied)
}

fn size(folder: &Path) -> io::Result<u64> {
    std::fs::read_dir(folder)?
        .map(|entry| Ok(entry?.metadata()?.len()))
        .sum()
}

/// A report has files only.
fn copy_files(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        std::fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flight::REPORT_FILE;

    #[test]
    fn only_the_newest_reports_are_copied() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        for number in 0..COPIED_MAX + 2 {
            let report = from.join(format!("car-{number}"));
            std::fs::create_dir_all(&report).unwrap();
            std::fs::write(report.join(REPORT_FILE), number.to_string()).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(15));
        }
        std::fs::create_dir_all(from.join("half-a-report")).unwrap();
        assert_eq!(copy_newest(&from, &to).unwrap(), COPIED_MAX);
        assert!(!to.join("car-1").exists() && !to.join("half-a-report").exists());
        assert_eq!(
            std::fs::read_to_string(to.join("car-6").join(REPORT_FILE)).unwrap(),
            "6"
        );
    }
}
