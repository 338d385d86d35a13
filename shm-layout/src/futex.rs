//! Sleeping until a shared word changes, with an absolute deadline.
//!
//! The futex is of the shared kind (the private kind does not cross processes) and waits on the low
//! half of a 64-bit word. Waiting needs no right to write: it works through a read-only mapping.
#![allow(unsafe_code)]

use std::io;

const _: () = assert!(cfg!(target_endian = "little"), "the low half of a word must come first");

/// Sleeps while the low half of the word has this value, until woken, interrupted, or the deadline
/// (monotonic) passes. The caller looks at the word again in any case: a wake-up may have been
/// meant for an earlier change. `false` if there is no use in sleeping again: a signal came, or the
/// deadline has passed.
pub fn wait(word: *const u64, low_half: u32, deadline_ns: u64) -> bool {
    let deadline = libc::timespec {
        tv_sec: (deadline_ns / 1_000_000_000) as libc::time_t,
        tv_nsec: (deadline_ns % 1_000_000_000) as libc::c_long,
    };
    // SAFETY: the kernel checks the address itself (EFAULT) and only reads there; the deadline
    // lives on this stack; FUTEX_WAIT_BITSET takes an absolute time on the monotonic clock and
    // writes to neither.
    let woken = unsafe {
        libc::syscall(
            libc::SYS_futex,
            word,
            libc::FUTEX_WAIT_BITSET,
            low_half,
            &raw const deadline,
            std::ptr::null::<u32>(),
            libc::FUTEX_BITSET_MATCH_ANY,
        )
    };
    // EAGAIN: the word had changed before we slept.
    woken == 0 || io::Error::last_os_error().raw_os_error() == Some(libc::EAGAIN)
}

/// Wakes everyone who sleeps on the word.
pub fn wake_all(word: *const u64) {
    // SAFETY: FUTEX_WAKE does not access what the address points to.
    unsafe {
        libc::syscall(libc::SYS_futex, word, libc::FUTEX_WAKE, i32::MAX);
    }
}
