//! Take all blocks available (DAS §4.3.4): every whole block that has arrived, never a part of one.
//!
//! What is left of a block stays in a buffer of our own and not in the pipe, so that the pipe is empty after each opportunity and can never fill
//! as long as there are opportunities.
//!
//! A board that sends whole blocks is found in the middle of one now and then, at no place in particular. If every opportunity ends with the
//! same number of bytes too many, they are not the beginning of a block but show that garbage went before, and blocks are taken to begin behind
//! them. A stream that trickles gives no such sign: a board that sends value by value may be found in the same part of its block for long, when both
//! follow the same clock, and nothing must be thrown away then ([`AllBlocks::of_values`]). There only a header helps.

use crate::Counters;
use crate::stream::buffer::Buffer;
use crate::stream::pipe::{Arrived, Pipe};
use crate::stream::splitter::{Framing, Splitter};
use crate::stream::strategy::{Block, Strategy, StrategyName, Transfer};

/// As much as a pipe of Linux holds unless it is told otherwise.
const BUFFER_BYTES: usize = 64 * 1024;
/// Most bytes of one opportunity. A writer that is faster than we are must not keep the loop from everything else.
const OPPORTUNITY_BYTES: usize = 1 << 20;

/// So many opportunities running that end with the same remainder show that blocks begin elsewhere.
const SAME_REMAINDERS: u32 = 128;

/// Takes every whole block that has arrived.
#[derive(Clone, Debug)]
pub struct AllBlocks {
    buffer: Buffer,
    splitter: Splitter,
    /// Whether the same remainder again and again is a sign.
    watches: bool,
    remainder: usize,
    same_remainders: u32,
}

impl AllBlocks {
    /// For blocks of this size.
    #[must_use]
    pub fn new(payload_bytes: usize, framing: Framing) -> Self {
        Self {
            buffer: Buffer::new(BUFFER_BYTES),
            splitter: Splitter::new(payload_bytes, framing),
            watches: framing == Framing::None,
            remainder: 0,
            same_remainders: 0,
        }
    }

    /// For a board that sends its values one by one, so that a part of a block is nothing strange.
    #[must_use]
    pub fn of_values(mut self) -> Self {
        self.watches = false;
        self
    }

    /// Looks whether blocks begin where we think.
    #[inline]
    fn watch_remainder(&mut self, counters: &mut Counters) {
        let remainder = self.buffer.len();
        let again = remainder > 0 && remainder == self.remainder && self.watches;
        self.same_remainders = if again { self.same_remainders + 1 } else { 0 };
        self.remainder = remainder;
        if self.same_remainders >= SAME_REMAINDERS {
            self.splitter.shift(remainder);
            self.same_remainders = 0;
            counters.resynchronised += 1;
        }
    }
}

impl Strategy for AllBlocks {
    fn name(&self) -> StrategyName {
        StrategyName::AllBlocks
    }

    #[inline]
    fn take(
        &mut self,
        pipe: &mut dyn Pipe,
        counters: &mut Counters,
        each: &mut dyn FnMut(&Block<'_>),
    ) -> Transfer {
        let mut transfer = Transfer::default();
        loop {
            let room = self.buffer.room();
            let asked = room.len();
            match pipe.look(room) {
                Arrived::Bytes(count) => {
                    self.buffer.filled(count);
                    transfer.bytes += count;
                    transfer.blocks += self.splitter.split(&mut self.buffer, counters, each);
                    // Less than asked for: the pipe is empty now, and looking again would only tell us so.
                    if count < asked || transfer.bytes >= OPPORTUNITY_BYTES {
                        break;
                    }
                }
                Arrived::Nothing => break,
                Arrived::End => {
                    transfer.ended = true;
                    break;
                }
            }
        }
        if transfer.bytes > 0 {
            self.watch_remainder(counters);
        }
        transfer.count(self.buffer.len(), counters)
    }
}
