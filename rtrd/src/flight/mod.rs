//! The flight recorder: the last seconds of every block, kept in memory by an observer and written
//! down when a process dies.
//!
//! It does to the instance what every observer does: nothing. It takes no lock and runs at ordinary
//! priority, so what it keeps of a fast block is a sample of it, and the report names its own pace.

mod folder;
mod memory;
mod recording;
mod report;
mod ring;

pub use folder::Folder;
pub use recording::Recording;
pub use report::REPORT_FILE;
