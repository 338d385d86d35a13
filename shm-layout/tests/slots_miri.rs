//! The slot protocol on the standard library's atomics with real threads, for Miri.
//!
//! Miri interprets the program, lets a relaxed load return any value that the memory model allows, and switches threads
//! by a seed: `scripts/model-check` runs this test over many seeds, once with the orderings of the protocol, where every
//! seed must pass, and once with each wrong one, where a seed must fail. Which one is said by the environment variable
//! `SLOTS_ORDERS`.
//!
//! Natively the same test runs with the right orderings only: x86 hardware is too strong to show what the wrong ones do.

#[path = "support/orders.rs"]
mod orders;

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering, fence};

use shm_layout::slots::{Copied, Failed, Memory, SLOT_HEADER_WORDS, Slots};

use orders::{NoAcquireFence, NoReleaseFence, Orders, RelaxedLook, RelaxedPublish, Sound};

const WORDS: usize = 3;
const STRIDE: usize = SLOT_HEADER_WORDS + WORDS;
/// Interpreted, a few are many: the seeds make the variety.
const WRITES: u64 = if cfg!(miri) { 40 } else { 100_000 };
const READS: usize = if cfg!(miri) { 40 } else { 100_000 };
const READERS: usize = if cfg!(miri) { 1 } else { 2 };

/// The machine's atomic words with these orderings.
struct Weakened<O>(PhantomData<O>);

impl<O: Orders> Memory for Weakened<O> {
    type Word = AtomicU64;
    fn load(word: &AtomicU64, order: Ordering) -> u64 {
        word.load(O::load(order))
    }
    fn store(word: &AtomicU64, value: u64, order: Ordering) {
        word.store(value, O::store(order));
    }
    fn fence(order: Ordering) {
        if O::fence(order) {
            fence(order);
        }
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
        Self {
            published: AtomicU64::new(0),
            words,
        }
    }

    fn slots<O: Orders>(&self) -> Slots<'_, Weakened<O>> {
        Slots {
            published: &self.published,
            words: &self.words,
            stride: STRIDE,
        }
    }
}

/// What write number `sequence` holds in word `index`.
fn value(sequence: u64, index: usize) -> u64 {
    sequence * 100 + index as u64
}

/// How many words write number `sequence` uses; it varies, so that the header of another write shows.
fn used_words(sequence: u64) -> usize {
    WORDS - (sequence % 2) as usize
}

fn write_all<O: Orders>(ring: &Ring) {
    for sequence in 1..=WRITES {
        let payload: [u64; WORDS] = std::array::from_fn(|index| value(sequence, index));
        ring.slots::<O>()
            .write(sequence, sequence as u32, &payload[..used_words(sequence)]);
    }
}

/// Holds a copy against what was written.
fn check<O: Orders>(copied: &Copied, copy: &[u64; WORDS]) {
    let sequence = copied.sequence;
    let header = copied.used_words == used_words(sequence) && u64::from(copied.generation) == sequence;
    assert!(header, "{}: torn header in {copied:?}", O::NAME);
    for (index, word) in copy[..copied.used_words].iter().enumerate() {
        assert!(
            *word == value(sequence, index),
            "{}: torn words {copy:?} in {copied:?}",
            O::NAME
        );
    }
}

/// Reads so often; every copy must be whole and none older than the one before.
fn read_all<O: Orders>(ring: &Ring) {
    let mut last = 0;
    let mut copy = [0; WORDS];
    for _ in 0..READS {
        match ring.slots::<O>().read(2, &mut copy) {
            Ok(copied) => {
                check::<O>(&copied, &copy);
                assert!(
                    copied.sequence >= last,
                    "{}: {copied:?} after write {last}",
                    O::NAME
                );
                last = copied.sequence;
            }
            Err(Failed::Empty) => assert!(last == 0, "{}: empty after write {last}", O::NAME),
            Err(Failed::Overtaken) => {}
        }
    }
}

fn run<O: Orders>(slot_count: usize) {
    let ring = Ring::new(slot_count);
    std::thread::scope(|scope| {
        for _ in 0..READERS {
            scope.spawn(|| read_all::<O>(&ring));
        }
        write_all::<O>(&ring);
    });
    // Nobody writes any more: the last write is found, at once and whole.
    let mut copy = [0; WORDS];
    let copied = ring
        .slots::<O>()
        .read(1, &mut copy)
        .expect("the writer has ended");
    assert_eq!(copied.sequence, WRITES);
    check::<O>(&copied, &copy);
}

/// One slot is overtaken at every turn; two are the least of a ring like ours.
fn run_rings<O: Orders>() {
    run::<O>(1);
    run::<O>(2);
}

#[test]
fn copies_are_whole_and_never_older() {
    let wanted = std::env::var("SLOTS_ORDERS").unwrap_or_else(|_| Sound::NAME.to_owned());
    match wanted.as_str() {
        Sound::NAME => run_rings::<Sound>(),
        NoReleaseFence::NAME => run_rings::<NoReleaseFence>(),
        NoAcquireFence::NAME => run_rings::<NoAcquireFence>(),
        RelaxedPublish::NAME => run_rings::<RelaxedPublish>(),
        RelaxedLook::NAME => run_rings::<RelaxedLook>(),
        other => panic!("SLOTS_ORDERS={other}: no such orderings"),
    }
}
