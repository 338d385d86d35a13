//! The ways of taking blocks out of a pipe that DAS §4.3.3 compares, to be measured beside the one
//! of the acquisition ([`AllBlocks`], DAS §4.3.4).
//!
//! | strategy | at each opportunity | what is wrong with it |
//! | --- | --- | --- |
//! | one value at a time | one number | a block takes as many opportunities as it has numbers: a loop that is not that much faster than the board falls behind for good |
//! | one block at a time | exactly one block, waiting for it | the loop has the board's pace and does nothing else meanwhile; after a delay it stays behind |
//! | take everything available | all bytes, the last ones as the newest block | they are one only if the stream happened to be cut between two blocks |
//! | take what you need | the header, then as much as it announces | two looks into the pipe for each block, and one block is all |
//! | take block if available | one block if a whole one is there | what piles up during a delay stays in the pipe, and everything after it is old |

use acquisition::Counters;
use acquisition::stream::{
    AllBlocks, Arrived, Block, Buffer, Found, Framing, HEADER_BYTES, Layout, Pipe, Strategy, Transfer, examine,
    frame_bytes,
};

/// Longest wait for data, and most waits for one block; the thesis set 5 ms and 10 ms
/// (`dwTimeWait`, `dwTimeOut`).
const WAIT_MS: u16 = 5;
const WAITS: u32 = 2;
/// The default capacity of a pipe on Linux.
const BUFFER_BYTES: usize = 64 * 1024;

/// The strategies by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    AllBlocks,
}

impl StrategyName {
    /// All of them, in the order of DAS §4.3.3 and §4.3.4.
    pub const ALL: [Self; 6] =
        [Self::OneValue, Self::OneBlock, Self::Everything, Self::WhatYouNeed, Self::BlockIfAvailable, Self::AllBlocks];

    /// In words.
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

    /// The strategy for blocks of this layout and framing. [`Self::WhatYouNeed`] expects headers
    /// whatever the framing says: it lives by them.
    pub fn strategy(self, layout: &Layout, framing: Framing) -> Box<dyn Strategy> {
        let bytes = layout.bytes();
        let ends_of_values = || layout.places().iter().map(|(offset, kind)| offset + kind.bytes()).collect();
        let pieces = |ends, pieces, waits| Piecewise::new(ends, pieces, waits);
        match self {
            Self::OneValue => Box::new(pieces(ends_of_values(), 1, 0)),
            Self::OneBlock => Box::new(pieces(vec![bytes], 1, WAITS)),
            Self::BlockIfAvailable => Box::new(pieces(vec![bytes], 1, 0)),
            Self::WhatYouNeed => {
                let ends = vec![HEADER_BYTES, frame_bytes(bytes)];
                Box::new(Piecewise { payload_bytes: Some(bytes), ..pieces(ends, 2, 0) })
            }
            Self::Everything => Box::new(Everything { buffer: Buffer::new(BUFFER_BYTES), block_bytes: bytes }),
            Self::AllBlocks => Box::new(AllBlocks::new(bytes, framing)),
        }
    }
}

/// Takes one block in pieces of known size, over as many opportunities as it takes.
struct Piecewise {
    room: Box<[u8]>,
    filled: usize,
    /// Where each piece of a block ends.
    ends: Vec<usize>,
    /// How many pieces are taken at one opportunity, and how often more is waited for.
    pieces: usize,
    waits: u32,
    /// Of blocks with headers.
    payload_bytes: Option<usize>,
}

impl Piecewise {
    fn new(ends: Vec<usize>, pieces: usize, waits: u32) -> Self {
        let room = vec![0; ends.last().copied().unwrap_or(0)].into_boxed_slice();
        Self { room, filled: 0, ends, pieces, waits, payload_bytes: None }
    }

    /// Looks into the pipe for the next pieces; whether the block is whole.
    fn collect(&mut self, pipe: &mut dyn Pipe, transfer: &mut Transfer) -> bool {
        for _ in 0..self.pieces {
            let end = self.ends.iter().copied().find(|end| *end > self.filled).unwrap_or(self.filled);
            if end > self.filled {
                match pipe.look(&mut self.room[self.filled..end]) {
                    Arrived::Bytes(count) => {
                        self.filled += count;
                        transfer.bytes += count;
                    }
                    Arrived::Nothing => {}
                    Arrived::End => transfer.ended = true,
                }
            }
            if self.filled < end {
                return false;
            }
        }
        self.filled == self.room.len()
    }

    /// Hands over the block; of bytes that are no frame the first goes. How many blocks there were.
    fn hand_over(&mut self, counters: &mut Counters, each: &mut dyn FnMut(&Block<'_>)) -> usize {
        let (payload, stamp) = match self.payload_bytes.map(|bytes| examine(&self.room, bytes)) {
            None => (&*self.room, None),
            Some(Found::Frame(stamp, payload)) => (payload, Some(stamp)),
            Some(_) => {
                counters.corrupted += 1;
                self.room.copy_within(1.., 0);
                self.filled -= 1;
                return 0;
            }
        };
        each(&Block { payload, stamp, behind: 0 });
        self.filled = 0;
        1
    }
}

impl Strategy for Piecewise {
    fn take(&mut self, pipe: &mut dyn Pipe, counters: &mut Counters, each: &mut dyn FnMut(&Block<'_>)) -> Transfer {
        let mut transfer = Transfer::default();
        let mut is_whole = self.collect(pipe, &mut transfer);
        for _ in 0..self.waits {
            if is_whole || transfer.ended {
                break;
            }
            pipe.wait(WAIT_MS);
            is_whole = self.collect(pipe, &mut transfer);
        }
        if is_whole {
            transfer.blocks = self.hand_over(counters, each);
        }
        transfer.remainder = self.filled;
        transfer
    }
}

/// Takes all bytes, and the last ones for the newest block.
struct Everything {
    buffer: Buffer,
    block_bytes: usize,
}

impl Strategy for Everything {
    fn take(&mut self, pipe: &mut dyn Pipe, _: &mut Counters, each: &mut dyn FnMut(&Block<'_>)) -> Transfer {
        let mut transfer = Transfer::default();
        match pipe.look(self.buffer.room()) {
            Arrived::Bytes(count) => {
                self.buffer.filled(count);
                transfer.bytes = count;
            }
            Arrived::Nothing => {}
            Arrived::End => transfer.ended = true,
        }
        let arrived = self.buffer.bytes();
        transfer.blocks = arrived.len() / self.block_bytes;
        transfer.remainder = arrived.len() % self.block_bytes;
        let blocks = arrived[transfer.remainder..].chunks_exact(self.block_bytes);
        for (index, payload) in blocks.enumerate() {
            each(&Block { payload, stamp: None, behind: transfer.blocks - 1 - index });
        }
        self.buffer.clear();
        transfer
    }
}

#[cfg(test)]
mod tests;
