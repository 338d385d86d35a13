//! What the emulator has done, for its closing summary.

use std::fmt;

/// What the emulator has done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Time since the first reader came (s).
    pub elapsed_s: f64,
    /// Blocks made.
    pub made: u64,
    /// Blocks whose last byte a reader could have.
    pub sent: u64,
    /// Bytes sent.
    pub bytes: u64,
    /// Blocks for which there was no room: the reader was too slow.
    pub overflowed: u64,
    /// Blocks without a reader.
    pub unread: u64,
    /// Blocks with a wrong bit.
    pub corrupted: u64,
    /// Blocks with random bytes in them.
    pub garbage: u64,
    /// Blocks that were left out on purpose.
    pub lost: u64,
    /// Blocks that were sent twice.
    pub duplicated: u64,
    /// Times that the board measured nothing for a while.
    pub stalls: u64,
    /// Times that it closed the connection.
    pub disconnects: u64,
    /// Readers that came.
    pub readers: u64,
    /// Most bytes that waited for room.
    pub most_waiting_bytes: u64,
    /// The latest that a block was made after it was due (ns).
    pub latest_ns: u64,
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = if self.elapsed_s > 0.0 { self.sent as f64 / self.elapsed_s } else { 0.0 };
        writeln!(
            out,
            "made {} blocks in {:.3} s, sent {} ({} bytes, {rate:.1} blocks/s) to {} readers",
            self.made, self.elapsed_s, self.sent, self.bytes, self.readers
        )?;
        writeln!(
            out,
            "overflow {} blocks, no reader for {}; at most {} bytes waited; latest block {:.3} ms after its time",
            self.overflowed,
            self.unread,
            self.most_waiting_bytes,
            self.latest_ns as f64 * 1e-6
        )?;
        write!(
            out,
            "on purpose: {} corrupted, {} with garbage, {} lost, {} doubled, {} stalls, {} disconnects",
            self.corrupted, self.garbage, self.lost, self.duplicated, self.stalls, self.disconnects
        )
    }
}
