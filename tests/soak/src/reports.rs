//! Counts the crash reports that appear in a folder, also when old ones are removed meanwhile.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rtrd::REPORT_FILE;

/// The reports of one folder.
pub struct Reports {
    folder: PathBuf,
    known: BTreeSet<OsString>,
    count: u64,
}

impl Reports {
    /// Counts from now on.
    pub fn new(folder: &Path) -> Self {
        let folder = folder.to_owned();
        let known = whole_reports(&folder);
        Self { folder, known, count: 0 }
    }

    /// Whole reports that have appeared since the beginning.
    pub fn count(&mut self) -> u64 {
        let present = whole_reports(&self.folder);
        self.count += present.difference(&self.known).count() as u64;
        self.known = present;
        self.count
    }
}

fn whole_reports(folder: &Path) -> BTreeSet<OsString> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries
        .filter_map(Result::ok)
        .filter(|entry| entry.path().join(REPORT_FILE).is_file())
        .map(|entry| entry.file_name())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_reports_count_once_and_stay_counted() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str, whole: bool| {
            let path = folder.path().join(name);
            std::fs::create_dir(&path).unwrap();
            if whole {
                std::fs::write(path.join(REPORT_FILE), "x").unwrap();
            }
        };
        make("from-before", true);
        let mut reports = Reports::new(folder.path());
        make("half", false);
        assert_eq!(reports.count(), 0);
        make("first", true);
        assert_eq!((reports.count(), reports.count()), (1, 1));
        std::fs::remove_dir_all(folder.path().join("first")).unwrap();
        make("second", true);
        assert_eq!(reports.count(), 2);
    }
}
