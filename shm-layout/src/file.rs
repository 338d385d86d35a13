//! The region's file: made whole before it gets its name, so that nobody ever finds half of one.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags, FallocateFlags, fallocate};
use nix::sys::statvfs::statvfs;
use nix::unistd::{Gid, Group, fchown, linkat};

use crate::block::REGION_BYTES;
use crate::error::RegionError;
use crate::header::Header;
use crate::name::RegionName;

/// Owner and group may read and write, nobody else anything.
pub const MODE: u32 = 0o660;

/// Makes a complete region without a name; if this process dies now, nothing is left.
pub fn make_nameless(name: &RegionName, group: Option<&str>) -> Result<File, RegionError> {
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(libc::O_TMPFILE | libc::O_CLOEXEC)
        .mode(MODE)
        .open(name.directory())
        .map_err(|source| RegionError::Folder { path: name.directory().to_owned(), source })?;
    let path = name.path();
    let system = |what| RegionError::system(what, &path);
    file.set_permissions(Permissions::from_mode(MODE)).map_err(system("setting the mode of"))?;
    if let Some(group) = group {
        let gid = group_id(&path, group)?;
        fchown(&file, None, Some(gid)).map_err(|errno| system("setting the group of")(errno.into()))?;
    }
    // Reserve every page now: a memory file system that fills up later would end a process with
    // SIGBUS in its loop.
    match fallocate(&file, FallocateFlags::empty(), 0, REGION_BYTES as i64) {
        Ok(()) => {}
        Err(Errno::ENOSPC | Errno::EDQUOT | Errno::ENOMEM) => return Err(no_room(name)),
        Err(other) => return Err(system("reserving memory for")(other.into())),
    }
    let epoch = std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |elapsed| elapsed.as_nanos() as u64);
    file.write_all(bytemuck::bytes_of(&Header::new(epoch))).map_err(system("writing the header of"))?;
    Ok(file)
}

/// The number of a group that the configuration names.
pub fn group_id(path: &Path, group: &str) -> Result<Gid, RegionError> {
    let found =
        Group::from_name(group).map_err(|errno| RegionError::system("finding the group of", path)(errno.into()))?;
    found.map(|found| found.gid).ok_or_else(|| RegionError::NoSuchGroup { group: group.to_owned() })
}

fn no_room(name: &RegionName) -> RegionError {
    let free = statvfs(name.directory()).map_or(0, |status| status.blocks_available() * status.fragment_size());
    RegionError::NoRoom { path: name.path(), needed_kib: REGION_BYTES as u64 / 1024, free_kib: free / 1024 }
}

/// Gives the file its name; `false` if the name is taken.
pub fn give_name(file: &File, path: &Path) -> io::Result<bool> {
    match linkat(AT_FDCWD, &by_descriptor(file), AT_FDCWD, path, AtFlags::AT_SYMLINK_FOLLOW) {
        Ok(()) => Ok(true),
        Err(Errno::EEXIST) => Ok(false),
        Err(other) => Err(other.into()),
    }
}

/// Opens the same file once more, with a description (and so with locks) of its own.
pub fn reopen(file: impl AsFd, write: bool) -> io::Result<OwnedFd> {
    let path = by_descriptor(file);
    let file = OpenOptions::new().read(true).write(write).custom_flags(libc::O_CLOEXEC).open(path)?;
    Ok(file.into())
}

/// Opens a region's file by name; says who may if this user may not.
pub fn open(path: &Path, write: bool) -> Result<File, RegionError> {
    // Without O_NONBLOCK a named pipe of that name would hold us for ever.
    let flags = libc::O_CLOEXEC | libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let opened = OpenOptions::new().read(true).write(write).custom_flags(flags).open(path);
    let not_a_region = |why| RegionError::not_a_region(path, why);
    opened.map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => RegionError::NotFound { path: path.to_owned() },
        io::ErrorKind::IsADirectory => not_a_region("it is a folder"),
        // ELOOP, which is what O_NOFOLLOW says of a link.
        _ if source.raw_os_error() == Some(libc::ELOOP) => not_a_region("it is a symbolic link"),
        // ENXIO: a socket, or a device without a driver.
        _ if source.raw_os_error() == Some(libc::ENXIO) => not_a_region("it is no regular file"),
        io::ErrorKind::PermissionDenied => match std::fs::symlink_metadata(path) {
            Ok(found) => RegionError::Forbidden {
                path: path.to_owned(),
                owner: found.uid(),
                group: found.gid(),
                mode: found.mode() & 0o7777,
            },
            Err(_) => RegionError::system("opening", path)(source),
        },
        _ => RegionError::system("opening", path)(source),
    })
}

/// Removes a link, a socket or an empty folder, which nobody can use as a region because it does
/// not open as one; `false` if it is something else, or nothing.
pub fn remove_unopenable(path: &Path) -> Result<bool, RegionError> {
    let kind = match std::fs::symlink_metadata(path) {
        Ok(found) => found.file_type(),
        Err(_) => return Ok(false),
    };
    let removed = if kind.is_dir() {
        std::fs::remove_dir(path)
    } else if kind.is_symlink() || kind.is_socket() {
        std::fs::remove_file(path)
    } else {
        return Ok(false);
    };
    removed.map(|()| true).map_err(RegionError::system("removing", path))
}

fn by_descriptor(file: impl AsFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", file.as_fd().as_raw_fd()))
}
