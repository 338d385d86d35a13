//! The name of an instance and the place of its region.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::error::RegionError;

/// Where POSIX shared memory lives on Linux.
pub const SHARED_MEMORY_DIRECTORY: &str = "/dev/shm";
/// What every region's file name begins with.
pub const FILE_PREFIX: &str = "rtrd-";

/// The name of an instance, known to be a good file name, and the folder of its region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionName {
    directory: PathBuf,
    instance: String,
}

impl RegionName {
    /// The region of this instance on this machine.
    pub fn new(instance: &str) -> Result<Self, RegionError> {
        Self::in_directory(Path::new(SHARED_MEMORY_DIRECTORY), instance)
    }

    /// The region of this instance in another folder, which must be on a memory file system to be
    /// fast.
    pub fn in_directory(directory: &Path, instance: &str) -> Result<Self, RegionError> {
        let good = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        if instance.is_empty() || instance.len() > 64 || !instance.chars().all(good) {
            return Err(RegionError::BadName { name: instance.to_owned() });
        }
        Ok(Self { directory: directory.to_owned(), instance: instance.to_owned() })
    }

    /// The instance's name.
    pub fn instance(&self) -> &str {
        &self.instance
    }

    /// The folder of the region.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The file of the region.
    pub fn path(&self) -> PathBuf {
        self.directory.join(format!("{FILE_PREFIX}{}", self.instance))
    }

    /// Every region, of whatever state, in a folder.
    pub fn all_in(directory: &Path) -> std::io::Result<Vec<Self>> {
        let mut names: Vec<Self> = std::fs::read_dir(directory)?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter_map(|file| Self::in_directory(directory, file.strip_prefix(FILE_PREFIX)?).ok())
            .collect();
        names.sort_by(|left, right| left.instance.cmp(&right.instance));
        Ok(names)
    }
}

impl fmt::Display for RegionName {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}", self.path().display())
    }
}
