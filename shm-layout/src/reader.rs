//! The newest whole snapshot of a block.

use std::sync::Arc;

use crate::block::offset;
use crate::mapping::{ReadOnlyMapping, ReadOnlyWord};
use crate::slots::{ATTEMPTS, Copied, Failed, ReadOnly, Slots, slot_words};
use crate::writer::{PUBLISHED, block_slots};
use signals::blocks::CATALOGUE;
use signals::{Block, Payload};

/// A whole snapshot of a block.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a, T> {
    /// The payload; the part behind the used words is zero.
    pub value: &'a T,
    /// Which write it is.
    pub sequence: u64,
    /// Which owner of the block wrote it; it rises when another process takes over.
    pub generation: u32,
    /// How many attempts the copy took.
    pub attempts: u32,
    /// The writer overtook every attempt: this is the copy of an earlier call.
    pub held: bool,
}

impl<T: Payload> Snapshot<'_, T> {
    /// How long ago it was published.
    pub fn age_ns(&self, now_ns: u64) -> u64 {
        now_ns.saturating_sub(self.value.stamp().publish_ns)
    }
}

/// A copy that begins on a cache line: no store of many bytes crosses one.
#[derive(Debug)]
#[repr(align(64))]
struct Aligned<T>(T);

/// Reads one block. Keeps two copies, so that a failed attempt never spoils the last whole one.
#[derive(Debug)]
pub struct Reader<T> {
    mapping: Arc<ReadOnlyMapping>,
    first_word: usize,
    whole: Box<Aligned<T>>,
    spare: Box<Aligned<T>>,
    whole_used: usize,
    spare_used: usize,
    /// Number of the write that `whole` is; 0 before the first.
    sequence: u64,
    generation: u32,
    attempts: u32,
}

impl<T: Payload> Reader<T> {
    pub(crate) fn new(mapping: Arc<ReadOnlyMapping>, block: Block<T>) -> Self {
        Self {
            mapping,
            first_word: offset(block.index) / 8,
            whole: Box::new(Aligned(T::zeroed())),
            spare: Box::new(Aligned(T::zeroed())),
            whole_used: 0,
            spare_used: 0,
            sequence: 0,
            generation: 0,
            attempts: 0,
        }
    }

    /// The newest whole snapshot; `None` before the first. Makes at most [`ATTEMPTS`] attempts,
    /// whatever the writer does, and allocates nothing.
    // Always inline: the copy is so short that saving registers and returning the snapshot would be
    // a third of the cost.
    #[inline(always)]
    pub fn latest(&mut self) -> Option<Snapshot<'_, T>> {
        let slots = block_slots::<ReadOnly>(&self.mapping.words()[self.first_word..], const { slot_words(T::WORDS) });
        let mut held = false;
        match slots.read(ATTEMPTS, self.spare.0.words_mut()) {
            Ok(copied) => self.accept(copied),
            Err(Failed::Empty) => {}
            Err(Failed::Overtaken) => {
                held = true;
                self.spare_used = T::WORDS;
            }
        }
        if self.sequence == 0 {
            return None;
        }
        Some(Snapshot {
            value: &self.whole.0,
            sequence: self.sequence,
            generation: self.generation,
            attempts: if held { ATTEMPTS } else { self.attempts },
            held,
        })
    }

    #[inline(always)]
    fn accept(&mut self, copied: Copied) {
        if copied.attempts > 1 {
            // An attempt that failed may have copied more words than the one that succeeded.
            self.spare_used = T::WORDS;
        }
        if self.spare_used > copied.used_words {
            self.clear_spare_from(copied.used_words);
        }
        self.spare_used = copied.used_words;
        std::mem::swap(&mut self.whole, &mut self.spare);
        std::mem::swap(&mut self.whole_used, &mut self.spare_used);
        self.sequence = copied.sequence;
        self.generation = copied.generation;
        self.attempts = copied.attempts;
    }

    /// The payload has become shorter, which is rare.
    #[cold]
    fn clear_spare_from(&mut self, used_words: usize) {
        self.spare.0.words_mut()[used_words..self.spare_used].fill(0);
    }

    /// The last snapshot that was read, without looking for a newer one.
    pub fn last(&self) -> Option<&T> {
        (self.sequence != 0).then_some(&self.whole.0)
    }

    /// Number of the write that [`Reader::last`] is; 0 before the first.
    pub fn last_sequence(&self) -> u64 {
        self.sequence
    }

    /// The word that changes with every write.
    #[inline(always)]
    pub(crate) fn published(&self) -> &ReadOnlyWord {
        &self.mapping.words()[self.first_word + PUBLISHED]
    }
}

/// Reads any block as words, for tools that find out at run time what is in it.
#[derive(Debug)]
pub struct WordReader {
    mapping: Arc<ReadOnlyMapping>,
    index: usize,
    words: Vec<u64>,
}

impl WordReader {
    pub(crate) fn new(mapping: Arc<ReadOnlyMapping>, index: usize) -> Self {
        Self { mapping, index, words: vec![0; CATALOGUE[index].payload_words] }
    }

    /// The newest whole snapshot as words, zero behind the used ones; `None` before the first or
    /// when overtaken.
    pub fn latest(&mut self) -> Option<&[u64]> {
        self.read(|slots, words| slots.read(ATTEMPTS, words).ok())
    }

    /// A certain write, which must be one of the last few; `None` where it has been overwritten. So
    /// an onlooker that is a little late misses nothing.
    pub fn write(&mut self, sequence: u64) -> Option<&[u64]> {
        self.read(|slots, words| slots.read_write(sequence, words))
    }

    fn read(&mut self, read: impl FnOnce(&Slots<'_, ReadOnly>, &mut [u64]) -> Option<Copied>) -> Option<&[u64]> {
        let block = &self.mapping.words()[offset(self.index) / 8..];
        let slots = block_slots::<ReadOnly>(block, slot_words(self.words.len()));
        let copied = read(&slots, &mut self.words)?;
        self.words[copied.used_words..].fill(0);
        Some(&self.words)
    }

    /// How many writes the block has had.
    pub fn sequence(&self) -> u64 {
        self.mapping.words()[offset(self.index) / 8 + PUBLISHED].load()
    }
}
