//! How a snapshot stays whole: a seqlock with published slots.
//!
//! One writer, any number of readers, no one waits. A block has [`SLOTS`] slots. Write number `s` =
//! 1, 2, 3 … goes to slot `s mod SLOTS`:
//!
//! ```text
//! writer                                         reader
//! (1) slot.sequence ← s          relaxed         (5) s ← published               relaxed
//! (2) release fence                              (6) acquire fence
//! (3) slot.words    ← payload    relaxed         (7) copy ← slot[s].words        relaxed, word by word
//! (4) published     ← s          release         (8) acquire fence
//!                                                (9) whole ⇔ slot[s].sequence = s    relaxed
//! ```
//!
//! *Only relaxed loads.* Readers map the region read-only. The standard library guarantees that an
//! atomic load from read-only memory is a plain load only if it is relaxed, so the reader orders
//! its loads by fences.
//!
//! *Nothing older.* The store (4) synchronises with the fence (6) through the load (5), so a reader
//! that saw `s` sees at least the words of write `s`. *Nothing newer.* If any word came from a
//! later write `s + k·SLOTS`, then (2)→(8) synchronise through that word and (9) sees the later
//! sequence number: the copy is thrown away. So a copy that passes (9) is write `s`, whole.
//!
//! *No waiting.* A writer that is stopped or dies between (1) and (4) has touched only the slot
//! that is furthest from being read; `published` still names a whole one. A reader fails only when
//! the writer published `SLOTS − 1` further payloads *during* the copy; it tries a bounded number
//! of times ([`ATTEMPTS`]) and then keeps its last whole copy.
//!
//! *No inheritance.* A new writer continues from `published`, never from the half-written slot:
//! nothing that a dead writer left half done can be taken for data.
//!
//! The protocol is written over [`Loads`] and [`Memory`] so that the very same code runs on the
//! hardware, under the model checker loom, and with deliberately weakened orderings which the
//! checkers must catch (`tests/slots_*.rs`).

use core::sync::atomic::{AtomicU64, Ordering, fence};

use crate::mapping::ReadOnlyWord;

/// Slots per block: the reader has the time of three whole writes to make its copy.
pub const SLOTS: usize = 4;
/// How often a reader tries before it keeps its last whole copy.
pub const ATTEMPTS: u32 = 8;
/// Words in front of a slot's payload: the sequence number, then generation and number of used
/// words.
pub const SLOT_HEADER_WORDS: usize = 2;
/// Words of a cache line; slots start on one.
pub const LINE_WORDS: usize = 8;

/// The fences of the protocol, by name so that the tests can leave out each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fence {
    /// Step (2): the sequence number is stored before any word.
    BeforeWords,
    /// Step (6): no word is loaded before the write is known to be published.
    AfterPublished,
    /// Step (8): the sequence number is checked after all words.
    AfterCopy,
}

impl Fence {
    /// How it orders memory accesses.
    #[inline(always)]
    pub const fn ordering(self) -> Ordering {
        match self {
            Self::BeforeWords => Ordering::Release,
            Self::AfterPublished | Self::AfterCopy => Ordering::Acquire,
        }
    }
}

/// Atomic words that can be read, and fences: what a reader needs. The hardware's are [`ReadOnly`];
/// the tests have others.
pub trait Loads {
    /// One shared 64-bit word.
    type Word;
    /// Reads a word, relaxed.
    fn load(word: &Self::Word) -> u64;
    /// Orders the accesses before it against those after it.
    fn fence(fence: Fence);

    /// Step (7): reads as many words as there are values, relaxed, each word whole.
    #[inline(always)]
    fn load_all(words: &[Self::Word], values: &mut [u64]) {
        for (value, word) in values.iter_mut().zip(words) {
            *value = Self::load(word);
        }
    }
}

/// Atomic words that can be written as well. The hardware's are [`Hardware`].
pub trait Memory: Loads {
    /// Writes a word.
    fn store(word: &Self::Word, value: u64, order: Ordering);

    /// Step (3): writes the values to as many words, relaxed, each word whole.
    #[inline(always)]
    fn store_all(words: &[Self::Word], values: &[u64]) {
        for (word, value) in words.iter().zip(values) {
            Self::store(word, *value, Ordering::Relaxed);
        }
    }
}

/// The machine's own atomic words in pages that this process may write.
pub struct Hardware;

impl Loads for Hardware {
    type Word = AtomicU64;
    #[inline(always)]
    fn load(word: &AtomicU64) -> u64 {
        word.load(Ordering::Relaxed)
    }
    #[inline(always)]
    fn fence(which: Fence) {
        fence(which.ordering());
    }
}

impl Memory for Hardware {
    #[inline(always)]
    fn store(word: &AtomicU64, value: u64, order: Ordering) {
        word.store(value, order);
    }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[inline(always)]
    fn store_all(words: &[AtomicU64], values: &[u64]) {
        crate::copy::store(words, values);
    }
}

/// The machine's own atomic words in pages that this process may only read.
pub struct ReadOnly;

impl Loads for ReadOnly {
    type Word = ReadOnlyWord;
    #[inline(always)]
    fn load(word: &ReadOnlyWord) -> u64 {
        word.load()
    }
    #[inline(always)]
    fn fence(which: Fence) {
        fence(which.ordering());
    }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[inline(always)]
    fn load_all(words: &[ReadOnlyWord], values: &mut [u64]) {
        crate::copy::load(words, values);
    }
}

/// Words that one slot takes for a payload of so many words.
pub const fn slot_words(payload_words: usize) -> usize {
    (SLOT_HEADER_WORDS + payload_words).next_multiple_of(LINE_WORDS)
}

/// The slots of one block and the word that names the published one.
pub struct Slots<'a, M: Loads> {
    /// Number of the last whole write; 0 before the first.
    pub published: &'a M::Word,
    /// All slots, one after the other.
    pub words: &'a [M::Word],
    /// Words of one slot.
    pub stride: usize,
}

/// A whole copy was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Which write it is.
    pub sequence: u64,
    /// Which owner of the block wrote it: 1 for the first, one more for each that took over.
    pub generation: u32,
    /// How many words of the payload are in use.
    pub used_words: usize,
    /// How many attempts it took, at least 1.
    pub attempts: u32,
}

/// Why no copy was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// Nothing has been published yet.
    Empty,
    /// The writer overtook the reader in every attempt.
    Overtaken,
}

impl<M: Loads> Slots<'_, M> {
    #[inline(always)]
    fn slot(&self, sequence: u64) -> &[M::Word] {
        let count = self.words.len() / self.stride;
        let start = (sequence % count as u64) as usize * self.stride;
        &self.words[start..start + self.stride]
    }

    /// Copies the newest whole payload, in at most `attempts` attempts.
    #[inline(always)]
    pub fn read(&self, attempts: u32, copy: &mut [u64]) -> Result<Copied, Failed> {
        let mut attempt = 0;
        while attempt < attempts {
            attempt += 1;
            let sequence = M::load(self.published); // (5)
            M::fence(Fence::AfterPublished); // (6)
            if sequence == 0 {
                return Err(Failed::Empty);
            }
            if let Some(copied) = self.copy(sequence, copy) {
                return Ok(Copied { attempts: attempt, ..copied });
            }
        }
        Err(Failed::Overtaken)
    }

    /// Copies a certain write that was published before; none where its slot has been used for a
    /// later one, as it is after `SLOTS − 1` more writes. The argument is that of [`Slots::read`]:
    /// a load (5) that saw a later write saw this one, too.
    #[inline(always)]
    pub fn read_write(&self, sequence: u64, copy: &mut [u64]) -> Option<Copied> {
        let published = M::load(self.published); // (5)
        M::fence(Fence::AfterPublished); // (6)
        (1..=published).contains(&sequence).then(|| self.copy(sequence, copy))?
    }

    #[inline(always)]
    fn copy(&self, sequence: u64, copy: &mut [u64]) -> Option<Copied> {
        let slot = self.slot(sequence);
        let header = M::load(&slot[1]);
        let used_words = (header as u32 as usize).min(copy.len());
        M::load_all(&slot[SLOT_HEADER_WORDS..], &mut copy[..used_words]); // (7)
        M::fence(Fence::AfterCopy); // (8)
        let generation = (header >> 32) as u32;
        (M::load(&slot[0]) == sequence).then_some(Copied { sequence, generation, used_words, attempts: 1 }) // (9)
    }
}

impl<M: Memory> Slots<'_, M> {
    /// Publishes the used words of a payload as write number `sequence`, which is one more than the
    /// last.
    #[inline(always)]
    pub fn write(&self, sequence: u64, generation: u32, payload: &[u64]) {
        let slot = self.begin(sequence, generation, payload.len());
        M::store_all(&slot[SLOT_HEADER_WORDS..], payload); // (3)
        M::store(self.published, sequence, Ordering::Release); // (4)
    }

    /// Steps (1) and (2) alone: marks the slot as being written. [`Slots::write`] goes on from
    /// here; a test of a writer that dies in mid-write stops here.
    #[inline(always)]
    pub fn begin(&self, sequence: u64, generation: u32, used_words: usize) -> &[M::Word] {
        let slot = self.slot(sequence);
        M::store(&slot[0], sequence, Ordering::Relaxed); // (1)
        M::fence(Fence::BeforeWords); // (2)
        M::store(&slot[1], u64::from(generation) << 32 | used_words as u64, Ordering::Relaxed);
        slot
    }
}
