//! The signal dictionary: what crosses the border of a process, declared once.
//!
//! The plain structures in [`blocks`] are what physics computes with and what lies in shared
//! memory, so that nothing is renamed or converted between a sensor and a display. Each field
//! documents itself with unit, frame, range and the value that says "not known" ([`payload`]); from
//! that follow its number and its name ([`library`]): `kinematics.wheels[2].position_m.x`. With the
//! names that only a run knows ([`names`]) and the signals for people ([`views`]) they make the
//! [`dictionary`] of that run.
//!
//! A **block** is a payload with a name and one writer; where it lies and how it is read whole is
//! the business of `shm-layout`.

// The derive macro names the traits by their full path, here as in any other crate.
extern crate self as signals;

pub mod block;
pub mod blocks;
pub mod dictionary;
pub mod library;
pub mod names;
pub mod payload;
pub mod views;

pub use block::{Block, BlockEntry, Role};
pub use dictionary::{Blocks, Dictionary, Entry};
pub use library::{Library, NUMBERS_PER_BLOCK, Signal};
pub use math::{Quaternion, Vector3};
pub use payload::{Field, Kind, Layout, Payload, Shape, Stamp};
pub use signals_derive::Layout;
