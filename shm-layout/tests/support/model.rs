//! The slot protocol on atomic words of the program's own choice (loom's or the machine's), with
//! the orderings of the protocol and with four ways to get them wrong.
//!
//! A checker that finds nothing proves nothing until it has found something: each of the wrong ones
//! is a mistake that a careful person could make, and that x86 hardware would hide for ever.
#![allow(dead_code, reason = "each checker uses its part")]

use std::marker::PhantomData;
use std::sync::atomic::Ordering;

use shm_layout::slots::{Copied, Fence, Loads, Memory, SLOT_HEADER_WORDS, Slots};

use crate::{AtomicU64, WORDS, fence};

const STRIDE: usize = SLOT_HEADER_WORDS + WORDS;

/// How the orderings that the protocol asks for are carried out.
pub trait Orders: Send + Sync + 'static {
    /// Name, as the scripts and reports have it.
    const NAME: &'static str;
    /// Step (4).
    fn store(order: Ordering) -> Ordering {
        order
    }
    /// Steps (2), (6) and (8): the fence that is left out.
    const MISSING: Option<Fence> = None;
}

/// As the protocol has them.
pub struct Sound;
/// Step (2) is missing: words of a write may be seen before its sequence number.
pub struct NoReleaseFence;
/// Step (8) is missing: the sequence number may be looked at before the words.
pub struct NoAcquireFence;
/// Step (4) is relaxed: a write may be published before its words are there.
pub struct RelaxedPublish;
/// Step (6) is missing: the words may be loaded before the write is known to be published.
pub struct NoPublishedFence;

impl Orders for Sound {
    const NAME: &'static str = "sound";
}

impl Orders for NoReleaseFence {
    const NAME: &'static str = "no-release-fence";
    const MISSING: Option<Fence> = Some(Fence::BeforeWords);
}

impl Orders for NoAcquireFence {
    const NAME: &'static str = "no-acquire-fence";
    const MISSING: Option<Fence> = Some(Fence::AfterCopy);
}

impl Orders for NoPublishedFence {
    const NAME: &'static str = "no-published-fence";
    const MISSING: Option<Fence> = Some(Fence::AfterPublished);
}

impl Orders for RelaxedPublish {
    const NAME: &'static str = "relaxed-publish";
    fn store(_order: Ordering) -> Ordering {
        Ordering::Relaxed
    }
}

/// The atomic words with these orderings.
pub struct Model<O>(PhantomData<O>);

impl<O: Orders> Loads for Model<O> {
    type Word = AtomicU64;
    fn load(word: &AtomicU64) -> u64 {
        word.load(Ordering::Relaxed)
    }
    fn fence(which: Fence) {
        if O::MISSING != Some(which) {
            fence(which.ordering());
        }
    }
}

impl<O: Orders> Memory for Model<O> {
    fn store(word: &AtomicU64, value: u64, order: Ordering) {
        word.store(value, O::store(order));
    }
}

/// A block in the checker's memory.
pub struct Ring {
    pub published: AtomicU64,
    words: Vec<AtomicU64>,
}

impl Ring {
    pub fn new(slot_count: usize) -> Self {
        let words = (0..slot_count * STRIDE).map(|_| AtomicU64::new(0)).collect();
        Self { published: AtomicU64::new(0), words }
    }

    pub fn slots<O: Orders>(&self) -> Slots<'_, Model<O>> {
        Slots { published: &self.published, words: &self.words, stride: STRIDE }
    }

    pub fn write<O: Orders>(&self, sequence: u64) {
        self.slots::<O>().write(sequence, generation(sequence), &payload(sequence)[..used_words(sequence)]);
    }
}

/// The generation says which write it came with, so that a header of another write shows.
fn generation(sequence: u64) -> u32 {
    sequence as u32 + 7
}

/// How many words write number `sequence` uses; it varies, so that the header of another write
/// shows.
fn used_words(sequence: u64) -> usize {
    WORDS - (sequence % 2) as usize
}

fn payload(sequence: u64) -> [u64; WORDS] {
    std::array::from_fn(|index| sequence * 100 + index as u64)
}

/// Whether a copy is exactly what was written.
pub fn is_whole(copied: &Copied, copy: &[u64; WORDS]) -> bool {
    let used = used_words(copied.sequence);
    copied.used_words == used
        && copied.generation == generation(copied.sequence)
        && copy[..used] == payload(copied.sequence)[..used]
}
