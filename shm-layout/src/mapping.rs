//! A piece of the region in this process's memory: the one place where shared memory becomes Rust
//! references.
//!
//! Read-only and writable pages are two types: a store to a read-only page would end the process
//! with SIGSEGV, so the words of a [`ReadOnlyMapping`] have no store.
#![allow(unsafe_code)]

use std::io;
use std::num::NonZeroUsize;
use std::os::fd::AsFd;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use nix::sys::mman::{MapFlags, ProtFlags, mmap, munmap};

/// A shared word that this process may only read.
#[derive(Debug)]
#[repr(transparent)]
pub struct ReadOnlyWord(AtomicU64);

impl ReadOnlyWord {
    /// Reads the word. Relaxed, the only ordering that the standard library allows on read-only
    /// memory.
    #[inline(always)]
    pub fn load(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Where it lies, for the kernel's wait and for copies of many words.
    #[inline(always)]
    pub fn as_ptr(&self) -> *const u64 {
        self.0.as_ptr()
    }
}

/// Pages of a region that can only be read, mapped until it is dropped.
#[derive(Debug)]
pub struct ReadOnlyMapping(Pages);

impl ReadOnlyMapping {
    /// Maps a piece of the file.
    pub fn new(file: impl AsFd, offset: usize, bytes: usize) -> io::Result<Self> {
        Pages::map(file, offset, bytes, ProtFlags::PROT_READ).map(Self)
    }

    /// The mapped words.
    #[inline(always)]
    pub fn words(&self) -> &[ReadOnlyWord] {
        // SAFETY: the mapping is page-aligned, `bytes` long and lives as long as `self`; it is only
        // ever accessed as atomic words, by this process and by all others; any bit pattern is a
        // valid word.
        unsafe { std::slice::from_raw_parts(self.0.start.as_ptr().cast(), self.0.bytes / 8) }
    }
}

/// Pages of a block that this process owns and may write, mapped until it is dropped.
#[derive(Debug)]
pub struct WritableMapping(Pages);

impl WritableMapping {
    /// Maps a piece of the file.
    pub fn new(file: impl AsFd, offset: usize, bytes: usize) -> io::Result<Self> {
        Pages::map(file, offset, bytes, ProtFlags::PROT_READ | ProtFlags::PROT_WRITE).map(Self)
    }

    /// The mapped words.
    #[inline(always)]
    pub fn words(&self) -> &[AtomicU64] {
        // SAFETY: as for `ReadOnlyMapping::words`, and the pages may be written.
        unsafe { std::slice::from_raw_parts(self.0.start.as_ptr(), self.0.bytes / 8) }
    }
}

#[derive(Debug)]
struct Pages {
    start: NonNull<AtomicU64>,
    bytes: usize,
}

// SAFETY: the pages are owned, and everything that is reached through them is an atomic word.
unsafe impl Send for Pages {}
// SAFETY: as above: shared access goes through atomic words only.
unsafe impl Sync for Pages {}

impl Pages {
    fn map(file: impl AsFd, offset: usize, bytes: usize, protection: ProtFlags) -> io::Result<Self> {
        let length = NonZeroUsize::new(bytes).ok_or(io::ErrorKind::InvalidInput)?;
        let flags = MapFlags::MAP_SHARED | MapFlags::MAP_POPULATE;
        // SAFETY: the kernel chooses an address that is free, so no memory of this process is
        // replaced.
        let start = unsafe { mmap(None, length, protection, flags, file, offset as libc::off_t) }?;
        Ok(Self { start: start.cast(), bytes })
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: start and length are those of the mapping made in `map`, and no reference to it
        // outlives `self`.
        let unmapped = unsafe { munmap(self.start.cast(), self.bytes) };
        debug_assert!(unmapped.is_ok());
    }
}
