//! The emulator: makes blocks at their times and sends them, until it is told to stop.
//!
//! The board starts when the first reader comes. Block *k* is due at
//!
//! ```text
//! t_k = t_0 + (k + 1)·h + delay        h the block's period, delay from 0 to the jitter     (1)
//! ```
//!
//! on the monotonic clock, and a late one never makes the next one late. Nothing here waits for a reader: what has no room waits in the
//! board's memory, and when that is full, blocks are lost and counted. Only without a pace does the reader set it.

use std::time::Duration;

use nix::sys::time::TimeSpec;
use nix::time::{ClockId, ClockNanosleepFlags, clock_gettime, clock_nanosleep};

use super::delivery::{Done, Entry, Faults, Mishaps, Outlet, Place, Queue, Record, RecordError, Tally};
use super::processor::{Block, Processor};
use super::random::Random;
use crate::stream::{FrameStamp, encode_frame};

/// How long at most before it is asked again whether to go on.
const LOOK_EVERY_NS: u64 = 50_000_000;
/// How often a reader is looked for while there is none.
const READER_EVERY_NS: u64 = 2_000_000;
/// Without a pace, so many bytes are made at a time.
const UNPACED_BYTES: usize = 32_768;

/// How blocks are delivered.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// From one block to the next on the monotonic clock (ns); 0 for as fast as the reader takes them.
    pub period_ns: u64,
    /// The board's memory for blocks that wait (bytes).
    pub memory_bytes: usize,
    /// Blocks have the header of [`crate::stream`].
    pub framed: bool,
    /// Faults on purpose.
    pub faults: Faults,
    /// Seed of the faults.
    pub seed: u64,
    /// Ends after so much time from the first reader on.
    pub lasting: Option<Duration>,
    /// Ends after so many blocks.
    pub blocks: Option<u64>,
}

/// The emulator with everything that it needs.
pub struct Emulator {
    processor: Processor,
    delivery: Delivery,
    mishaps: Mishaps,
    outlet: Option<Outlet>,
    place: Option<Place>,
    queue: Queue,
    record: Option<Record>,
    tally: Tally,
    bytes: Vec<u8>,
    held: Vec<(Block, Done, Vec<u8>)>,
    sequence: u32,
    had_reader: bool,
    stall: u64,
    disconnect: u64,
}

impl Emulator {
    /// On an outlet; where it can be opened again after a disconnect is `place`.
    pub fn new(
        processor: Processor,
        delivery: Delivery,
        outlet: Outlet,
        place: Option<Place>,
        record: Option<Record>,
    ) -> Self {
        let place = place.map(|place| outlet.again(&place));
        Self {
            mishaps: Mishaps::new(delivery.faults.clone(), Random::new(delivery.seed)),
            queue: Queue::new(delivery.memory_bytes),
            tally: Tally::default(),
            bytes: Vec::new(),
            held: Vec::new(),
            sequence: 0,
            had_reader: false,
            stall: 0,
            disconnect: 0,
            outlet: Some(outlet),
            processor,
            delivery,
            place,
            record,
        }
    }

    /// Runs until `stop` says so, its time or its blocks are over, or nobody can come any more. `watch` is shown the tally now and then.
    pub fn run(
        mut self,
        stop: &dyn Fn() -> bool,
        watch: &mut dyn FnMut(&Tally),
    ) -> Result<Tally, RecordError> {
        // The kernel may round an ordinary thread's sleep up by 50 µs: not where a block comes every 50 µs. If it must, it does.
        let _ = nix::sys::prctl::set_timerslack(1);
        while !self.find_reader()? {
            if stop() || self.is_over() {
                return self.finish();
            }
            sleep_until_ns(monotonic_ns() + READER_EVERY_NS);
        }
        let start_ns = monotonic_ns();
        let mut due = Due::new(start_ns, self.delivery.period_ns);
        let mut watched_ns = start_ns;
        while !stop() {
            let now_ns = monotonic_ns();
            self.tally.elapsed_s = (now_ns - start_ns) as f64 * 1e-9;
            if now_ns - watched_ns >= LOOK_EVERY_NS {
                watched_ns = now_ns;
                watch(&self.tally);
            }
            if self.is_finished() {
                break;
            }
            self.keep_connection()?;
            if self.is_over() {
                break;
            }
            self.make_what_is_due(&mut due, now_ns)?;
            self.send()?;
            self.wait(&due, now_ns);
        }
        self.release_held()?;
        self.send()?;
        watch(&self.tally);
        self.finish()
    }

    fn is_finished(&self) -> bool {
        let over = |lasting: Duration| self.tally.elapsed_s >= lasting.as_secs_f64();
        let made_all = self
            .delivery
            .blocks
            .is_some_and(|blocks| self.tally.made >= blocks);
        self.delivery.lasting.is_some_and(over)
            || (made_all && self.queue.is_empty() && self.held.is_empty())
            || (made_all && !self.had_reader)
    }

    fn is_over(&self) -> bool {
        self.outlet.as_ref().map_or(self.place.is_none(), Outlet::is_over)
    }

    /// Whether somebody reads. A new reader begins with a whole block: what waited for the last one is forgotten.
    fn find_reader(&mut self) -> Result<bool, RecordError> {
        let found = self
            .outlet
            .as_mut()
            .map(|outlet| (outlet.has_reader(), outlet.take_arrivals()));
        let (has_reader, arrivals) = found.unwrap_or((false, 0));
        self.tally.readers += arrivals;
        self.had_reader = has_reader;
        if arrivals > 0 || !has_reader {
            let mut forgotten = Vec::new();
            self.queue.clear(|entry| forgotten.push(entry));
            for entry in forgotten {
                self.tally.unheard += 1;
                let done = Done {
                    unheard: true,
                    ..entry.done
                };
                self.note(&entry.block, None, done)?;
            }
        }
        Ok(has_reader)
    }

    /// Closes and opens the outlet as the faults want it.
    fn keep_connection(&mut self) -> Result<(), RecordError> {
        let disconnect = self.delivery.faults.disconnect;
        match disconnect.and_then(|repeated| repeated.at(self.tally.elapsed_s)) {
            Some(number) if number != self.disconnect => {
                self.disconnect = number;
                self.tally.disconnects += 1;
                self.outlet = None;
            }
            Some(_) => {}
            None => {
                if let (None, Some(place)) = (&self.outlet, &self.place) {
                    // If it cannot be opened yet, it is tried again.
                    self.outlet = Outlet::open(place).ok();
                }
            }
        }
        self.find_reader().map(|_| ())
    }

    fn make_what_is_due(&mut self, due: &mut Due, now_ns: u64) -> Result<(), RecordError> {
        let enough = |made: u64| self.delivery.blocks.is_some_and(|blocks| made >= blocks);
        if due.period_ns == 0 {
            let block_bytes = self.processor.program().block_bytes().max(1);
            let room = UNPACED_BYTES.min(self.delivery.memory_bytes);
            let count = room.saturating_sub(self.queue.waiting_bytes()) / block_bytes;
            for _ in 0..if self.had_reader { count } else { 0 } {
                if self
                    .delivery
                    .blocks
                    .is_some_and(|blocks| self.tally.made >= blocks)
                {
                    break;
                }
                self.make()?;
            }
            return Ok(());
        }
        if enough(self.tally.made) {
            return Ok(());
        }
        while due.next_ns <= now_ns {
            let stall = self.delivery.faults.stall;
            match stall.and_then(|repeated| repeated.at(due.elapsed_s())) {
                Some(number) => {
                    self.tally.stalls += u64::from(number != self.stall);
                    self.stall = number;
                    self.processor.skip();
                }
                None => {
                    self.tally.latest_ns = self.tally.latest_ns.max(now_ns - due.next_ns);
                    self.make()?;
                }
            }
            due.advance(self.mishaps.delay_ns());
            if self
                .delivery
                .blocks
                .is_some_and(|blocks| self.tally.made >= blocks)
            {
                break;
            }
        }
        Ok(())
    }

    /// Makes a block and puts it where it waits to be sent.
    fn make(&mut self) -> Result<(), RecordError> {
        let block = self.processor.block();
        self.tally.made += 1;
        let mut bytes = std::mem::take(&mut self.bytes);
        self.encode(&block, &mut bytes);
        self.sequence = self.sequence.wrapping_add(1);
        let done = self.mishaps.befall(&mut bytes);
        self.tally.corrupted += u64::from(done.corrupted);
        self.tally.garbage += u64::from(done.garbage);
        self.tally.lost += u64::from(done.lost);
        self.tally.duplicated += u64::from(done.duplicated);
        if done.lost {
            self.note(&block, None, done)?;
        } else {
            self.held.push((block, done, bytes.clone()));
        }
        self.bytes = bytes;
        let gathered = self.processor.program().gathered;
        if self.held.len() >= self.delivery.faults.burst.max(gathered) {
            self.release_held()?;
        }
        Ok(())
    }

    fn encode(&self, block: &Block, bytes: &mut Vec<u8>) {
        let swap = self.delivery.faults.swap;
        if !self.delivery.framed {
            return block.bytes(self.processor.program(), swap, bytes);
        }
        let mut payload = Vec::new();
        block.bytes(self.processor.program(), swap, &mut payload);
        let stamp = FrameStamp {
            sequence: self.sequence,
            hardware_ns: block.sampled_ns,
        };
        bytes.clear();
        encode_frame(stamp, &payload, bytes);
    }

    /// Puts what was held back into the queue. If there is no room, there may be after sending; if not, the block is lost.
    fn release_held(&mut self) -> Result<(), RecordError> {
        for (block, mut done, bytes) in std::mem::take(&mut self.held) {
            if !self.had_reader {
                done.unheard = true;
                self.tally.unheard += 1;
                self.note(&block, None, done)?;
                continue;
            }
            if !self.queue.has_room(bytes.len()) {
                self.send()?;
            }
            if self.queue.has_room(bytes.len()) {
                self.queue.put(block, done, &bytes);
            } else {
                done.overflowed = true;
                self.tally.overflowed += 1;
                self.note(&block, None, done)?;
            }
        }
        let waiting = self.queue.waiting_bytes() as u64;
        self.tally.most_waiting_bytes = self.tally.most_waiting_bytes.max(waiting);
        Ok(())
    }

    fn note(&mut self, block: &Block, sent_ns: Option<u64>, done: Done) -> Result<(), RecordError> {
        self.record
            .as_mut()
            .map_or(Ok(()), |record| record.note(block, sent_ns, done))
    }

    /// Sends what there is room for.
    fn send(&mut self) -> Result<(), RecordError> {
        let Some(outlet) = self.outlet.as_mut().filter(|_| !self.queue.is_empty()) else {
            return Ok(());
        };
        let sent_ns = monotonic_ns();
        let mut sent = Vec::new();
        let bytes = self.queue.send(outlet, |entry| sent.push(entry));
        self.tally.bytes += bytes as u64;
        self.tally.sent += sent.len() as u64;
        for Entry { block, done, .. } in sent {
            self.note(&block, Some(sent_ns), done)?;
        }
        Ok(())
    }

    fn wait(&self, due: &Due, now_ns: u64) {
        let until_ns = due.next_ns.min(now_ns + LOOK_EVERY_NS);
        match &self.outlet {
            Some(outlet) if !self.queue.is_empty() => {
                let patience_ms = until_ns.saturating_sub(now_ns) / 1_000_000;
                outlet.wait_for_room(if due.period_ns == 0 {
                    50
                } else {
                    patience_ms as u16
                });
            }
            _ if due.period_ns == 0 && !self.had_reader => sleep_until_ns(now_ns + READER_EVERY_NS),
            _ => sleep_until_ns(until_ns),
        }
    }

    fn finish(mut self) -> Result<Tally, RecordError> {
        self.record.take().map_or(Ok(()), Record::finish)?;
        Ok(self.tally)
    }
}

/// When the next block is due: Eq. (1).
struct Due {
    start_ns: u64,
    period_ns: u64,
    /// Blocks that were due so far.
    count: u64,
    next_ns: u64,
}

impl Due {
    fn new(start_ns: u64, period_ns: u64) -> Self {
        Self {
            start_ns,
            period_ns,
            count: 0,
            next_ns: start_ns + period_ns,
        }
    }

    fn elapsed_s(&self) -> f64 {
        (self.count * self.period_ns) as f64 * 1e-9
    }

    fn advance(&mut self, delay_ns: u64) {
        self.count += 1;
        let due_ns = self.start_ns + (self.count + 1) * self.period_ns + delay_ns;
        self.next_ns = due_ns.max(self.next_ns);
    }
}

/// The monotonic clock now (ns).
pub(super) fn monotonic_ns() -> u64 {
    let now = clock_gettime(ClockId::CLOCK_MONOTONIC).unwrap_or(TimeSpec::new(0, 0));
    now.tv_sec() as u64 * 1_000_000_000 + now.tv_nsec() as u64
}

fn sleep_until_ns(deadline_ns: u64) {
    let deadline = TimeSpec::new(
        (deadline_ns / 1_000_000_000) as i64,
        (deadline_ns % 1_000_000_000) as i64,
    );
    // A sleep that a signal ends is a short sleep: the loop looks at its clock again.
    let _ = clock_nanosleep(
        ClockId::CLOCK_MONOTONIC,
        ClockNanosleepFlags::TIMER_ABSTIME,
        &deadline,
    );
}
