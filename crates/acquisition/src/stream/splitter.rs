//! From bytes to whole blocks, and what a way of taking them is to the loop.

use serde::Deserialize;

use super::buffer::Buffer;
use super::frame::{self, Found, FrameStamp};
use super::pipe::Pipe;
use crate::Counters;

/// Blocks that come again are distinguished from a board that starts again by their distance.
const REPEATED_WITHIN: u32 = 16;

/// Whether blocks have headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Framing {
    /// Blocks and nothing else, as on the board of the thesis.
    #[default]
    None,
    /// Each block has a header with number and time, and a checksum.
    Header,
}

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
    /// Bytes of an unfinished block that were left.
    pub remainder: usize,
    /// The pipe has come to its end.
    pub ended: bool,
}

/// A way of taking blocks out of a pipe. The acquisition has one, [`AllBlocks`](super::AllBlocks);
/// those that it is measured beside are in the crate `board-emulator`.
pub trait Strategy: Send {
    /// Uses one opportunity: takes from the pipe what the strategy takes, and hands the blocks
    /// over, oldest first. Neither allocates nor prints; only strategies that say so wait.
    fn take(&mut self, pipe: &mut dyn Pipe, counters: &mut Counters, each: &mut dyn FnMut(&Block<'_>)) -> Transfer;
}

/// Cuts bytes into blocks. What is left is kept for the next time.
#[derive(Clone, Debug)]
pub struct Splitter {
    payload_bytes: usize,
    framing: Framing,
    /// Bytes still to be thrown away before the next block begins.
    shift: usize,
    last: Option<u32>,
    searching: bool,
}

impl Splitter {
    /// For blocks of this size.
    pub fn new(payload_bytes: usize, framing: Framing) -> Self {
        Self { payload_bytes, framing, shift: 0, last: None, searching: false }
    }

    /// Blocks begin so many bytes later than was thought.
    pub fn shift(&mut self, bytes: usize) {
        self.shift += bytes;
    }

    /// Hands over every whole block in the buffer; returns how many.
    pub fn split(&mut self, buffer: &mut Buffer, counters: &mut Counters, each: &mut dyn FnMut(&Block<'_>)) -> usize {
        if self.shift > 0 {
            let now = self.shift.min(buffer.len());
            buffer.consume(now);
            self.shift -= now;
        }
        match self.framing {
            Framing::None => self.split_plain(buffer, each),
            Framing::Header => self.split_framed(buffer, counters, each),
        }
    }

    fn split_plain(&mut self, buffer: &mut Buffer, each: &mut dyn FnMut(&Block<'_>)) -> usize {
        let blocks = buffer.bytes().chunks_exact(self.payload_bytes);
        let count = blocks.len();
        for (index, payload) in blocks.enumerate() {
            each(&Block { payload, stamp: None, behind: count - 1 - index });
        }
        buffer.consume(count * self.payload_bytes);
        count
    }

    fn split_framed(
        &mut self,
        buffer: &mut Buffer,
        counters: &mut Counters,
        each: &mut dyn FnMut(&Block<'_>),
    ) -> usize {
        let whole = frame::frame_bytes(self.payload_bytes);
        let mut blocks = 0;
        while !buffer.is_empty() {
            let used = match frame::examine(buffer.bytes(), self.payload_bytes) {
                Found::Unfinished => break,
                Found::Frame(stamp, payload) => {
                    self.searching = false;
                    if self.is_new(stamp, counters) {
                        let behind = buffer.len() / whole - 1;
                        each(&Block { payload, stamp: Some(stamp), behind });
                        blocks += 1;
                    }
                    whole
                }
                Found::Broken => {
                    counters.corrupted += 1;
                    self.search(buffer, counters)
                }
                Found::Nothing => self.search(buffer, counters),
            };
            buffer.consume(used);
        }
        blocks
    }

    /// How far to go to the next byte at which a frame may begin.
    fn search(&mut self, buffer: &Buffer, counters: &mut Counters) -> usize {
        counters.resynchronised += u64::from(!self.searching);
        self.searching = true;
        let rest = &buffer.bytes()[1..];
        let next = rest.iter().position(|byte| *byte == frame::MAGIC[0]);
        1 + next.unwrap_or(rest.len())
    }

    /// Judges a block by its number.
    fn is_new(&mut self, stamp: FrameStamp, counters: &mut Counters) -> bool {
        let Some(last) = self.last else {
            self.last = Some(stamp.sequence);
            return true;
        };
        if last.wrapping_sub(stamp.sequence) < REPEATED_WITHIN {
            counters.duplicated += 1;
            return false;
        }
        let missing = stamp.sequence.wrapping_sub(last).wrapping_sub(1);
        if missing <= u32::MAX / 2 {
            counters.lost += u64::from(missing);
        } else {
            // Further back than any repetition: the board has started again.
            counters.resynchronised += 1;
        }
        self.last = Some(stamp.sequence);
        true
    }
}
