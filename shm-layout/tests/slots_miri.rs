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

use shm_layout::slots::{Failed, Memory, SLOT_HEADER_WORDS, Slots};

use orders::{NoAcquireFence, NoReleaseFence, Orders, RelaxedLook, RelaxedPublish, Sound};

const WORDS: usize = 3;
const STRIDE: usize = SLOT_HEADER_WORDS + WORDS;
const SLOT_COUNT: usize = 2;
const READERS: usize = 2;
/// Interpreted, a few are many: the seeds make the variety.
const WRITES: u64 = if cfg!(miri) { 12 } else { 100_000 };
const READS: usize = if cfg!(miri) { 12 } else { 100_000 };

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
    fn new() -> Self {
        let words = (0..SLOT_COUNT * STRIDE).map(|_| AtomicU64::new(0)).collect();
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

/// What write number `sequence` holds. Its length varies, so that a header of another write shows.
fn payload(sequence: u64) -> Vec<u64> {
    (0..2 + sequence % 2)
        .map(|index| sequence * 100 + index)
        .collect()
}

fn write_all<O: Orders>(ring: &Ring) {
    for sequence in 1..=WRITES {
        ring.slots::<O>()
            .write(sequence, sequence as u32, &payload(sequence));
    }
}

/// Reads so often; every copy must be whole and none older than the one before. Returns how many were whole.
fn read_all<O: Orders>(ring: &Ring) -> usize {
    let mut last = 0;
    let mut whole = 0;
    for _ in 0..READS {
        let mut copy = [0; WORDS];
        match ring.slots::<O>().read(2, &mut copy) {
            Ok(copied) => {
                let found = &copy[..copied.used_words];
                assert_eq!(
                    found,
                    payload(copied.sequence),
                    "{}: torn read of write {}",
                    O::NAME,
                    copied.sequence
                );
                assert_eq!(
                    u64::from(copied.generation),
                    copied.sequence,
                    "{}: torn header",
                    O::NAME
                );
                assert!(
                    copied.sequence >= last,
                    "{}: {} after {last}",
                    O::NAME,
                    copied.sequence
                );
                last = copied.sequence;
                whole += 1;
            }
            Err(Failed::Empty) => assert_eq!(last, 0, "{}: empty after write {last}", O::NAME),
            Err(Failed::Overtaken) => {}
        }
    }
    whole
}

fn run<O: Orders>() {
    let ring = Ring::new();
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS)
            .map(|_| scope.spawn(|| read_all::<O>(&ring)))
            .collect();
        scope.spawn(|| write_all::<O>(&ring));
        for reader in readers {
            reader.join().unwrap();
        }
    });
    // Nobody writes any more: the last write is found, at once and whole.
    let mut copy = [0; WORDS];
    let copied = ring
        .slots::<O>()
        .read(1, &mut copy)
        .expect("the writer has ended");
    assert_eq!(
        (copied.sequence, &copy[..copied.used_words]),
        (WRITES, &payload(WRITES)[..])
    );
}

#[test]
fn copies_are_whole_and_never_older() {
    let wanted = std::env::var("SLOTS_ORDERS").unwrap_or_else(|_| Sound::NAME.to_owned());
    match wanted.as_str() {
        Sound::NAME => run::<Sound>(),
        NoReleaseFence::NAME => run::<NoReleaseFence>(),
        NoAcquireFence::NAME => run::<NoAcquireFence>(),
        RelaxedPublish::NAME => run::<RelaxedPublish>(),
        RelaxedLook::NAME => run::<RelaxedLook>(),
        other => panic!("SLOTS_ORDERS={other}: no such orderings"),
    }
}
