//! Take all blocks available (DAS §4.3.4): every whole block that has arrived, never a part of one.
//!
//! What is left of a block stays in a buffer of our own and not in the pipe, so that the pipe is
//! empty after each opportunity and can never fill as long as there are opportunities.
//!
//! Without headers, the remainders show whether blocks begin where we think. Let B be the places at
//! which a write of the board may end within its block: only its beginning if it writes whole
//! blocks, every beginning of a value if it writes value by value; and R the remainders of 128
//! opportunities, all modulo the size of a block:
//!
//! ```text
//! R ⊆ B                       as expected                                                   (1)
//! R − g ⊆ B for one g only    garbage went before, and blocks begin g bytes later           (2)
//! ```
//!
//! A single remainder outside of B shows whole blocks, whatever the board may do, and g is that
//! remainder. In all other cases another 128 are waited for: a reader in step with its board
//! always finds the same part of a block there, and nothing must be thrown away for that.

use super::buffer::Buffer;
use super::layout::Layout;
use super::pipe::{Arrived, Pipe};
use super::splitter::{Block, Framing, Splitter, Strategy, Transfer};
use crate::Counters;

/// The default capacity of a pipe on Linux.
const BUFFER_BYTES: usize = 64 * 1024;
/// Most bytes of one opportunity: a fast writer must not keep the loop from everything else.
const OPPORTUNITY_BYTES: usize = 1 << 20;

/// So many opportunities show where blocks begin.
const WATCHED: u32 = 128;

/// Takes every whole block that has arrived.
#[derive(Clone, Debug)]
pub struct AllBlocks {
    buffer: Buffer,
    splitter: Splitter,
    payload_bytes: usize,
    /// Whether remainders are a sign.
    watches: bool,
    /// B and R as bits, and the opportunities of R.
    expected: u128,
    seen: u128,
    watched: u32,
}

impl AllBlocks {
    /// For blocks of this size.
    pub fn new(payload_bytes: usize, framing: Framing) -> Self {
        Self {
            buffer: Buffer::new(BUFFER_BYTES),
            splitter: Splitter::new(payload_bytes, framing),
            payload_bytes,
            // As many bits as there are remainders.
            watches: framing == Framing::None && payload_bytes <= u128::BITS as usize,
            expected: 1,
            seen: 0,
            watched: 0,
        }
    }

    /// For a board that writes its values one by one, so that a part of a block is expected.
    pub fn of_values(mut self, layout: &Layout) -> Self {
        if self.watches {
            let beginnings = layout.places().iter().map(|(start, _)| 1 << start);
            self.expected = beginnings.fold(0, |expected, bit: u128| expected | bit);
        }
        self
    }

    fn watch_remainder(&mut self, counters: &mut Counters) {
        if !self.watches {
            return;
        }
        self.seen |= 1 << self.buffer.len();
        self.watched += 1;
        if self.watched == WATCHED {
            if let Some(bytes) = self.misplaced_by() {
                self.splitter.shift(bytes);
                counters.resynchronised += 1;
            }
            (self.seen, self.watched) = (0, 0);
        }
    }

    /// How many bytes later blocks begin, if the remainders say so.
    fn misplaced_by(&self) -> Option<usize> {
        if self.seen & !self.expected == 0 {
            return None; // Eq. (1)
        }
        if self.seen.count_ones() == 1 {
            return Some(self.seen.trailing_zeros() as usize);
        }
        let mut fitting = (1..self.payload_bytes).filter(|bytes| self.moved(*bytes) & !self.expected == 0);
        fitting.next().filter(|_| fitting.next().is_none()) // Eq. (2)
    }

    fn moved(&self, bytes: usize) -> u128 {
        let all = u128::MAX >> (u128::BITS as usize - self.payload_bytes);
        (self.seen >> bytes | self.seen << (self.payload_bytes - bytes)) & all
    }
}

impl Strategy for AllBlocks {
    fn take(&mut self, pipe: &mut dyn Pipe, counters: &mut Counters, each: &mut dyn FnMut(&Block<'_>)) -> Transfer {
        let mut transfer = Transfer::default();
        loop {
            let room = self.buffer.room();
            let asked = room.len();
            match pipe.look(room) {
                Arrived::Bytes(count) => {
                    self.buffer.filled(count);
                    transfer.bytes += count;
                    transfer.blocks += self.splitter.split(&mut self.buffer, counters, each);
                    // Less than asked for: the pipe is empty now, and looking again would find
                    // nothing.
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
        transfer.remainder = self.buffer.len();
        transfer
    }
}
