//! The room for unsafe code of this crate: the control calls of devices that no maintained library
//! covers. Everything that leaves it is safe.
#![allow(unsafe_code)]

pub(super) mod comedi;
mod input;

pub(super) use input::stamp_with_monotonic_clock;
