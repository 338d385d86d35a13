//! One suite for all sources: what every one of them must do, whatever hardware is behind it.
//!
//! A test gives a [`Rig`], which plays the hardware, to [`check`]; a source that runs
//! by itself goes to [`check_running`]. The suite says what failed and on which rig.

#[cfg(test)]
pub(crate) mod wire;

use std::collections::VecDeque;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use nix::fcntl::OFlag;
use nix::pty::{PtyMaster, grantpt, posix_openpt, ptsname_r, unlockpt};

use crate::sources::reopening::{OpenerHooks, Reopening};
use crate::stream::{Arrived, FrameStamp, Framing, Layout, Pipe, encode_frame};
use crate::{Opening, Sample, Source, State};

/// How long to wait for what should happen soon. Only a suite that fails waits so long.
const TIME_LIMIT: Duration = Duration::from_secs(30);
/// Samples of one part of the suite.
const SAMPLES: u32 = 200;

/// The hardware of a source, played by a test.
pub trait Rig {
    /// How the source is opened.
    fn opening(&self) -> Box<dyn Opening>;

    /// Makes the hardware deliver one sample whose number 0 is this: whole, from 0 to 20 000,
    /// always larger than the last but after [`Rig::plug_in`]. Other numbers are as the rig likes.
    fn deliver(&mut self, number: u32);

    /// Unplugs the hardware. `false` if it cannot be unplugged.
    fn unplug(&mut self) -> bool {
        false
    }

    /// Plugs it in again.
    fn plug_in(&mut self) {}

    /// The time that is given to the source, which rises. A rig whose source plays by the clock
    /// moves it itself, when it delivers.
    fn now_ns(&self) -> u64 {
        rising_ns()
    }

    /// Whether it begins with a sample of its own before anything was delivered, as recordings do.
    fn starts_with_a_sample(&self) -> bool {
        false
    }

    /// Runs what must leave the heap alone. A test with a counting allocator looks.
    fn without_heap(&self, work: &mut dyn FnMut()) {
        work();
    }
}

/// A pipe whose bytes arrive in given pieces, one at each opportunity.
#[derive(Default)]
pub struct Pieces {
    /// What is still to arrive.
    pub pieces: VecDeque<Vec<u8>>,
    /// Whether the end comes after them.
    pub ended: bool,
}

impl Pieces {
    /// The bytes, cut at these places; each counts from the beginning, and again beyond the end.
    pub fn cut(bytes: &[u8], cuts: &[usize]) -> Self {
        let mut places: Vec<usize> = cuts.iter().map(|place| place % (bytes.len() + 1)).collect();
        places.extend([0, bytes.len()]);
        places.sort_unstable();
        let pieces = places.windows(2).map(|pair| bytes[pair[0]..pair[1]].to_vec()).collect();
        Self { pieces, ended: false }
    }
}

impl Pipe for Pieces {
    fn look(&mut self, room: &mut [u8]) -> Arrived {
        let Some(piece) = self.pieces.front_mut() else {
            return if self.ended { Arrived::End } else { Arrived::Nothing };
        };
        if piece.is_empty() {
            self.pieces.pop_front();
            return Arrived::Nothing;
        }
        let count = piece.len().min(room.len());
        room[..count].copy_from_slice(&piece[..count]);
        piece.drain(..count);
        Arrived::Bytes(count)
    }

    fn wait(&mut self, _at_most_ms: u16) {}
}

/// Blocks with their number in the steering field and its lower half in the brake field.
pub fn blocks(count: u32, framing: Framing) -> Vec<Vec<u8>> {
    let encode = |index: u32| {
        let (mut payload, mut frame) = (Vec::new(), Vec::new());
        Layout::board().encode(&[f64::from(index as u16 as i16), 0.0, f64::from(index)], &mut payload);
        if framing == Framing::None {
            return payload;
        }
        let stamp = FrameStamp { sequence: index, hardware_ns: u64::from(index) * 1_000_000 };
        encode_frame(stamp, &payload, &mut frame);
        frame
    };
    (0..count).map(encode).collect()
}

/// The board's end of a pseudo-terminal, and the name of ours; none where there are no such.
pub fn terminal() -> Option<(PtyMaster, String)> {
    let board = posix_openpt(OFlag::O_RDWR | OFlag::O_NOCTTY).ok()?;
    grantpt(&board).ok()?;
    unlockpt(&board).ok()?;
    let name = ptsname_r(&board).ok()?;
    Some((board, name))
}

/// Runs the whole suite.
///
/// # Panics
/// When the source does not do what it must.
pub fn check(rig: &mut dyn Rig) {
    let (mut source, problem) = Reopening::start("rig", rig.opening(), OpenerHooks::default());
    assert!(problem.is_none(), "it does not open: {}", problem.expect("a problem"));
    takes_without_waiting(rig, &mut source);
    keeps_the_order(rig, &mut source);
    leaves_the_heap_alone(rig, &mut source);
    comes_back(rig, &mut source);
}

/// Any clock that rises will do; a source must not look at another one.
fn rising_ns() -> u64 {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    1_000_000_000 + BEGAN.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// With nothing there, taking gives nothing and returns. A source that waits blocks here.
fn takes_without_waiting(rig: &dyn Rig, source: &mut Reopening) {
    if rig.starts_with_a_sample() {
        source.take(rig.now_ns(), &mut |_| {});
    }
    rig.without_heap(&mut || {
        for _ in 0..100 {
            let mut samples = 0;
            let state = source.take(rig.now_ns(), &mut |_| samples += 1);
            assert_eq!(samples, 0, "samples out of nothing");
            assert!(
                matches!(state, State::Waiting | State::Flowing | State::Stalled),
                "{state:?} although nothing is wrong"
            );
        }
    });
    assert!(!source.channels().is_empty(), "numbers need names");
    assert!(source.counters().empty_reads >= 100, "{:?}", source.counters());
}

/// Every sample arrives, once, in its order, at rising times, and is counted.
fn keeps_the_order(rig: &mut dyn Rig, source: &mut Reopening) {
    let before = *source.counters();
    let mut found: Vec<(u32, u64)> = Vec::new();
    let mut take = |rig: &dyn Rig, source: &mut Reopening| {
        source.take(rig.now_ns(), &mut |sample| {
            found.extend(sample.get(0).map(|number| (number as u32, sample.sample_ns)));
        });
        found.len()
    };
    for number in 1..=SAMPLES {
        rig.deliver(number);
        // Now and then several at once.
        if number % 7 == 0 {
            take(rig, source);
        }
    }
    eventually("all samples arrive", || take(rig, source) >= SAMPLES as usize);
    let numbers: Vec<u32> = found.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=SAMPLES).collect::<Vec<_>>());
    assert!(found.windows(2).all(|pair| pair[0].1 <= pair[1].1), "times go back");
    let counters = source.counters();
    assert!(counters.blocks - before.blocks >= u64::from(SAMPLES), "{counters:?}");
    assert!(counters.bytes > before.bytes);
    assert_eq!((counters.lost, counters.corrupted), (before.lost, before.corrupted));
}

fn leaves_the_heap_alone(rig: &mut dyn Rig, source: &mut Reopening) {
    for number in 300..320 {
        rig.deliver(number);
        let mut newest = None;
        eventually("the sample arrives", || {
            rig.without_heap(&mut || {
                source.take(rig.now_ns(), &mut |sample: &Sample| newest = sample.get(0));
                source.set_torque(0.5, rig.now_ns());
            });
            newest == Some(f64::from(number))
        });
    }
}

/// Unplugged, it is gone; plugged in, it is there again by itself and goes on counting.
fn comes_back(rig: &mut dyn Rig, source: &mut Reopening) {
    let before = *source.counters();
    if !rig.unplug() {
        return;
    }
    eventually("it is gone", || source.take(rig.now_ns(), &mut |_| {}) == State::Gone && !source.is_open());
    rig.plug_in();
    eventually("it is open again", || {
        source.take(rig.now_ns(), &mut |_| {});
        source.is_open()
    });
    assert!(source.receive(), "a reader of numbers by name must know that it is another source");
    assert!(!source.receive(), "once is enough");
    rig.deliver(400);
    let mut newest = None;
    eventually("it delivers again", || {
        let state = source.take(rig.now_ns(), &mut |sample| newest = sample.get(0));
        state == State::Flowing && newest == Some(400.0)
    });
    let counters = source.counters();
    assert_eq!(counters.reconnects, before.reconnects + 1);
    assert!(counters.blocks > before.blocks, "it has forgotten its counters");
}

/// What can be asked of a source that delivers on its own and comes and goes as it likes: taking
/// never waits, times rise, everything is counted, the heap is left alone, and it comes back by
/// itself.
///
/// # Panics
/// When the source does not do what it must.
pub fn check_running(opening: Box<dyn Opening>, without_heap: &dyn Fn(&mut dyn FnMut())) {
    let (mut source, problem) = Reopening::start("rig", opening, OpenerHooks::default());
    assert!(problem.is_none(), "it does not open: {problem:?}");
    assert!(!source.channels().is_empty(), "numbers need names");
    let (mut samples, mut last_ns) = (0_u64, 0);
    eventually("it delivers, goes and comes back", || {
        without_heap(&mut || {
            source.take(rising_ns(), &mut |sample| {
                samples += 1;
                assert!(sample.sample_ns >= last_ns, "times go back");
                assert!(sample.get(0).is_some(), "a sample without its first number");
                last_ns = sample.sample_ns;
            });
            source.set_torque(0.5, rising_ns());
        });
        let counters = source.counters();
        assert_eq!(counters.blocks, samples, "{counters:?}");
        samples >= u64::from(SAMPLES) && counters.reconnects > 0
    });
    let counters = source.counters();
    assert!(counters.bytes > 0);
    assert_eq!((counters.lost, counters.corrupted), (0, 0));
}

fn eventually(what: &str, mut look: impl FnMut() -> bool) {
    let began = Instant::now();
    while !look() {
        assert!(began.elapsed() < TIME_LIMIT, "waited {TIME_LIMIT:?} in vain: {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}
