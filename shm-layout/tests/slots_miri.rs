//! The slot protocol on the standard library's atomics with real threads, for Miri.
//!
//! Miri interprets the program, lets a relaxed load return any value that the memory model allows,
//! and switches threads by a seed. The orderings of the protocol must pass with every seed; each
//! wrong one must be caught within a few rounds of any seed. `scripts/model-check` runs this file
//! over many seeds.
//!
//! Natively only the right orderings run: x86 hardware is too strong to show what the wrong ones
//! do.

#[path = "support/orders.rs"]
mod orders;

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering, fence};

use shm_layout::slots::{Copied, Failed, Fence, Loads, Memory, SLOT_HEADER_WORDS, Slots};

use orders::{Orders, Sound};

const WORDS: usize = 3;
const STRIDE: usize = SLOT_HEADER_WORDS + WORDS;
/// Interpreted, a few are many: the seeds make the variety.
const WRITES: u64 = if cfg!(miri) { 24 } else { 100_000 };
const READS: usize = if cfg!(miri) { 24 } else { 100_000 };
const READERS: usize = if cfg!(miri) { 1 } else { 2 };
/// How often the right orderings are tried with one seed, and a wrong one at most.
const ROUNDS: usize = 8;

/// The machine's atomic words with these orderings.
struct Weakened<O>(PhantomData<O>);

impl<O: Orders> Loads for Weakened<O> {
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

impl<O: Orders> Memory for Weakened<O> {
    fn store(word: &AtomicU64, value: u64, order: Ordering) {
        word.store(value, O::store(order));
    }
}

/// A block in this process's memory.
struct Ring {
    published: AtomicU64,
    words: Vec<AtomicU64>,
}

impl Ring {
    fn new(slot_count: usize) -> Self {
        let words = (0..slot_count * STRIDE).map(|_| AtomicU64::new(0)).collect();
        Self { published: AtomicU64::new(0), words }
    }

    fn slots<O: Orders>(&self) -> Slots<'_, Weakened<O>> {
        Slots { published: &self.published, words: &self.words, stride: STRIDE }
    }
}

/// What write number `sequence` holds in word `index`.
fn value(sequence: u64, index: usize) -> u64 {
    sequence * 100 + index as u64
}

/// How many words write number `sequence` uses; it varies, so that the header of another write
/// shows.
fn used_words(sequence: u64) -> usize {
    WORDS - (sequence % 2) as usize
}

fn write_all<O: Orders>(ring: &Ring) {
    for sequence in 1..=WRITES {
        let payload: [u64; WORDS] = std::array::from_fn(|index| value(sequence, index));
        ring.slots::<O>().write(sequence, sequence as u32, &payload[..used_words(sequence)]);
    }
}

/// Whether a copy is exactly what was written.
fn is_whole(copied: &Copied, copy: &[u64; WORDS]) -> bool {
    let sequence = copied.sequence;
    copied.used_words == used_words(sequence)
        && u64::from(copied.generation) == sequence
        && copy[..copied.used_words].iter().enumerate().all(|(index, word)| *word == value(sequence, index))
}

/// Reads so often. Every copy must be whole, and none older than the one before; returns the first
/// that is not.
fn read_all<O: Orders>(ring: &Ring) -> Result<(), String> {
    let mut last = 0;
    let mut copy = [0; WORDS];
    for _ in 0..READS {
        match ring.slots::<O>().read(2, &mut copy) {
            Ok(copied) if !is_whole(&copied, &copy) => return Err(format!("torn {copy:?} in {copied:?}")),
            Ok(copied) if copied.sequence < last => return Err(format!("{copied:?} after write {last}")),
            Ok(copied) => last = copied.sequence,
            Err(Failed::Empty) if last > 0 => return Err(format!("empty after write {last}")),
            Err(Failed::Empty | Failed::Overtaken) => {}
        }
    }
    Ok(())
}

/// One writer beside the readers, until all have done their part.
fn run<O: Orders>(slot_count: usize) -> Result<(), String> {
    let ring = Ring::new(slot_count);
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS).map(|_| scope.spawn(|| read_all::<O>(&ring))).collect();
        write_all::<O>(&ring);
        readers.into_iter().try_for_each(|reader| reader.join().unwrap())
    })?;
    // Nobody writes any more: the last write is found, at once and whole.
    let mut copy = [0; WORDS];
    let copied = ring.slots::<O>().read(1, &mut copy).map_err(|failed| format!("{failed:?} at the end"))?;
    let right = copied.sequence == WRITES && is_whole(&copied, &copy);
    if right { Ok(()) } else { Err(format!("{copy:?} in {copied:?} at the end")) }
}

/// One slot is overtaken at every turn; two are the least of a ring like ours.
#[test]
fn copies_are_whole_and_never_older() {
    for round in 0..ROUNDS {
        let slot_count = 1 + round % 2;
        assert_eq!(run::<Sound>(slot_count), Ok(()), "with {slot_count} slots in round {round}");
    }
}

/// Each of these tests passes if Miri catches the wrong ordering.
#[cfg(miri)]
mod caught {
    use super::*;
    use orders::{NoAcquireFence, NoReleaseFence, RelaxedPublish};

    fn assert_caught<O: Orders>() {
        let round = (1..=ROUNDS).find_map(|round| Some((round, run::<O>(1).err()?)));
        let (round, violation) = round.unwrap_or_else(|| panic!("{} passed {ROUNDS} rounds", O::NAME));
        println!("{}: caught in round {round}: {violation}", O::NAME);
    }

    #[test]
    fn no_release_fence() {
        assert_caught::<NoReleaseFence>();
    }

    #[test]
    fn no_acquire_fence() {
        assert_caught::<NoAcquireFence>();
    }

    #[test]
    fn relaxed_publish() {
        assert_caught::<RelaxedPublish>();
    }

    #[test]
    fn no_published_fence() {
        assert_caught::<NoPublishedFence>();
    }
}
