//! Take everything available (DAS §4.3.3): all bytes that have arrived, wherever the stream is cut.
//!
//! The last bytes are taken for the newest block. They are one only if the stream happened to be
//! cut between two blocks; otherwise the numbers are mixed up, which is why the thesis could not
//! use it.

use crate::Counters;
use crate::stream::buffer::Buffer;
use crate::stream::pipe::{Arrived, Pipe};
use crate::stream::strategy::{Block, Strategy, StrategyName, Transfer};

const BUFFER_BYTES: usize = 64 * 1024;

/// Takes all bytes, and the last ones for the newest block.
#[derive(Clone, Debug)]
pub struct Everything {
    buffer: Buffer,
    payload_bytes: usize,
}

impl Everything {
    /// For blocks of this size.
    #[must_use]
    pub fn new(payload_bytes: usize) -> Self {
        Self { buffer: Buffer::new(BUFFER_BYTES), payload_bytes }
    }
}

impl Strategy for Everything {
    fn name(&self) -> StrategyName {
        StrategyName::Everything
    }

    fn take(
        &mut self,
        pipe: &mut dyn Pipe,
        counters: &mut Counters,
        each: &mut dyn FnMut(&Block<'_>),
    ) -> Transfer {
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
        let count = arrived.len() / self.payload_bytes;
        let first = arrived.len() - count * self.payload_bytes;
        for (index, payload) in arrived[first..].chunks_exact(self.payload_bytes).enumerate() {
            each(&Block { payload, stamp: None, behind: count - 1 - index });
        }
        transfer.blocks = count;
        self.buffer.clear();
        transfer.count(first, counters)
    }
}
