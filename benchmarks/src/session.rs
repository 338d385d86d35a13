//! The names under which one run keeps its shared memory, so that it can clean up after itself and
//! nobody else.
//!
//! Everything carries the number of the process that was started by hand. A run that ends cleans up
//! when its [`Session`] is dropped. A run that was killed cannot: the next one removes what belongs
//! to processes that are gone.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use iceoryx2::prelude::{Config, FileName, Path as IceoryxPath, SemanticString};
use serde::{Deserialize, Serialize};
use shm_layout::name::SHARED_MEMORY_DIRECTORY;
use shm_layout::{Region, RegionName};

/// What our region's instance is called, before the process number.
const INSTANCE_PREFIX: &str = "bench-";
/// What the peer's files are called, before the process number.
const PEER_PREFIX: &str = "rtrdbench_iox2_";

/// The names of one run; also what a worker process needs to find the run's memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Names {
    process: u32,
}

impl Names {
    pub fn region(&self) -> Result<RegionName> {
        Ok(RegionName::new(&format!("{INSTANCE_PREFIX}{}", self.process))?)
    }

    /// A folder for sockets and for the peer's files.
    pub fn folder(&self) -> PathBuf {
        std::env::temp_dir().join(format!("{PEER_PREFIX}{}", self.process))
    }

    /// A configuration that keeps the peer's files of this run apart from all others.
    pub fn peer_configuration(&self) -> Result<Config> {
        let folder = self.folder();
        let folder = folder.to_str().context("the folder for temporary files has a name that is not UTF-8")?;
        let mut configuration = Config::default();
        configuration.global.prefix = FileName::new(self.peer_prefix().as_bytes())?;
        configuration.global.set_root_path(&IceoryxPath::new(folder.as_bytes())?);
        Ok(configuration)
    }

    fn peer_prefix(&self) -> String {
        format!("{PEER_PREFIX}{}_", self.process)
    }

    fn remove_peer_files(&self) {
        let prefix = self.peer_prefix();
        let ours = |path: &Path| file_name(path).is_some_and(|name| name.starts_with(&prefix));
        for path in files_in(Path::new(SHARED_MEMORY_DIRECTORY)).filter(|path| ours(path)) {
            // A file that cannot be removed is found again by the next run.
            let _ = std::fs::remove_file(path);
        }
        let _ = std::fs::remove_dir_all(self.folder());
    }
}

/// One run. Dropping it removes what the run left in shared memory.
#[derive(Debug)]
pub struct Session {
    names: Names,
    region: Option<Region>,
}

impl Session {
    /// Makes the region and the folder, after removing what killed runs left.
    pub fn begin() -> Result<Self> {
        remove_leftovers();
        let names = Names { process: std::process::id() };
        std::fs::create_dir_all(names.folder())?;
        let region = Region::create(&names.region()?, None)?;
        Ok(Self { names, region: Some(region) })
    }

    pub fn names(&self) -> &Names {
        &self.names
    }

    pub fn open_region(&self) -> Result<Region> {
        Ok(Region::open(&self.names.region()?, None)?)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(region) = self.region.take() {
            // A region that a worker still holds is removed by the next run.
            let _ = region.close_and_remove();
        }
        self.names.remove_peer_files();
    }
}

/// Removes what belongs to runs whose process is gone.
fn remove_leftovers() {
    let folders = [PathBuf::from(SHARED_MEMORY_DIRECTORY), std::env::temp_dir()];
    for process in folders.iter().flat_map(|folder| files_in(folder)).filter_map(|path| run_of(&path)) {
        if Path::new(&format!("/proc/{process}")).exists() {
            continue;
        }
        let names = Names { process };
        names.remove_peer_files();
        if let Ok(region) = names.region() {
            // It refuses to remove a region that is in use, which is all the care that is needed.
            let _ = Region::remove_stale(&region);
        }
    }
}

/// The process whose run a file belongs to.
fn run_of(path: &Path) -> Option<u32> {
    let name = file_name(path)?;
    let region_prefix = format!("{}{INSTANCE_PREFIX}", shm_layout::name::FILE_PREFIX);
    let rest = name.strip_prefix(PEER_PREFIX).or_else(|| name.strip_prefix(&region_prefix))?;
    let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    rest[..digits].parse().ok()
}

fn file_name(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

fn files_in(folder: &Path) -> impl Iterator<Item = PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_tells_which_run_made_it() {
        assert_eq!(run_of(Path::new("/dev/shm/rtrdbench_iox2_123_abc.data")), Some(123));
        assert_eq!(run_of(Path::new("/tmp/rtrdbench_iox2_123")), Some(123));
        assert_eq!(run_of(Path::new("/dev/shm/rtrd-bench-77")), Some(77));
        assert_eq!(run_of(Path::new("/dev/shm/rtrd-car")), None);
        assert_eq!(run_of(Path::new("/dev/shm/iox2_123")), None);
    }

    #[test]
    fn a_session_leaves_nothing_behind() {
        let session = Session::begin().unwrap();
        let (region, folder) = (session.names().region().unwrap().path(), session.names().folder());
        assert!(region.exists() && folder.exists());
        drop(session);
        assert!(!region.exists() && !folder.exists());
    }
}
