//! What the loop knows of the models: how a question is awaited and answered.

use shm_layout::{Stamp, Wait, Waited};

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
}
