//! What every way of taking blocks out of a pipe is to the loop.

use serde::Deserialize;

use super::frame::FrameStamp;
use super::pipe::Pipe;
use super::splitter::Framing;
use super::{AllBlocks, BlockIfAvailable, Everything, Layout, OneBlock, OneValue, WhatYouNeed};
use crate::Counters;

/// One block, as a strategy hands it over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// Its numbers, still as bytes.
    pub payload: &'a [u8],
    /// What its header says, if it has one.
    pub stamp: Option<FrameStamp>,
    /// How many more blocks are at hand behind this one.
    pub behind: usize,
}

/// What one opportunity has given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transfer {
    /// Bytes taken out of the pipe.
    pub bytes: usize,
    /// Blocks handed over.
    pub blocks: usize,
    /// The pipe has come to its end.
    pub ended: bool,
}

impl Transfer {
    /// Counts an opportunity that has left this many bytes of an unfinished block.
    #[inline]
    pub(super) fn count(self, remainder: usize, counters: &mut Counters) -> Self {
        let blocks = self.blocks as u64;
        counters.blocks += blocks;
        counters.bytes += self.bytes as u64;
        counters.empty_reads += u64::from(self.bytes == 0);
        counters.bursts += u64::from(blocks > 1);
        counters.largest_burst = counters.largest_burst.max(blocks);
        counters.remainders += u64::from(self.bytes > 0 && remainder > 0);
        self
    }
}

/// A way of taking blocks out of a pipe.
pub trait Strategy: Send {
    /// What DAS §4.3.3 calls it.
    fn name(&self) -> StrategyName;

    /// Uses one opportunity: takes from the pipe what the strategy takes, and hands the blocks
    /// over, oldest first. Neither allocates nor prints; only strategies that say so wait.
    fn take(
        &mut self,
        pipe: &mut dyn Pipe,
        counters: &mut Counters,
        each: &mut dyn FnMut(&Block<'_>),
    ) -> Transfer;
}

/// The strategies by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StrategyName {
    /// One number at each opportunity.
    OneValue,
    /// Exactly one block at each opportunity, waiting for it.
    OneBlock,
    /// All bytes; the last ones are taken for the newest block.
    Everything,
    /// The header first, then as much as it announces.
    WhatYouNeed,
    /// One block if a whole one is there.
    BlockIfAvailable,
    /// Every whole block that is there.
    #[default]
    AllBlocks,
}

impl StrategyName {
    /// All of them, in the order of DAS §4.3.3 and §4.3.4.
    pub const ALL: [Self; 6] = [
        Self::OneValue,
        Self::OneBlock,
        Self::Everything,
        Self::WhatYouNeed,
        Self::BlockIfAvailable,
        Self::AllBlocks,
    ];

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::OneValue => "one value at a time",
            Self::OneBlock => "one block at a time",
            Self::Everything => "take everything available",
            Self::WhatYouNeed => "take what you need",
            Self::BlockIfAvailable => "take block if available",
            Self::AllBlocks => "take all blocks available",
        }
    }

    /// The strategy for blocks of this layout and framing. [`WhatYouNeed`] expects headers whatever
    /// the framing says: it lives by them.
    #[must_use]
    pub fn strategy(self, layout: &Layout, framing: Framing) -> Box<dyn Strategy> {
        let bytes = layout.bytes();
        match self {
            Self::OneValue => Box::new(OneValue::new(layout)),
            Self::OneBlock => Box::new(OneBlock::new(bytes)),
            Self::Everything => Box::new(Everything::new(bytes)),
            Self::WhatYouNeed => Box::new(WhatYouNeed::new(bytes)),
            Self::BlockIfAvailable => Box::new(BlockIfAvailable::new(bytes)),
            Self::AllBlocks => Box::new(AllBlocks::new(bytes, framing)),
        }
    }
}
