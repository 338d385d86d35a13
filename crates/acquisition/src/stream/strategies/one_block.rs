//! One block at a time (DAS §4.3.3): exactly one block at each opportunity, waiting until it is
//! there.
//!
//! The loop has the board's pace and does nothing else meanwhile; after a delay it stays behind by
//! what has piled up.

use super::piece::Piece;
use crate::Counters;
use crate::stream::pipe::Pipe;
use crate::stream::strategy::{Block, Strategy, StrategyName, Transfer};

/// Longest wait for data, and most waits for one block; the thesis set 5 ms and 10 ms
/// (`dwTimeWait`, `dwTimeOut`).
const WAIT_MS: u16 = 5;
const WAITS: u32 = 2;

/// Waits for one block, and takes it.
#[derive(Clone, Debug)]
pub struct OneBlock {
    piece: Piece,
    payload_bytes: usize,
}

impl OneBlock {
    /// For blocks of this size.
    #[must_use]
    pub fn new(payload_bytes: usize) -> Self {
        Self { piece: Piece::new(payload_bytes), payload_bytes }
    }
}

impl Strategy for OneBlock {
    fn name(&self) -> StrategyName {
        StrategyName::OneBlock
    }

    fn take(
        &mut self,
        pipe: &mut dyn Pipe,
        counters: &mut Counters,
        each: &mut dyn FnMut(&Block<'_>),
    ) -> Transfer {
        let mut transfer = Transfer::default();
        let mut waits = 0;
        loop {
            if self.piece.collect(self.payload_bytes, pipe, &mut transfer) {
                each(&Block { payload: self.piece.bytes(), stamp: None, behind: 0 });
                self.piece.restart();
                transfer.blocks = 1;
                break;
            }
            if transfer.ended || waits == WAITS {
                break;
            }
            waits += 1;
            pipe.wait(WAIT_MS);
        }
        transfer.count(self.piece.len(), counters)
    }
}
