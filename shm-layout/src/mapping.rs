//! A piece of the region in this process's memory: the one place where shared memory becomes Rust references.
//!
//! Unsafe code is needed for the mapping itself and for the view of it as atomic words.
#![allow(unsafe_code)]

use std::io;
use std::num::NonZeroUsize;
use std::os::fd::AsFd;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

use nix::sys::mman::{MapFlags, ProtFlags, mmap, munmap};

/// Pages of a region, mapped until it is dropped.
#[derive(Debug)]
pub struct Mapping {
    start: NonNull<AtomicU64>,
    bytes: usize,
}

// SAFETY: the mapping is owned, and everything that is reached through it is an atomic word.
unsafe impl Send for Mapping {}
// SAFETY: as above: shared access goes through atomic words only.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps a piece of the file that can only be read: a write to it ends this process with SIGSEGV.
    pub fn read_only(file: impl AsFd, offset: usize, bytes: usize) -> io::Result<Self> {
        Self::map(file, offset, bytes, ProtFlags::PROT_READ)
    }

    /// Maps a piece of the file that this process owns and may write.
    pub fn writable(file: impl AsFd, offset: usize, bytes: usize) -> io::Result<Self> {
        Self::map(file, offset, bytes, ProtFlags::PROT_READ | ProtFlags::PROT_WRITE)
    }

    fn map(file: impl AsFd, offset: usize, bytes: usize, protection: ProtFlags) -> io::Result<Self> {
        let length = NonZeroUsize::new(bytes).ok_or(io::ErrorKind::InvalidInput)?;
        let flags = MapFlags::MAP_SHARED | MapFlags::MAP_POPULATE;
        // SAFETY: the kernel chooses an address that is free, so no memory of this process is replaced.
        let start = unsafe { mmap(None, length, protection, flags, file, offset as libc::off_t) }?;
        Ok(Self {
            start: start.cast(),
            bytes,
        })
    }

    /// The mapped words. On a read-only mapping they must only be loaded.
    #[inline(always)]
    pub fn words(&self) -> &[AtomicU64] {
        // SAFETY: the mapping is page-aligned, `bytes` long, lives as long as `self`, and is only ever accessed as
        // atomic words, by this process and by all others; any bit pattern is a valid word.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.bytes / 8) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: start and length are those of the mapping made in `map`, and no reference to it outlives `self`.
        let unmapped = unsafe { munmap(self.start.cast(), self.bytes) };
        debug_assert!(unmapped.is_ok());
    }
}
