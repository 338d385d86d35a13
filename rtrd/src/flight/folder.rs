//! Where crash reports lie: a bounded number of them, the newest kept.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    keep: usize,
}

impl Folder {
    /// Reports go below this folder, which is made when the first is written; so many are kept.
    pub fn new(path: PathBuf, keep: usize) -> Self {
        Self { path, keep }
    }

    /// The state folder of the service (`STATE_DIRECTORY`, given by systemd), or a folder in the
    /// user's.
    pub fn usual() -> PathBuf {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        if let Some(state) = set("STATE_DIRECTORY") {
            return PathBuf::from(state);
        }
        let home = || PathBuf::from(set("HOME").unwrap_or_else(|| "/tmp".into())).join(".local/state");
        set("XDG_STATE_HOME").map_or_else(home, PathBuf::from).join("rtrd/crashes")
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes a new folder with this name, or a numbered one if there is such a folder, and removes
    /// the oldest reports beyond those that are kept.
    pub fn make(&self, name: &str) -> io::Result<PathBuf> {
        std::fs::create_dir_all(&self.path)?;
        self.remove_oldest()?;
        for attempt in 0.. {
            let numbered = if attempt == 0 { name.to_owned() } else { format!("{name}-{attempt}") };
            let path = self.path.join(numbered);
            match std::fs::create_dir(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 1000 => {}
                made => return made.map(|()| path),
            }
        }
        unreachable!("the attempts are bounded")
    }

    /// Only folders that hold a report of ours are removed.
    fn remove_oldest(&self) -> io::Result<()> {
        let mut reports: Vec<_> = std::fs::read_dir(&self.path)?
            .filter_map(Result::ok)
            .map(|entry| entry.path())
            .filter(|path| path.join(super::report::REPORT_FILE).is_file())
            .filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path)))
            .collect();
        reports.sort();
        let excess = (reports.len() + 1).saturating_sub(self.keep.max(1));
        for (_, path) in reports.into_iter().take(excess) {
            std::fs::remove_dir_all(path)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_reports_stay_and_other_folders_are_left_alone() {
        let temporary = tempfile::tempdir().unwrap();
        std::fs::create_dir(temporary.path().join("holiday-pictures")).unwrap();
        let folder = Folder::new(temporary.path().to_owned(), 3);
        for number in 0..6 {
            let made = folder.make("car1").unwrap();
            std::fs::write(made.join(super::super::report::REPORT_FILE), number.to_string()).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(15));
        }
        let mut texts: Vec<String> = std::fs::read_dir(temporary.path())
            .unwrap()
            .filter_map(|entry| {
                std::fs::read_to_string(entry.unwrap().path().join(super::super::report::REPORT_FILE)).ok()
            })
            .collect();
        texts.sort();
        assert_eq!(texts, ["3", "4", "5"]);
        assert!(temporary.path().join("holiday-pictures").is_dir());
    }
}
