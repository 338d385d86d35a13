//! The board's own memory: blocks that wait for room in the pipe. When it is full as well, new
//! blocks are lost, as on the board.

use std::collections::VecDeque;

use super::super::processor::Block;
use super::faults::Outcome;
use super::outlet::Outlet;

/// A block that waits.
pub(crate) struct Entry {
    pub(crate) block: Block,
    pub(crate) done: Outcome,
    /// Where its bytes end, counted from the beginning of the stream.
    end: u64,
}

/// Blocks that wait, and their bytes. The bytes of the last block may still be on their way from
/// the processor.
pub(crate) struct Queue {
    entries: VecDeque<Entry>,
    bytes: VecDeque<u8>,
    /// Bytes of the last block that are still to come.
    owed: usize,
    /// Bytes that have left so far.
    left: u64,
    most_bytes: usize,
}

impl Queue {
    pub(crate) fn new(most_bytes: usize) -> Self {
        Self { entries: VecDeque::new(), bytes: VecDeque::new(), owed: 0, left: 0, most_bytes }
    }

    /// Whether so many bytes more can wait.
    pub(crate) fn has_room(&self, bytes: usize) -> bool {
        self.bytes.len() + bytes <= self.most_bytes
    }

    /// Begins a block of so many bytes. They follow.
    pub(crate) fn begin(&mut self, block: Block, done: Outcome, bytes: usize) {
        let end = self.left + (self.bytes.len() + bytes) as u64;
        self.entries.push_back(Entry { block, done, end });
        self.owed = bytes;
    }

    /// The next bytes of the block that was begun; nothing if it has been forgotten since.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        if bytes.len() <= self.owed {
            self.bytes.extend(bytes);
            self.owed -= bytes.len();
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn waiting_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Writes as much as there is room for and hands over the blocks whose last byte has gone.
    pub(crate) fn send(&mut self, outlet: &mut Outlet, mut sent: impl FnMut(Entry)) -> usize {
        let mut total = 0;
        while !self.bytes.is_empty() {
            let (first, _) = self.bytes.as_slices();
            let count = outlet.write(first);
            self.bytes.drain(..count);
            self.left += count as u64;
            total += count;
            if count == 0 {
                break;
            }
        }
        while self.entries.front().is_some_and(|entry| entry.end <= self.left) {
            sent(self.entries.pop_front().expect("there is one"));
        }
        total
    }

    /// Forgets everything that waits and hands it over: the connection is gone, and with it half a
    /// block perhaps.
    pub(crate) fn clear(&mut self, lost: impl FnMut(Entry)) {
        self.left += self.bytes.len() as u64;
        self.bytes.clear();
        self.owed = 0;
        self.entries.drain(..).for_each(lost);
    }
}
