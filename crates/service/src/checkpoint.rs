//! The state from which a restarted process goes on: published after every step, taken back at the start.

use shm_layout::blocks::StateVector;
use shm_layout::{Block, ClaimError, Region, Stamp, Writer};

/// The state block of one process.
pub struct Checkpoint {
    state: Box<StateVector>,
    writer: Writer<StateVector>,
    model_hash: u64,
}

impl Checkpoint {
    /// Claims the block. The fingerprint says to which model the numbers belong.
    pub fn claim(region: &Region, block: Block<StateVector>, model_hash: u64) -> Result<Self, ClaimError> {
        Ok(Self {
            state: Box::new(StateVector::default()),
            writer: region.claim(block)?,
            model_hash,
        })
    }

    /// What an earlier process of this run published; none if there is nothing, or if it belongs to another model.
    pub fn earlier(&self, region: &Region, block: Block<StateVector>) -> Option<Box<StateVector>> {
        let mut reader = region.reader(block);
        let found = reader.latest().map(|snapshot| Box::new(*snapshot.value))?;
        if found.model_hash == self.model_hash {
            Some(found)
        } else {
            tracing::warn!("the published state belongs to another model: starting from the initial state");
            None
        }
    }

    /// Publishes a state; `fill` writes the numbers and tells how many there are. Real-time safe.
    #[inline]
    pub fn publish(&mut self, stamp: Stamp, time_s: f64, fill: impl FnOnce(&mut [f64]) -> usize) {
        self.keep(stamp, time_s, true, fill);
    }

    /// Keeps a state, and publishes it if it is one to go on from.
    #[inline]
    pub fn keep(
        &mut self,
        stamp: Stamp,
        time_s: f64,
        publishes: bool,
        fill: impl FnOnce(&mut [f64]) -> usize,
    ) {
        let count = fill(&mut self.state.states);
        debug_assert!(count <= self.state.states.len(), "the state block is too small");
        self.state.state_count = count.min(self.state.states.len()) as u64;
        self.state.model_hash = self.model_hash;
        self.state.time_s = time_s;
        self.state.stamp = stamp;
        if publishes {
            self.writer.publish(&self.state);
        }
    }

    /// The numbers that were kept last.
    #[must_use]
    pub fn kept(&self) -> &[f64] {
        numbers(&self.state)
    }
}

/// The numbers of a state.
#[must_use]
pub fn numbers(state: &StateVector) -> &[f64] {
    &state.states[..(state.state_count as usize).min(state.states.len())]
}
