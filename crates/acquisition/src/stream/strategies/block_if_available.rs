//! Take block if available (DAS §4.3.3): one block if a whole one has arrived, else nothing.
//!
//! It never waits and never tears, but it takes no more than one: what piles up during a delay
//! stays in the pipe, and everything after it is old.

use super::piece::Piece;
use crate::Counters;
use crate::stream::pipe::Pipe;
use crate::stream::strategy::{Block, Strategy, StrategyName, Transfer};

/// Takes one block if a whole one is there.
#[derive(Clone, Debug)]
pub struct BlockIfAvailable {
    piece: Piece,
    payload_bytes: usize,
}

impl BlockIfAvailable {
    /// For blocks of this size.
    #[must_use]
    pub fn new(payload_bytes: usize) -> Self {
        Self { piece: Piece::new(payload_bytes), payload_bytes }
    }
}

impl Strategy for BlockIfAvailable {
    fn name(&self) -> StrategyName {
        StrategyName::BlockIfAvailable
    }

    fn take(
        &mut self,
        pipe: &mut dyn Pipe,
        counters: &mut Counters,
        each: &mut dyn FnMut(&Block<'_>),
    ) -> Transfer {
        let mut transfer = Transfer::default();
        if self.piece.collect(self.payload_bytes, pipe, &mut transfer) {
            each(&Block { payload: self.piece.bytes(), stamp: None, behind: 0 });
            self.piece.restart();
            transfer.blocks = 1;
        }
        transfer.count(self.piece.len(), counters)
    }
}
