//! The slot protocol under the model checker loom.
//!
//! Loom runs the very code of `slots.rs` through every interleaving of its atomic operations, and
//! at each relaxed load through every value that the memory model allows. A violation is counted,
//! not raised, so that a whole exploration ends in one number: 0 for the protocol, more than 0 for
//! a wrong one.

#[path = "support/model.rs"]
mod model;

use std::sync::Arc as StdArc;
use std::sync::atomic::{AtomicUsize, Ordering};

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, fence};
use loom::thread;
use shm_layout::slots::{Failed, Memory, SLOT_HEADER_WORDS};

use model::{Model, NoAcquireFence, NoPublishedFence, NoReleaseFence, Orders, RelaxedPublish, Ring, Sound, is_whole};

/// Payload words of the model, of which a write uses one or both; two are enough to be torn.
const WORDS: usize = 2;

/// What an exploration found.
#[derive(Clone, Debug, Default)]
struct Findings {
    executions: StdArc<AtomicUsize>,
    whole: StdArc<AtomicUsize>,
    overtaken: StdArc<AtomicUsize>,
    violations: StdArc<AtomicUsize>,
}

impl Findings {
    fn count(counter: &AtomicUsize) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    fn violations(&self) -> usize {
        self.violations.load(Ordering::Relaxed)
    }

    /// Reads so many times and holds every copy against what was written; `floor` is known to be
    /// published.
    fn read<O: Orders>(&self, ring: &Ring, reads: usize, attempts: u32, mut floor: u64) {
        for _ in 0..reads {
            let mut copy = [0; WORDS];
            match ring.slots::<O>().read(attempts, &mut copy) {
                Ok(copied) => {
                    let newer = copied.sequence >= floor;
                    Self::count(if is_whole(&copied, &copy) && newer { &self.whole } else { &self.violations });
                    floor = copied.sequence;
                }
                Err(Failed::Overtaken) => Self::count(&self.overtaken),
                Err(Failed::Empty) if floor > 0 => Self::count(&self.violations),
                Err(Failed::Empty) => {}
            }
        }
    }
}

/// Explores a model to its end; with a bound, only executions that take the CPU from a thread so
/// many times.
fn explore(preemptions: Option<usize>, model: impl Fn(&Findings) + Sync + Send + 'static) -> Findings {
    let findings = Findings::default();
    let inside = findings.clone();
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = preemptions;
    builder.check(move || {
        Findings::count(&inside.executions);
        model(&inside);
    });
    println!("{findings:?}");
    findings
}

/// One writer, one reader, no other synchronisation between them.
fn writer_and_reader<O: Orders>(slot_count: usize, writes: u64, reads: usize, attempts: u32) -> Findings {
    explore(None, move |findings| {
        let ring = Arc::new(Ring::new(slot_count));
        let written = ring.clone();
        let writer = thread::spawn(move || (1..=writes).for_each(|sequence| written.write::<O>(sequence)));
        findings.read::<O>(&ring, reads, attempts, 0);
        writer.join().unwrap();
    })
}

/// Sound means: no violation, and the exploration saw both whole copies and (where it must)
/// overtaken ones.
fn assert_sound(findings: &Findings) {
    assert_eq!(findings.violations(), 0, "torn or old data passed the check: {findings:?}");
    assert!(findings.whole.load(Ordering::Relaxed) > 0, "no copy was ever whole: {findings:?}");
    assert!(findings.overtaken.load(Ordering::Relaxed) > 0, "no reader was ever overtaken: {findings:?}");
}

#[test]
fn no_interleaving_tears_a_read_from_two_slots() {
    assert_sound(&writer_and_reader::<Sound>(2, 3, 1, 1));
    assert_sound(&writer_and_reader::<Sound>(2, 3, 1, 2));
}

#[test]
fn no_interleaving_tears_a_read_from_one_slot() {
    assert_sound(&writer_and_reader::<Sound>(1, 3, 1, 1));
    assert_sound(&writer_and_reader::<Sound>(1, 2, 1, 2));
}

#[test]
fn the_second_read_is_never_older_than_the_first() {
    assert_sound(&writer_and_reader::<Sound>(1, 2, 2, 1));
}

#[test]
fn two_readers_do_not_disturb_each_other() {
    assert_sound(&explore(Some(3), |findings| {
        let ring = Arc::new(Ring::new(1));
        let (written, other, others) = (ring.clone(), ring.clone(), findings.clone());
        let writer = thread::spawn(move || (1..=2).for_each(|sequence| written.write::<Sound>(sequence)));
        let reader = thread::spawn(move || others.read::<Sound>(&other, 1, 1, 0));
        findings.read::<Sound>(&ring, 1, 1, 0);
        writer.join().unwrap();
        reader.join().unwrap();
    }));
}

/// A reader that learns by other means that write 1 was published must not find the block empty.
#[test]
fn what_was_published_before_is_found() {
    assert_sound(&explore(None, |findings| {
        let ring = Arc::new(Ring::new(2));
        let announced = Arc::new(AtomicU64::new(0));
        let (written, announce) = (ring.clone(), announced.clone());
        let writer = thread::spawn(move || {
            written.write::<Sound>(1);
            announce.store(1, Ordering::Release);
            (2..=3).for_each(|sequence| written.write::<Sound>(sequence));
        });
        let floor = announced.load(Ordering::Acquire);
        findings.read::<Sound>(&ring, 1, 1, floor);
        writer.join().unwrap();
    }));
}

/// The first writer dies in the middle of write 2; the second begins again from what was published.
#[test]
fn a_half_written_slot_is_never_taken_for_data() {
    assert_sound(&explore(Some(3), |findings| {
        let ring = Arc::new(Ring::new(1));
        let written = ring.clone();
        let writers = thread::spawn(move || {
            written.write::<Sound>(1);
            let slots = written.slots::<Sound>();
            let slot = slots.begin(2, 99, WORDS);
            Model::<Sound>::store(&slot[SLOT_HEADER_WORDS], 999, Ordering::Relaxed);
            // The kernel hands the block over, with everything that the dead writer did.
            let next = written.published.load(Ordering::Relaxed) + 1;
            (next..=3).for_each(|sequence| written.write::<Sound>(sequence));
        });
        findings.read::<Sound>(&ring, 1, 1, 0);
        writers.join().unwrap();
    }));
}

/// Loom must find torn or old data under a wrong ordering, both in the smallest ring and in one
/// like ours.
///
/// It finds all four, the relaxed publishing store among them: the release fence stands before the
/// words, so it does not cover them, and there are executions in which the reader sees the number
/// and not yet the words. But loom keeps only the last few values of each word and explores only
/// small models, so Miri checks the same four in `slots_miri.rs` by another method.
fn assert_caught<O: Orders>() {
    for (slot_count, writes) in [(1, 2), (2, 3)] {
        let findings = writer_and_reader::<O>(slot_count, writes, 1, 1);
        assert!(findings.violations() > 0, "{} was not caught with {slot_count} slots: {findings:?}", O::NAME);
    }
}

#[test]
fn a_missing_release_fence_is_caught() {
    assert_caught::<NoReleaseFence>();
}

#[test]
fn a_missing_acquire_fence_is_caught() {
    assert_caught::<NoAcquireFence>();
}

#[test]
fn a_relaxed_publishing_store_is_caught() {
    assert_caught::<RelaxedPublish>();
}

#[test]
fn a_missing_fence_after_the_published_number_is_caught() {
    assert_caught::<NoPublishedFence>();
}
