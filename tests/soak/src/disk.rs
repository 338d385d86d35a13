//! A small disk of our own, which may be full without harm to anybody.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use nix::mount::{MntFlags, MsFlags, mount, umount2};

/// A file system in memory, mounted as long as this value lives.
pub struct SmallDisk {
    path: PathBuf,
}

/// Room for the crash reports that are kept (bytes).
const SIZE: u64 = 512 << 20;
/// What is left when it is full: less than any crash report, and enough for rounding (bytes).
const LEFT: u64 = 16 * PAGE;
const PAGE: u64 = 4096;
const FLAGS: MsFlags = MsFlags::MS_NODEV.union(MsFlags::MS_NOSUID);
/// The newest crash reports are copied from it before it goes: at most so many, and so much
/// (bytes).
const COPIED_MAX: usize = 5;
const COPIED_BYTES_MAX: u64 = 64 << 20;

impl SmallDisk {
    /// Mounts it on a folder, which is made.
    pub fn mount(path: &Path) -> anyhow::Result<Self> {
        std::fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))?;
        let disk = Self { path: path.to_owned() };
        match disk.mount_with(FLAGS, SIZE) {
            Ok(()) => Ok(disk),
            Err(error) => {
                // There is nothing to unmount.
                std::mem::forget(disk);
                Err(error)
            }
        }
    }

    fn mount_with(&self, flags: MsFlags, size: u64) -> anyhow::Result<()> {
        let options = format!("size={size},mode=0755");
        mount(Some("rtrd-soak"), &self.path, Some("tmpfs"), flags, Some(options.as_str()))
            .with_context(|| format!("cannot mount a small disk on {}", self.path.display()))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes away the room that is left: the disk becomes as small as what lies on it. That is done
    /// in no time on a busy machine, while writing it full is not.
    pub fn fill(&self) -> anyhow::Result<()> {
        let used = used(&self.path).with_context(|| format!("cannot look into {}", self.path.display()))?;
        self.mount_with(FLAGS | MsFlags::MS_REMOUNT, used + LEFT)
    }

    /// Makes room again.
    pub fn empty(&self) -> anyhow::Result<()> {
        self.mount_with(FLAGS | MsFlags::MS_REMOUNT, SIZE)
    }
}

/// What the files below a folder take, in whole pages (bytes).
fn used(folder: &Path) -> io::Result<u64> {
    let mut sum = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let data = entry.metadata()?;
        sum += if data.is_dir() { used(&entry.path())? } else { data.len().next_multiple_of(PAGE) };
    }
    Ok(sum)
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
        .filter(|path| path.join(rtrd::REPORT_FILE).is_file())
        .collect();
    reports.sort_by_key(|path| path.metadata().and_then(|data| data.modified()).ok());
    let (mut copied, mut bytes) = (0, 0);
    for report in reports.iter().rev().take(COPIED_MAX) {
        bytes += used(report)?;
        if bytes > COPIED_BYTES_MAX {
            break;
        }
        copy_files(report, &to.join(report.file_name().unwrap_or_default()))?;
        copied += 1;
    }
    Ok(copied)
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
    use rtrd::REPORT_FILE;

    #[test]
    fn a_full_disk_refuses_and_an_emptied_one_takes() {
        let folder = tempfile::tempdir().unwrap();
        let Ok(disk) = SmallDisk::mount(&folder.path().join("disk")) else {
            println!("skipped: only root can mount a disk");
            return;
        };
        let write = |name: &str| std::fs::write(disk.path().join(name), vec![1; 1 << 20]);
        write("before").unwrap();
        disk.fill().unwrap();
        assert!(write("while").is_err());
        std::fs::remove_file(disk.path().join("while")).unwrap();
        disk.empty().unwrap();
        write("after").unwrap();
    }

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
        assert_eq!(std::fs::read_to_string(to.join("car-6").join(REPORT_FILE)).unwrap(), "6");
    }
}
