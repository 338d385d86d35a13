//! The store of the flight recorder: snapshots of all blocks, one behind the other in the order in
//! which they were seen, in a ring of words that is taken once. A busy hour needs no more memory
//! than its first minute.
//!
//! A snapshot is a head of three words (block and length, time, count of writes) and its payload.

use std::collections::VecDeque;

/// Words before the payload.
const HEAD: usize = 3;

/// One look at one block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Snapshot<'a> {
    /// Position of the block in the table.
    pub block: usize,
    /// When it was seen, on the monotonic clock (ns).
    pub seen_ns: u64,
    /// How many writes the block had had.
    pub sequence: u64,
    /// The payload without the zeros at its end: in two parts where it goes over the ring's end.
    parts: [&'a [u64]; 2],
}

impl<'a> Snapshot<'a> {
    /// A snapshot whose payload lies in one piece.
    pub fn new(block: usize, seen_ns: u64, sequence: u64, payload: &'a [u64]) -> Self {
        let used = payload.iter().rposition(|word| *word != 0);
        Self { block, seen_ns, sequence, parts: [&payload[..used.map_or(0, |last| last + 1)], &[]] }
    }

    /// Words up to the last that is not zero.
    pub fn used_words(&self) -> usize {
        self.parts[0].len() + self.parts[1].len()
    }

    pub fn word(&self, index: usize) -> u64 {
        let [first, second] = self.parts;
        let behind = || second.get(index - first.len());
        first.get(index).or_else(behind).copied().unwrap_or(0)
    }
}

pub struct Ring {
    words: VecDeque<u64>,
    room: usize,
}

impl Ring {
    /// A ring of so many words, all of which are touched now.
    pub fn new(room: usize) -> Self {
        // Not zero: the system would lend zeros one page at a time, later.
        let mut words = VecDeque::from(vec![u64::MAX; room]);
        words.clear();
        Self { words, room }
    }

    /// Its size, for ever.
    #[cfg(test)]
    pub fn words(&self) -> usize {
        self.words.capacity()
    }

    pub fn oldest(&self) -> Option<Snapshot<'_>> {
        self.iter().next()
    }

    pub fn drop_oldest(&mut self) {
        if let Some(used) = self.oldest().map(|oldest| oldest.used_words()) {
            self.words.drain(..HEAD + used);
        }
    }

    /// Adds a snapshot if there is room for it.
    pub fn push(&mut self, snapshot: &Snapshot) -> Result<(), Full> {
        let used = snapshot.used_words();
        if self.room - self.words.len() < HEAD + used {
            return Err(Full);
        }
        self.words.extend([(snapshot.block as u64) << 32 | used as u64, snapshot.seen_ns, snapshot.sequence]);
        snapshot.parts.into_iter().for_each(|part| self.words.extend(part));
        Ok(())
    }

    /// All snapshots, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = Snapshot<'_>> {
        let mut position = 0;
        std::iter::from_fn(move || {
            let snapshot = (position < self.words.len()).then(|| self.at(position))?;
            position += HEAD + snapshot.used_words();
            Some(snapshot)
        })
    }

    fn at(&self, position: usize) -> Snapshot<'_> {
        let [head, seen_ns, sequence] = [0, 1, 2].map(|word| self.words[position + word]);
        let (first, second) = self.words.as_slices();
        let (from, used) = (position + HEAD, (head & u64::from(u32::MAX)) as usize);
        let part = |words: &'_ [u64], before: usize| {
            let place = |word: usize| word.saturating_sub(before).min(words.len());
            place(from)..place(from + used)
        };
        let parts = [&first[part(first, 0)], &second[part(second, first.len())]];
        Snapshot { block: (head >> 32) as usize, seen_ns, sequence, parts }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub struct Full;

#[cfg(test)]
mod tests {
    use super::*;

    /// Snapshots of lengths 0 to 6 in a ring of 31 words: heads and payloads go over its end in
    /// every way.
    #[test]
    fn what_goes_in_comes_out_wherever_the_ring_ends() {
        let mut ring = Ring::new(31);
        let mut expected = std::collections::VecDeque::new();
        for number in 1..500_u64 {
            let payload: Vec<u64> = (0..number * 5 % 7).map(|word| 1000 * number + word).collect();
            let snapshot = Snapshot::new((number % 3) as usize, number, 2 * number, &payload);
            while ring.push(&snapshot) == Err(Full) {
                ring.drop_oldest();
                expected.pop_front();
            }
            expected.push_back((number, payload));
            let seen: Vec<(u64, Vec<u64>)> = ring
                .iter()
                .map(|kept| {
                    assert_eq!((kept.block as u64, kept.sequence), (kept.seen_ns % 3, 2 * kept.seen_ns));
                    assert_eq!(kept.word(kept.used_words()), 0);
                    (kept.seen_ns, (0..kept.used_words()).map(|word| kept.word(word)).collect())
                })
                .collect();
            assert_eq!(seen, Vec::from(expected.clone()));
        }
        assert!(expected.len() > 2);
    }

    #[test]
    fn what_is_larger_than_the_ring_is_refused_by_an_empty_one() {
        let mut ring = Ring::new(8);
        assert_eq!(ring.push(&Snapshot::new(0, 1, 1, &[1; 6])), Err(Full));
        assert!(ring.oldest().is_none());
        assert_eq!(ring.push(&Snapshot::new(0, 1, 1, &[1, 2, 3, 4, 5, 0])), Ok(()));
        assert_eq!(ring.oldest().unwrap().used_words(), 5);
    }
}
