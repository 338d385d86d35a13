//! The room for unsafe code of this crate: the control calls of devices that no maintained library
//! covers. Everything that leaves it is safe.
#![allow(unsafe_code)]

pub(super) mod comedi;

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

// EVIOCSCLOCKID of linux/input.h
nix::ioctl_write_ptr!(set_clock, b'E', 0xa0, libc::c_int);

/// Input devices: asks for the monotonic clock; a device that is not asked stamps with the
/// calendar. The library that we use for everything else keeps this call to itself.
pub(super) fn stamp_with_monotonic_clock(device: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: the kernel reads one integer from a place that outlives the call; the descriptor is
    // open while it is borrowed.
    unsafe { set_clock(device.as_raw_fd(), &libc::CLOCK_MONOTONIC) }?;
    Ok(())
}
