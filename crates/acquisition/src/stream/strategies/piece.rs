//! Collecting exactly so many bytes, over as many opportunities as it takes.

use crate::stream::pipe::{Arrived, Pipe};
use crate::stream::strategy::Transfer;

/// A piece of known size that is being collected.
#[derive(Clone, Debug)]
pub struct Piece {
    bytes: Box<[u8]>,
    filled: usize,
}

impl Piece {
    pub fn new(capacity: usize) -> Self {
        Self { bytes: vec![0; capacity].into_boxed_slice(), filled: 0 }
    }

    /// How many bytes have been collected.
    pub fn len(&self) -> usize {
        self.filled
    }

    /// The bytes collected so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    /// Looks once into the pipe for what is missing of the first `wanted` bytes; says whether they
    /// are all there.
    pub fn collect(&mut self, wanted: usize, pipe: &mut dyn Pipe, transfer: &mut Transfer) -> bool {
        let wanted = wanted.min(self.bytes.len());
        if self.filled < wanted {
            match pipe.look(&mut self.bytes[self.filled..wanted]) {
                Arrived::Bytes(count) => {
                    self.filled += count;
                    transfer.bytes += count;
                }
                Arrived::Nothing => {}
                Arrived::End => transfer.ended = true,
            }
        }
        self.filled >= wanted
    }

    /// Begins the next one.
    pub fn restart(&mut self) {
        self.filled = 0;
    }

    /// Throws the first byte away.
    pub fn drop_first(&mut self) {
        self.bytes.copy_within(1..self.filled, 0);
        self.filled = self.filled.saturating_sub(1);
    }
}
