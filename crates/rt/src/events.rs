//! What a real-time loop has to say, without the loop saying it.
//!
//! A loop must not print: a line of text is an allocation, a lock and a system call that may block.
//! So it leaves an [`Event`], a few numbers of fixed size, in a ring that was made before the loop,
//! and goes on. A thread of ordinary priority takes the events out and finds the words.
//!
//! ```
//! use rt::events::{self, Event, Kind, Phase, Severity};
//!
//! static LATE: Kind = Kind::new("late-answer", Severity::Warning, "no answer in time");
//! let (mut reporter, mut events) = events::ring(64);
//! reporter.report(Event::once(&LATE, 17));                  // in the loop
//! let event = events.next().expect("it was reported");      // beside it
//! assert_eq!((event.kind.name, event.step, event.phase), ("late-answer", 17, Phase::Once));
//! ```
//!
//! The ring is `rtrb`'s: one producer, one consumer, wait-free on both sides. A full ring loses the
//! event and counts it; the loop never waits. Most of what a loop reports lasts for some steps: a
//! [`Condition`] makes one event of its beginning and one of its end out of a flag that is looked
//! at in every step.

mod condition;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::clock::monotonic_ns;
pub use condition::Condition;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Information,
    /// Something was not as it should be, and the loop went on.
    Warning,
}

/// What happened, apart from when: a `static` of the loop that reports it.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// A name that stays the same from version to version, `late-answer`.
    pub name: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What happened, in words that go on with `since step 3` or `: 4 steps`; of a kind that is
    /// counted, one of them, `overrun`.
    pub what: &'static str,
    /// Whether the message counts them, `5 overruns`; then [`Event::value_ns`] is how late they
    /// were.
    pub is_counted: bool,
}

impl Kind {
    /// A kind that is reported by its steps.
    pub const fn new(name: &'static str, severity: Severity, what: &'static str) -> Self {
        Self { name, severity, what, is_counted: false }
    }

    /// A kind whose occurrences are counted, with the largest lateness.
    pub const fn counted(name: &'static str, severity: Severity, what: &'static str) -> Self {
        Self { is_counted: true, ..Self::new(name, severity, what) }
    }
}

/// Where in its course something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It has no course: it happened.
    Once,
    /// It begins.
    Begin,
    /// It is over.
    End,
}

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// What.
    pub kind: &'static Kind,
    /// Where in its course.
    pub phase: Phase,
    /// The step of the simulation in which it happened; of an end, the first step without it.
    pub step: u64,
    /// When (ns, monotonic).
    pub time_ns: u64,
    /// Steps that it lasted; 0 at its beginning.
    pub count: u64,
    /// How late, for a kind that is counted; of an end, the largest (ns).
    pub value_ns: u64,
}

impl Event {
    /// Something without a course that happens now. Real-time safe.
    #[inline]
    #[must_use]
    pub fn once(kind: &'static Kind, step: u64) -> Self {
        Self { kind, phase: Phase::Once, step, time_ns: monotonic_ns(), count: 1, value_ns: 0 }
    }
}

/// The loop's end of the ring.
#[derive(Debug)]
pub struct Reporter {
    ring: rtrb::Producer<Event>,
    lost: Arc<AtomicU64>,
}

/// The other end.
#[derive(Debug)]
pub struct Events {
    ring: rtrb::Consumer<Event>,
    lost: Arc<AtomicU64>,
}

/// A ring with room for so many events.
#[must_use]
pub fn ring(capacity: usize) -> (Reporter, Events) {
    let (producer, consumer) = rtrb::RingBuffer::new(capacity);
    let lost = Arc::new(AtomicU64::new(0));
    let reporter = Reporter { ring: producer, lost: Arc::clone(&lost) };
    (reporter, Events { ring: consumer, lost })
}

impl Reporter {
    /// Leaves an event. When there is no room it is lost and counted. Real-time safe: wait-free, no
    /// heap.
    #[inline]
    pub fn report(&mut self, event: Event) {
        if self.ring.push(event).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Events {
    /// The oldest event that was not taken yet.
    #[expect(clippy::should_implement_trait, reason = "an iterator would seem to have an end")]
    pub fn next(&mut self) -> Option<Event> {
        self.ring.pop().ok()
    }

    /// How many events found no room since the last call.
    pub fn take_lost(&self) -> u64 {
        self.lost.swap(0, Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static KIND: Kind = Kind::new("test", Severity::Information, "it was tested");

    #[test]
    fn a_full_ring_loses_the_newest_and_counts_them() {
        let (mut reporter, mut events) = ring(3);
        for step in 0..5 {
            reporter.report(Event::once(&KIND, step));
        }
        assert_eq!((events.take_lost(), events.take_lost()), (2, 0));
        let steps: Vec<u64> = std::iter::from_fn(|| events.next()).map(|event| event.step).collect();
        assert_eq!(steps, [0, 1, 2]);
        reporter.report(Event::once(&KIND, 9));
        assert_eq!(events.next().map(|event| event.step), Some(9));
    }

    /// Two threads at full speed: what arrives is whole and in order, and with what was lost it is
    /// all.
    #[test]
    fn nothing_is_torn_doubled_or_lost_without_being_counted() {
        const SENT: u64 = 200_000;
        let (mut reporter, mut events) = ring(128);
        let producer = std::thread::spawn(move || {
            for step in 1..=SENT {
                reporter.report(Event { count: step ^ 0x5555, value_ns: !step, ..Event::once(&KIND, step) });
            }
        });
        let (mut seen, mut last) = (0, 0);
        while !producer.is_finished() || events.ring.slots() > 0 {
            let Some(event) = events.next() else {
                std::thread::yield_now();
                continue;
            };
            assert!(event.step > last);
            assert_eq!((event.count, event.value_ns), (event.step ^ 0x5555, !event.step));
            last = event.step;
            seen += 1;
        }
        producer.join().unwrap();
        assert_eq!(seen + events.take_lost(), SENT);
    }
}
