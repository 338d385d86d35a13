//! The state from which a restarted process goes on: published after every step, taken back at the
//! start.

use shm_layout::blocks::StateVector;
use shm_layout::{Block, ClaimError, Region, Stamp, Writer};

/// Something whose whole state is a row of numbers.
pub trait State {
    /// Writes the state and returns how many numbers it has, always the same. Called in every step.
    fn save(&self, numbers: &mut [f64]) -> usize;

    /// Takes the state back. The numbers are finite and as many as [`State::save`] gives.
    fn load(&mut self, time_s: f64, numbers: &[f64]) -> Result<(), String>;
}

/// The state block of one process.
pub struct Checkpoint {
    block: Block<StateVector>,
    state: Box<StateVector>,
    writer: Writer<StateVector>,
    model_hash: u64,
}

impl Checkpoint {
    /// Claims the block. The hash says to which model the numbers belong.
    pub fn claim(region: &Region, block: Block<StateVector>, model_hash: u64) -> Result<Self, ClaimError> {
        let writer = region.claim(block)?;
        Ok(Self { block, state: Box::new(StateVector::default()), writer, model_hash })
    }

    /// Loads what an earlier process of this run published, if it belongs to this model and is
    /// whole; returns its stamp.
    pub fn resume(&mut self, region: &Region, model: &mut impl State) -> Option<Stamp> {
        let mut reader = region.reader(self.block);
        let found = reader.latest()?.value;
        let numbers = &found.states[..(found.state_count as usize).min(found.states.len())];
        match self.load(found, numbers, model) {
            Ok(()) => {
                let (time_s, step) = (found.time_s, found.stamp.step);
                // The subsystems have no time of their own.
                let at = if time_s.is_finite() { format!(" ({time_s:.3} s)") } else { String::new() };
                tracing::info!("resuming at step {step}{at}");
                Some(found.stamp)
            }
            Err(problem) => {
                tracing::warn!("starting from the initial state: {problem}");
                None
            }
        }
    }

    fn load(&mut self, found: &StateVector, numbers: &[f64], model: &mut impl State) -> Result<(), String> {
        if found.model_hash != self.model_hash {
            return Err("the published state belongs to another model".to_owned());
        }
        let expected = model.save(&mut self.state.states);
        if numbers.len() != expected || !numbers.iter().all(|value| value.is_finite()) {
            return Err(format!("expected {expected} finite numbers, found {}", numbers.len()));
        }
        model.load(found.time_s, numbers)
    }

    /// Keeps a state without publishing it. Real-time safe.
    #[inline]
    pub fn keep(&mut self, stamp: Stamp, time_s: f64, model: &impl State) {
        let count = model.save(&mut self.state.states);
        debug_assert!(count <= self.state.states.len(), "the state block is too small");
        self.state.state_count = count.min(self.state.states.len()) as u64;
        self.state.model_hash = self.model_hash;
        self.state.time_s = time_s;
        self.state.stamp = stamp;
    }

    /// Keeps a state and publishes it. Real-time safe.
    #[inline]
    pub fn publish(&mut self, stamp: Stamp, time_s: f64, model: &impl State) {
        self.keep(stamp, time_s, model);
        self.writer.publish(&self.state);
    }

    /// The numbers that were kept last.
    #[must_use]
    pub fn kept(&self) -> &[f64] {
        &self.state.states[..(self.state.state_count as usize).min(self.state.states.len())]
    }
}
