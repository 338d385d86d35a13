//! The clock of every stamp: monotonic, in nanoseconds.

use nix::time::{ClockId, clock_gettime};

/// Monotonic time now.
#[inline]
pub fn monotonic_ns() -> u64 {
    // CLOCK_MONOTONIC exists on every Linux; the call has no other way to fail.
    clock_gettime(ClockId::CLOCK_MONOTONIC)
        .map_or(0, |time| time.tv_sec() as u64 * 1_000_000_000 + time.tv_nsec() as u64)
}
