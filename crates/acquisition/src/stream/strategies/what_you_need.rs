//! Take what you need (DAS §4.3.3): the tag first, then as much as it announces.
//!
//! It suits small tagged blocks of different sizes. Each block takes two looks into the pipe, and
//! one block is all that an opportunity gives.

use super::piece::Piece;
use crate::Counters;
use crate::stream::frame::{Found, HEADER_BYTES, examine, frame_bytes};
use crate::stream::pipe::Pipe;
use crate::stream::strategy::{Block, Strategy, StrategyName, Transfer};

/// Takes one tagged block at each opportunity.
#[derive(Clone, Debug)]
pub struct WhatYouNeed {
    piece: Piece,
    payload_bytes: usize,
}

impl WhatYouNeed {
    /// For payloads of this size.
    #[must_use]
    pub fn new(payload_bytes: usize) -> Self {
        Self { piece: Piece::new(frame_bytes(payload_bytes)), payload_bytes }
    }
}

impl Strategy for WhatYouNeed {
    fn name(&self) -> StrategyName {
        StrategyName::WhatYouNeed
    }

    fn take(
        &mut self,
        pipe: &mut dyn Pipe,
        counters: &mut Counters,
        each: &mut dyn FnMut(&Block<'_>),
    ) -> Transfer {
        let mut transfer = Transfer::default();
        let whole = frame_bytes(self.payload_bytes);
        if self.piece.collect(HEADER_BYTES, pipe, &mut transfer)
            && self.piece.collect(whole, pipe, &mut transfer)
        {
            match examine(self.piece.bytes(), self.payload_bytes) {
                Found::Frame(stamp, payload) => {
                    each(&Block { payload, stamp: Some(stamp), behind: 0 });
                    transfer.blocks = 1;
                    self.piece.restart();
                }
                _ => {
                    counters.corrupted += 1;
                    self.piece.drop_first();
                }
            }
        }
        transfer.count(self.piece.len(), counters)
    }
}
