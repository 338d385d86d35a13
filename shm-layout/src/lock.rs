//! Locks that the kernel gives back when a process dies, however it dies.
//!
//! They are open-file-description locks on single bytes of the region's file: byte 0 stands for
//! "somebody uses this region" (shared), the first byte of a block for "this one writes the block"
//! (exclusive). Nothing is read or written through them, so they cost nothing in the loop.

use std::io;
use std::os::fd::AsFd;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, fcntl};

/// A lock of one byte.
#[derive(Clone, Copy)]
pub enum Kind {
    /// Any number of holders.
    Shared,
    /// One holder and no shared ones.
    Exclusive,
}

/// Takes the lock, or says at once that somebody else has it (`false`).
pub fn try_lock(file: impl AsFd, byte: usize, kind: Kind) -> io::Result<bool> {
    match fcntl(file, FcntlArg::F_OFD_SETLK(&lock_of(byte, kind))) {
        Ok(_) => Ok(true),
        Err(Errno::EAGAIN | Errno::EACCES) => Ok(false),
        Err(other) => Err(other.into()),
    }
}

/// Whether somebody else holds the exclusive lock now. Takes nothing, so that nobody is kept out by
/// the question.
pub fn is_exclusively_locked(file: impl AsFd, byte: usize) -> bool {
    let mut lock = lock_of(byte, Kind::Shared);
    let asked = fcntl(file, FcntlArg::F_OFD_GETLK(&mut lock));
    asked.is_ok() && i32::from(lock.l_type) != libc::F_UNLCK
}

fn lock_of(byte: usize, kind: Kind) -> libc::flock {
    let lock_type = match kind {
        Kind::Shared => libc::F_RDLCK,
        Kind::Exclusive => libc::F_WRLCK,
    };
    libc::flock {
        l_type: lock_type as libc::c_short,
        l_whence: libc::SEEK_SET as libc::c_short,
        l_start: byte as libc::off_t,
        l_len: 1,
        l_pid: 0,
    }
}
