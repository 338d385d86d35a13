//! The slot protocol on the standard library's atomics with real threads, for Miri.
//!
//! Miri interprets the program, lets a relaxed load return any value that the memory model allows,
//! and switches threads by a seed. The orderings of the protocol must pass with every seed; each
//! wrong one must be caught within a few rounds of any seed. `scripts/model-check` runs this file
//! over many seeds.
//!
//! Natively only the right orderings run: x86 hardware is too strong to show what the wrong ones
//! do.

#[path = "support/model.rs"]
mod model;

use std::sync::atomic::{AtomicU64, fence};

use shm_layout::slots::Failed;

use model::{Orders, Ring, Sound, is_whole};

/// Payload words, of which a write uses two or all three.
const WORDS: usize = 3;
/// Interpreted, a few are many: the seeds make the variety.
const WRITES: u64 = if cfg!(miri) { 24 } else { 100_000 };
const READS: usize = if cfg!(miri) { 24 } else { 100_000 };
const READERS: usize = if cfg!(miri) { 1 } else { 2 };
/// How often the right orderings are tried with one seed, and a wrong one at most.
const ROUNDS: usize = 8;

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
        (1..=WRITES).for_each(|sequence| ring.write::<O>(sequence));
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
    use model::{NoAcquireFence, NoReleaseFence, RelaxedPublish};

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
