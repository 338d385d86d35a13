//! A region of a test's own, in real shared memory, that is gone when the test ends.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use shm_layout::name::SHARED_MEMORY_DIRECTORY;
use shm_layout::{Region, RegionName};
use tempfile::TempDir;

const FOLDER: &str = "SHM_LAYOUT_TEST_FOLDER";
const INSTANCE: &str = "test";

/// Tests of one program take turns. A child that is just being started has a copy of every open
/// file of its parent, and so holds the locks of a test beside it, until it runs its own program a
/// moment later.
static TURN: Mutex<()> = Mutex::new(());

/// A folder in shared memory for the regions of one test.
pub struct Place {
    folder: TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Place {
    pub fn new() -> Self {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::Builder::new()
            .prefix("shm-layout-test-")
            .tempdir_in(SHARED_MEMORY_DIRECTORY)
            .expect("shared memory can be written");
        Self { folder, _turn: turn }
    }

    /// A place with its region.
    pub fn with_region() -> (Self, Region) {
        let place = Self::new();
        let region = Region::create(&place.name(), None).expect("a new region");
        (place, region)
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The name of the region.
    pub fn name(&self) -> RegionName {
        RegionName::in_directory(self.folder(), INSTANCE).expect("the name is good")
    }

    /// What tells a child where it is.
    pub fn environment(&self) -> [(&str, &str); 1] {
        [(FOLDER, self.folder().to_str().expect("the folder's name is text"))]
    }
}

/// The region that the parent has in mind.
pub fn given() -> RegionName {
    let folder = std::env::var(FOLDER).expect("the parent says where");
    RegionName::in_directory(Path::new(&folder), INSTANCE).expect("the name is good")
}
