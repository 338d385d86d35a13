//! What the loop knows of the models: how a question is awaited and answered.

use shm_layout::{Stamp, Wait, Waited};

use crate::config::Settings;

/// Models that answer the dynamics in the common blocks. Nothing in an answer allocates, locks or prints.
pub trait Answering {
    /// Waits for a question that has not been seen.
    fn await_question(&mut self, deadline_ns: u64, wait: Wait) -> Waited;

    /// When and for which step the last question was asked.
    fn question(&self) -> Option<Stamp>;

    /// Answers the last question, if there is one; `false` while the driver's data is still being waited for.
    fn answer(&mut self, wait: Wait) -> bool;

    /// Number of the step that was answered last.
    fn step(&self) -> u64;

    /// Answers that had to do without good data.
    fn warnings(&self) -> u64;

    /// What was missing for the last answer: bits of [`missing`]; 0 when all was there.
    fn missing(&self) -> u64 {
        0
    }

    /// Takes over settings that were changed. Real-time safe.
    fn take_settings(&mut self, _settings: &Settings) {}
}

/// What an answer had to do without.
pub mod missing {
    /// The driver's data is too old.
    pub const DRIVER: u64 = 1;
    /// A subsystem of another process did not answer in time.
    pub const EXTERNAL: u64 = 1 << 1;
    /// The controller had to hold a demand or lacked an output of the plant.
    pub const SIGNAL: u64 = 1 << 2;
    /// A tyre carried a load outside the range for which its file was fitted.
    pub const TYRE_FIT: u64 = 1 << 3;
}
