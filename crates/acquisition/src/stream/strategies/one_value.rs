//! One value at a time (DAS §4.3.3): one number at each opportunity.
//!
//! A block takes as many opportunities as it has numbers. A loop that is not that much faster than
//! the board falls behind for good.

use super::piece::Piece;
use crate::Counters;
use crate::stream::Layout;
use crate::stream::pipe::Pipe;
use crate::stream::strategy::{Block, Strategy, StrategyName, Transfer};

/// Takes one number at each opportunity.
#[derive(Clone, Debug)]
pub struct OneValue {
    piece: Piece,
    /// Where each number of the block ends.
    ends: Vec<usize>,
}

impl OneValue {
    /// For blocks of this layout.
    #[must_use]
    pub fn new(layout: &Layout) -> Self {
        let ends = layout.places().iter().map(|(offset, kind)| offset + kind.bytes());
        Self { piece: Piece::new(layout.bytes()), ends: ends.collect() }
    }
}

impl Strategy for OneValue {
    fn name(&self) -> StrategyName {
        StrategyName::OneValue
    }

    fn take(
        &mut self,
        pipe: &mut dyn Pipe,
        counters: &mut Counters,
        each: &mut dyn FnMut(&Block<'_>),
    ) -> Transfer {
        let mut transfer = Transfer::default();
        let have = self.piece.len();
        let wanted = self.ends.iter().copied().find(|end| *end > have).unwrap_or(0);
        let whole = self.ends.last().copied().unwrap_or(0);
        if self.piece.collect(wanted, pipe, &mut transfer) && wanted == whole {
            each(&Block { payload: self.piece.bytes(), stamp: None, behind: 0 });
            self.piece.restart();
            transfer.blocks = 1;
        }
        transfer.count(self.piece.len(), counters)
    }
}
