//! The common blocks: what the processes of one instance share, and how.
//!
//! A **block** is what a Fortran common block was: a name, a fixed layout, direct access to its
//! fields and a consistent snapshot. All blocks of an instance live in one **region** of shared
//! memory. Each block has exactly one writer process and any number of readers; a reader never
//! waits for a writer.
//!
//! What a block may hold and what our blocks hold is declared in [`signals`]. Reading order for a
//! newcomer: [`slots`] (how a snapshot stays whole), [`region`] (where it all lives and who may
//! write), [`wait`] (lock-step).
//!
//! ```
//! use shm_layout::{RegionName, Region, blocks};
//! # let directory = tempfile::tempdir().unwrap();
//! # let name = RegionName::in_directory(directory.path(), "example").unwrap();
//! let region = Region::create(&name, None)?;
//! let mut writer = region.claim(blocks::DRIVER)?;
//! let mut driver = blocks::DriverInput::default();
//! driver.throttle_ratio = 0.5;
//! writer.publish(&driver);
//!
//! let mut reader = region.reader(blocks::DRIVER);
//! assert_eq!(reader.latest().unwrap().value.throttle_ratio, 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod block;
pub mod clock;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod copy;
pub mod error;
mod file;
mod futex;
pub mod header;
mod lock;
mod mapping;
pub mod name;
pub mod reader;
pub mod region;
mod shortened;
pub mod slots;
pub mod status;
mod trust;
pub mod wait;
pub mod writer;

pub use ::signals;
pub use error::{ClaimError, RegionError};
pub use name::RegionName;
pub use reader::{Reader, Snapshot};
pub use region::Region;
pub use signals::{Block, BlockEntry, Field, Kind, Layout, Payload, Role, Shape, Stamp, blocks, payload};
pub use status::BlockStatus;
pub use wait::{Wait, Waited};
pub use writer::Writer;
