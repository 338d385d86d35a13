//! What the loop knows of a simulation: the steps of one exchange.

use service::config::Settings;
use shm_layout::{Wait, Waited};

/// A simulation that meets the other processes in the common blocks. Nothing in a step allocates, locks or prints.
pub trait Exchange {
    /// Publishes the outputs of this step, and wakes those who sleep until then.
    fn publish(&mut self, sample_ns: u64, wait: Wait);

    /// Waits for the answer to this step. If it is late, the last one is held and the miss is counted.
    fn await_answer(&mut self, deadline_ns: u64, wait: Wait) -> Waited;

    /// Whether anybody has ever answered: simulated time begins with the first answer.
    fn has_begun(&self) -> bool;

    /// Makes the step with the answer that there is, and publishes the state.
    fn advance(&mut self);

    /// Number of the step that comes next.
    fn step(&self) -> u64;

    /// Answers that did not come in time.
    fn misses(&self) -> u64;

    /// Steps that had to refuse or clamp something.
    fn warnings(&self) -> u64;

    /// What is to be said of the last step: the bits of [`service::vehicle::status`]; 0 when all is well, and for plants.
    fn status(&self) -> u64 {
        0
    }

    /// Takes over settings that were changed. Real-time safe.
    fn take_settings(&mut self, _settings: &Settings) {}
}
