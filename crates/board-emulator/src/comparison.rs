//! What a reader of the board has seen, beside the board's own record: nothing lost, nothing torn,
//! and always the newest (DAS Fig. 4.19 and 4.20).
//!
//! Let w_i be the time at which block *i* of the stream had been written, v_i its values; and for
//! opportunity *j* let a_j be the time just before the reader looked into the pipe, n_j the blocks
//! that it had taken in all when it was done, and u_j the values that were readable then:
//!
//! ```text
//! torn        u_j is the values of no block of the record                                   (1)
//! misplaced   u_j is not v_{n_j − 1}, but those of another block                            (2)
//! behind_j    the number of i ≥ n_j with w_i ≤ a_j                                          (3)
//! lost        |blocks sent − n at the end|                                                  (4)
//! ```
//!
//! (2) says that blocks were lost, doubled or exchanged on the way, at the place where it happened;
//! n counts them all, so that every block of a burst is accounted for and not only its last one.
//! (3) is strict: a block that was whole in the pipe when the reader looked must be among those
//! that it has taken, and whatever is newer than the one that is readable had not yet been written.

use std::collections::HashSet;

use super::delivery::Sent;

/// Most values of a block that are compared.
pub const VALUES_MAX: usize = 4;

/// One opportunity of a reader.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opportunity {
    /// Just before it looked (monotonic, ns).
    pub looked_ns: u64,
    /// When what it found was readable (monotonic, ns).
    pub readable_ns: u64,
    /// Blocks and bytes that it had taken by then.
    pub blocks: u64,
    /// Bytes that it had taken by then.
    pub bytes: u64,
    /// The newest values.
    pub values: [i32; VALUES_MAX],
}

/// How a reader has done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Opportunities.
    pub loops: u64,
    /// Bytes that it has taken.
    pub bytes: u64,
    /// Blocks that it has taken.
    pub blocks: u64,
    /// Opportunities at which there was something new.
    pub publications: u64,
    /// Most blocks of one opportunity.
    pub largest_burst: u64,
    /// Eq. (1).
    pub torn: u64,
    /// Eq. (2).
    pub misplaced: u64,
    /// Opportunities that were behind, Eq. (3), and by how many blocks at most.
    pub behind: u64,
    /// The most that it was behind (blocks).
    pub behind_max: u64,
    /// Eq. (4).
    pub lost: u64,
    /// Blocks that the board could not send: no room for them, or no reader.
    pub overflowed: u64,
    /// From the first to the last opportunity (s).
    pub seconds: f64,
}

impl Comparison {
    /// Compares what was seen with a record in the order of its numbers, without faults on purpose.
    pub fn new(record: &[Sent], seen: &[Opportunity]) -> Self {
        let sent: Vec<&Sent> = record.iter().filter(|block| block.times.is_some()).collect();
        let known: HashSet<&[i32]> = sent.iter().map(|block| &block.values[..]).collect();
        let mut comparison =
            Self { loops: seen.len() as u64, overflowed: record.len() as u64 - sent.len() as u64, ..Self::default() };
        let (mut before, mut written) = (0, 0);
        for opportunity in seen {
            comparison.judge(opportunity, before, &sent, &known);
            before = opportunity.blocks;
            // Times of writing rise from block to block.
            let is_written =
                |block: &&&Sent| block.times.is_some_and(|times| times.written_ns <= opportunity.looked_ns);
            written += sent[written..].iter().take_while(is_written).count();
            let behind = (written as u64).saturating_sub(opportunity.blocks); // Eq. (3)
            comparison.behind += u64::from(behind > 0);
            comparison.behind_max = comparison.behind_max.max(behind);
        }
        comparison.finish(sent.len() as u64, seen);
        comparison
    }

    fn judge(&mut self, opportunity: &Opportunity, before: u64, sent: &[&Sent], known: &HashSet<&[i32]>) {
        let new = opportunity.blocks.saturating_sub(before);
        self.publications += u64::from(new > 0);
        self.largest_burst = self.largest_burst.max(new);
        let Some(newest) = opportunity.blocks.checked_sub(1) else {
            return;
        };
        let expected = sent.get(newest as usize).map(|block| &block.values[..]);
        let width = sent.first().map_or(VALUES_MAX, |block| block.values.len().min(VALUES_MAX));
        let found = &opportunity.values[..width];
        if expected != Some(found) {
            let is_known = known.contains(found);
            self.torn += u64::from(!is_known); // Eq. (1)
            self.misplaced += u64::from(is_known); // Eq. (2)
        }
    }

    fn finish(&mut self, sent: u64, seen: &[Opportunity]) {
        if let (Some(first), Some(last)) = (seen.first(), seen.last()) {
            (self.bytes, self.blocks) = (last.bytes, last.blocks);
            self.seconds = last.readable_ns.saturating_sub(first.looked_ns) as f64 * 1e-9;
        }
        self.lost = sent.abs_diff(self.blocks); // Eq. (4)
    }

    /// Whether nothing is wrong.
    pub fn is_right(&self) -> bool {
        [self.lost, self.torn, self.misplaced, self.behind, self.overflowed] == [0; 5]
    }
}

#[cfg(test)]
mod tests;
