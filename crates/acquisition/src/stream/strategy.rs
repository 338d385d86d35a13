//! What a way of taking blocks out of a pipe is to the loop.

use super::frame::FrameStamp;
use super::pipe::Pipe;
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
