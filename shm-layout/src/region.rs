//! The shared region of one instance: made by the first, opened by all, removed when nobody uses
//! it.
//!
//! Everyone who takes part holds a shared lock on the file's first byte. Who gets the exclusive one
//! knows that nobody takes part any more: the region is stale, left by processes that were killed,
//! and may be removed. There is no list of processes to keep and nothing that a killed process
//! could leave wrong. Who only looks ([`Region::observe`]) takes no lock: looking neither keeps a
//! region alive nor stops the next one from being made.

use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytemuck::Zeroable;

use crate::block::{LAYOUT_HASH, PAGE_BYTES, REGION_BYTES, offset};
use crate::error::{ClaimError, RegionError};
use crate::file;
use crate::header::{Header, LAYOUT_VERSION, MAGIC};
use crate::lock::{Kind, is_exclusively_locked, try_lock};
use crate::mapping::{ReadOnlyMapping, ReadOnlyWord};
use crate::name::RegionName;
use crate::reader::{Reader, WordReader};
use crate::shortened;
use crate::trust::{Purpose, check_maker};
use crate::writer::{Writer, owner_pid};
use signals::blocks::CATALOGUE;
use signals::{Block, Payload};

/// The byte whose shared lock says "somebody uses this region".
pub const IN_USE: usize = 0;
/// How often to look again when the region changes hands while we look at it.
const LOOKS: usize = 100;
/// How long to leave it to the others between two looks. Yielding would not do: who has a FIFO
/// priority yields to nobody below it.
const PAUSE: Duration = Duration::from_millis(1);

/// The shared region of one instance, mapped read-only in this process. Keep it for as long as its
/// readers and writers are in use: they go on without it, but only it says to the others that
/// somebody takes part.
#[derive(Debug)]
pub struct Region {
    name: RegionName,
    file: OwnedFd,
    header: Box<Header>,
    mapping: Arc<ReadOnlyMapping>,
}

impl Region {
    /// Makes the region. One that nobody uses any more is replaced; one that is in use is an error.
    pub fn create(name: &RegionName, group: Option<&str>) -> Result<Self, RegionError> {
        let made = file::make_nameless(name, group)?;
        let path = name.path();
        let system = |what| RegionError::system(what, &path);
        for _ in 0..LOOKS {
            // In use from its first moment: nobody can take it for stale between naming and
            // mapping.
            let file = file::reopen(&made, false).map_err(system("reopening"))?;
            try_lock(&file, IN_USE, Kind::Shared).map_err(system("locking"))?;
            if file::give_name(&made, &path).map_err(system("naming"))? {
                return Self::map(name, file, Purpose::TakePart(group));
            }
            Self::remove_stale(name)?;
        }
        Err(RegionError::InUse { path, owners: Vec::new() })
    }

    /// Opens the region that another process made, to take part. It must be of this user or root,
    /// or of the group that is named.
    pub fn open(name: &RegionName, group: Option<&str>) -> Result<Self, RegionError> {
        let path = name.path();
        for _ in 0..LOOKS {
            let file = file::open(&path, false)?;
            let locked = try_lock(&file, IN_USE, Kind::Shared).map_err(RegionError::system("locking", &path))?;
            // Somebody may be removing it, or have removed it just before we had the lock.
            if locked && file.metadata().map_err(RegionError::system("examining", &path))?.nlink() > 0 {
                return Self::map(name, file.into(), Purpose::TakePart(group));
            }
            std::thread::sleep(PAUSE);
        }
        Err(RegionError::NotFound { path })
    }

    /// Opens the region only to look at it, without taking part: one of this user, of root or of a
    /// group of this user. When the run is over, [`Region::is_removed`] says so.
    pub fn observe(name: &RegionName) -> Result<Self, RegionError> {
        Self::map(name, file::open(&name.path(), false)?.into(), Purpose::Look)
    }

    /// Opens the region, or makes it if there is none or a stale one.
    pub fn open_or_create(name: &RegionName, group: Option<&str>) -> Result<Self, RegionError> {
        for _ in 0..LOOKS {
            match Self::create(name, group) {
                Err(RegionError::InUse { .. }) => {}
                other => return other,
            }
            match Self::open(name, group) {
                Err(RegionError::NotFound { .. }) => {}
                other => return other,
            }
        }
        Self::open(name, group)
    }

    /// Removes the region if nobody uses it; `false` if there is none. A file that is no region is
    /// left alone.
    pub fn remove_stale(name: &RegionName) -> Result<bool, RegionError> {
        Self::remove(name, |file| check_magic(name, file).map(|_| ()))
    }

    /// Removes whatever bears the region's name, if nobody uses it as one; `false` if there is
    /// nothing. Of folders only an empty one.
    pub fn remove_anything(name: &RegionName) -> Result<bool, RegionError> {
        Ok(file::remove_unopenable(&name.path())? || Self::remove(name, |_| Ok(()))?)
    }

    /// Whether something bears the region's name that nobody uses; an error if somebody does.
    pub fn is_stale(name: &RegionName) -> Result<bool, RegionError> {
        Ok(Self::lock_unused(name)?.is_some())
    }

    fn remove(name: &RegionName, may_go: impl Fn(&File) -> Result<(), RegionError>) -> Result<bool, RegionError> {
        let Some(file) = Self::lock_unused(name)? else {
            return Ok(false);
        };
        may_go(&file)?;
        // Only who holds the exclusive lock of the file that bears the name may take the name away.
        let path = name.path();
        if same_file(&file, &path) {
            std::fs::remove_file(&path).or_else(|refused| {
                // A folder for all lets nobody remove what is another's: then that is the cause.
                check_maker(&path, &file, Purpose::Look)?;
                Err(RegionError::system("removing", &path)(refused))
            })?;
        }
        Ok(true)
    }

    /// The file with its exclusive lock, which proves that nobody takes part; `None` if there is no
    /// file.
    fn lock_unused(name: &RegionName) -> Result<Option<File>, RegionError> {
        let path = name.path();
        for _ in 0..LOOKS {
            let file = match file::open(&path, true) {
                Err(RegionError::NotFound { .. }) => return Ok(None),
                other => other?,
            };
            if try_lock(&file, IN_USE, Kind::Exclusive).map_err(RegionError::system("locking", &path))? {
                return Ok(Some(file));
            }
            // Another one who found it unused is just removing it, which is not taking part.
            if !is_exclusively_locked(&file, IN_USE) {
                break;
            }
            std::thread::sleep(PAUSE);
        }
        let owners = Self::observe(name).map_or_else(|_| Vec::new(), |region| region.owners());
        Err(RegionError::InUse { path, owners })
    }

    /// Ends the use of the region and removes it, unless another process still uses it.
    pub fn close_and_remove(self) -> Result<bool, RegionError> {
        let name = self.name.clone();
        drop(self);
        Self::remove_stale(&name)
    }

    fn map(name: &RegionName, file: OwnedFd, purpose: Purpose) -> Result<Self, RegionError> {
        let header = check(name, &file, purpose)?;
        let mapping = ReadOnlyMapping::new(&file, 0, REGION_BYTES);
        let mapping = mapping.map_err(RegionError::system("mapping", &name.path()))?;
        Ok(Self { name: name.clone(), file, header, mapping: Arc::new(mapping) })
    }

    /// A reader of the block.
    pub fn reader<T: Payload>(&self, block: Block<T>) -> Reader<T> {
        Reader::new(self.mapping.clone(), block)
    }

    /// A reader of the block at this position of the table, for tools.
    pub fn word_reader(&self, index: usize) -> WordReader {
        WordReader::new(self.mapping.clone(), index)
    }

    /// The right to write the block, if no other process has it.
    pub fn claim<T: Payload>(&self, block: Block<T>) -> Result<Writer<T>, ClaimError> {
        Writer::claim(self, block)
    }

    /// The processes that write blocks now, with the block's name. Who was killed is not among
    /// them, even if its process number has been given to another since.
    pub fn owners(&self) -> Vec<(String, u32)> {
        let owners = CATALOGUE.iter().enumerate().filter_map(|(index, entry)| {
            let pid = owner_pid(self.block_words(index))?;
            is_exclusively_locked(&self.file, offset(index)).then(|| (entry.name.to_owned(), pid))
        });
        owners.collect()
    }

    /// The instance's name and place.
    pub fn name(&self) -> &RegionName {
        &self.name
    }

    /// From now on a fault of this region's memory ends the process with a line on standard error
    /// that says what happened, and with a core. For the first region of a process.
    pub fn explain_faults(&self) -> std::io::Result<()> {
        shortened::explain_faults(file::reopen(&self.file, false)?, &self.name.path())
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Whether the region has lost its name: the run it belonged to is over.
    pub fn is_removed(&self) -> bool {
        let file = self.file.try_clone().map(File::from);
        file.and_then(|file| file.metadata()).map_or(true, |found| found.nlink() == 0)
    }

    pub(crate) fn open_writable(&self) -> std::io::Result<OwnedFd> {
        file::reopen(&self.file, true)
    }

    pub(crate) fn block_words(&self, index: usize) -> &[ReadOnlyWord] {
        &self.mapping.words()[offset(index) / 8..]
    }
}

fn same_file(file: &File, path: &Path) -> bool {
    match (file.metadata(), std::fs::symlink_metadata(path)) {
        (Ok(open), Ok(named)) => open.dev() == named.dev() && open.ino() == named.ino(),
        _ => false,
    }
}

/// Reads and checks everything about the file before any of it is mapped.
fn check(name: &RegionName, file: impl AsFd, purpose: Purpose) -> Result<Box<Header>, RegionError> {
    let path = name.path();
    let page = nix::unistd::sysconf(nix::unistd::SysconfVar::PAGE_SIZE).ok().flatten().unwrap_or(0) as usize;
    if page != PAGE_BYTES {
        return Err(RegionError::PageSize { found: page, expected: PAGE_BYTES });
    }
    let file = file.as_fd().try_clone_to_owned().map_err(RegionError::system("examining", &path))?;
    let file = File::from(file);
    let header = check_magic(name, &file)?;
    check_maker(&path, &file, purpose)?;
    if header.layout_version != LAYOUT_VERSION || header.layout_hash != LAYOUT_HASH {
        return Err(RegionError::OtherLayout {
            path,
            found_version: header.layout_version,
            found_hash: header.layout_hash,
            expected_version: LAYOUT_VERSION,
            expected_hash: LAYOUT_HASH,
        });
    }
    let length = file.metadata().map_err(RegionError::system("examining", &path))?.len();
    if length != REGION_BYTES as u64 {
        return Err(RegionError::not_a_region(&path, format!("it has {length} bytes instead of {REGION_BYTES}")));
    }
    Ok(header)
}

/// Reads the header of a file that is a region, of whatever layout.
fn check_magic(name: &RegionName, file: &File) -> Result<Box<Header>, RegionError> {
    let path = name.path();
    let found = file.metadata().map_err(RegionError::system("examining", &path))?;
    if !found.is_file() {
        return Err(RegionError::not_a_region(&path, "it is no regular file"));
    }
    let mut header = Box::new(Header::zeroed());
    if file.read_exact_at(bytemuck::bytes_of_mut(&mut *header), 0).is_err() {
        return Err(RegionError::not_a_region(&path, format!("it has only {} bytes", found.len())));
    }
    if header.magic != MAGIC {
        let why = format!("it begins with {:016x}, not with {MAGIC:016x}", header.magic);
        return Err(RegionError::not_a_region(&path, why));
    }
    Ok(header)
}
