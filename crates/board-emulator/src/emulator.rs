//! The emulator: makes blocks at their times and sends them, until it is stopped.
//!
//! The board starts when the first reader comes. Nothing here waits for a reader: what has no room
//! waits in the board's memory, and when that is full, blocks are lost and counted. Only without a
//! pace does the reader set it.

use std::time::Duration;

use acquisition::stream::{FrameStamp, encode_frame};
use rt::clock::{monotonic_ns, sleep_until_ns};

use super::delivery::{FaultInjector, Line, Outcome, Outlet, Place, Record, RecordError, Tally};
use super::processor::{Block, Processor};
use super::schedule::{Due, Part, parts};
use super::settings::Settings;

/// How long at most before it is asked again whether to go on.
const LOOK_EVERY_MS: u16 = 50;
const LOOK_EVERY_NS: u64 = LOOK_EVERY_MS as u64 * 1_000_000;
/// How often a reader is looked for while there is none.
const READER_EVERY_NS: u64 = 2_000_000;
/// Room is waited for only if the next block is further away; else it is simply tried again.
const WAIT_FOR_ROOM_NS: u64 = 2_000_000;
/// How long a reader may take for the last blocks.
const LAST_BLOCKS_NS: u64 = 2_000_000_000;
/// Without a pace, so many bytes are made at a time.
const UNPACED_BYTES: usize = 32_768;

/// How blocks are delivered.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// From one block to the next (monotonic, ns); 0 for as fast as the reader takes them.
    pub period_ns: u64,
    /// Its memory, its framing, and its faults on purpose.
    pub settings: Settings,
    /// Ends after so much time from the first reader on.
    pub lasting: Option<Duration>,
    /// Ends after so many blocks.
    pub blocks: Option<u64>,
}

/// The emulator with everything that it needs.
pub struct Emulator {
    processor: Processor,
    delivery: Delivery,
    injector: FaultInjector,
    line: Line,
    /// How a block is cut.
    parts: Vec<Part>,
    /// The block that is being sent, and its next part; the parts before it have gone to the line.
    current: Option<(Vec<u8>, usize)>,
    /// Blocks that are held back until there are enough.
    withheld: Vec<(Block, Outcome, Vec<u8>)>,
    sequence: u32,
    /// The stall that was last begun.
    stall: u64,
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
        Self {
            injector: FaultInjector::new(&delivery.settings),
            line: Line::new(outlet, place, delivery.settings.memory_bytes, record),
            parts: parts(processor.program(), &delivery),
            current: None,
            withheld: Vec::new(),
            sequence: 0,
            stall: 0,
            processor,
            delivery,
        }
    }

    /// Runs until `stop` says so, its time or its blocks are over, or no reader can come any more.
    /// `watch` is shown the tally now and then.
    pub fn run(mut self, stop: &dyn Fn() -> bool, watch: &mut dyn FnMut(&Tally)) -> Result<Tally, RecordError> {
        // The kernel may round an ordinary thread's sleep up by 50 µs: not where a block comes
        // every 50 µs. If it must, it does.
        let _ = nix::sys::prctl::set_timerslack(1);
        while !self.line.find_reader()? {
            if stop() || self.line.is_over() {
                return self.line.finish();
            }
            // A sleep that a signal ends is a short one: the loop looks at its clock again, here
            // and below.
            let _ = sleep_until_ns(monotonic_ns() + READER_EVERY_NS);
        }
        let start_ns = monotonic_ns();
        let mut due = Due::new(start_ns, self.delivery.period_ns);
        let mut watched_ns = start_ns;
        while !stop() {
            let now_ns = monotonic_ns();
            self.line.tally.elapsed_s = (now_ns - start_ns) as f64 * 1e-9;
            if now_ns - watched_ns >= LOOK_EVERY_NS {
                watched_ns = now_ns;
                watch(&self.line.tally);
            }
            self.line.keep(self.delivery.settings.disconnect_s)?;
            if self.is_finished() || self.line.is_over() {
                break;
            }
            self.make_what_is_due(&mut due, now_ns)?;
            self.line.send()?;
            self.wait(&due, now_ns);
        }
        self.send_the_last(stop)?;
        watch(&self.line.tally);
        self.line.finish()
    }

    fn has_made_all(&self) -> bool {
        let wanted = self.delivery.blocks;
        wanted.is_some_and(|blocks| self.line.tally.made >= blocks)
    }

    fn is_finished(&self) -> bool {
        let over = |lasting: Duration| self.line.tally.elapsed_s >= lasting.as_secs_f64();
        let is_idle = self.line.waiting_bytes() == 0 && self.withheld.is_empty() && self.current.is_none();
        self.delivery.lasting.is_some_and(over) || (self.has_made_all() && (is_idle || !self.line.has_reader))
    }

    fn make_what_is_due(&mut self, due: &mut Due, now_ns: u64) -> Result<(), RecordError> {
        if due.period_ns == 0 {
            self.make_what_has_room()?;
        }
        while due.period_ns > 0 && self.next_ns(due) <= now_ns && !self.is_done() {
            let is_late = now_ns - self.next_ns(due) > due.period_ns;
            if self.current.is_none() && !self.begin_block(due, now_ns)? {
                due.advance(self.injector.delay_ns());
                continue;
            }
            self.add_part();
            // A board that has fallen behind does not make it worse.
            if !is_late {
                self.line.send()?;
            }
            if self.current.is_none() {
                due.advance(self.injector.delay_ns());
            }
        }
        if self.has_made_all() {
            self.release_withheld()?;
        }
        Ok(())
    }

    /// When the next part of a block is due.
    fn next_ns(&self, due: &Due) -> u64 {
        let next = self.current.as_ref().map_or(0, |(_, next)| *next);
        due.next_ns.saturating_sub(self.parts[next].lead_ns)
    }

    /// Whether all blocks were made, and the last one has gone to the line.
    fn is_done(&self) -> bool {
        self.has_made_all() && self.current.is_none()
    }

    /// Makes the next block, unless the board has stalled.
    fn begin_block(&mut self, due: &Due, now_ns: u64) -> Result<bool, RecordError> {
        let stall = self.delivery.settings.stall_s;
        if let Some(number) = stall.and_then(|repeated| repeated.at(due.elapsed_s())) {
            self.line.tally.stalls += u64::from(number != self.stall);
            self.stall = number;
            self.processor.skip();
            return Ok(false);
        }
        let late_ns = now_ns - self.next_ns(due);
        self.line.tally.latest_ns = self.line.tally.latest_ns.max(late_ns);
        self.make()?;
        Ok(true)
    }

    /// Gives the line the next part of the block that was begun, if there is one.
    fn add_part(&mut self) {
        let Some((bytes, next)) = self.current.take() else {
            return;
        };
        let start = next.checked_sub(1).map_or(0, |before| self.parts[before].end);
        let end = self.parts[next].end.min(bytes.len());
        self.line.add(&bytes[start..end]);
        if end < bytes.len() {
            self.current = Some((bytes, next + 1));
        }
    }

    /// Without a pace, the reader sets it.
    fn make_what_has_room(&mut self) -> Result<(), RecordError> {
        let block_bytes = self.processor.program().block_bytes().max(1);
        let room = UNPACED_BYTES.min(self.delivery.settings.memory_bytes / 4);
        let count = room.saturating_sub(self.line.waiting_bytes()) / block_bytes;
        for _ in 0..count {
            if self.has_made_all() || !self.line.has_reader {
                break;
            }
            self.make()?;
        }
        Ok(())
    }

    /// Makes a block with the faults that the settings ask for. Its parts go one by one, or it is
    /// held until there are enough.
    fn make(&mut self) -> Result<(), RecordError> {
        let block = self.processor.block();
        let mut bytes = self.encode(&block);
        let done = self.injector.inject(&mut bytes);
        let tally = &mut self.line.tally;
        tally.made += 1;
        tally.corrupted += u64::from(done.has(Outcome::CORRUPTED));
        tally.garbage += u64::from(done.has(Outcome::GARBAGE));
        tally.lost += u64::from(done.has(Outcome::LOST));
        tally.duplicated += u64::from(done.has(Outcome::DUPLICATED));
        if done.has(Outcome::LOST) {
            return self.line.note(&block, None, done);
        }
        if self.parts.len() > 1 {
            self.line.begin(block, done, bytes.len())?;
            self.current = Some((bytes, 0));
            return Ok(());
        }
        self.withheld.push((block, done, bytes));
        let gathered = self.processor.program().gathered;
        if self.withheld.len() >= self.delivery.settings.burst.max(gathered) {
            self.release_withheld()?;
        }
        Ok(())
    }

    fn encode(&mut self, block: &Block) -> Vec<u8> {
        let payload = block.bytes(self.processor.program(), self.delivery.settings.swap);
        if !self.delivery.settings.framed {
            return payload;
        }
        let mut frame = Vec::new();
        let stamp = FrameStamp { sequence: self.sequence, hardware_ns: block.sampled_ns };
        encode_frame(stamp, &payload, &mut frame);
        self.sequence = self.sequence.wrapping_add(1);
        frame
    }

    fn release_withheld(&mut self) -> Result<(), RecordError> {
        let mut held = std::mem::take(&mut self.withheld).into_iter();
        held.try_for_each(|(block, done, bytes)| self.line.put(block, done, &bytes))
    }

    /// Sleeps until the next block is due or, if that is a while, until there is room.
    fn wait(&self, due: &Due, now_ns: u64) {
        let is_waiting = self.line.waiting_bytes() > 0;
        if due.period_ns == 0 {
            if is_waiting {
                self.line.wait_for_room(LOOK_EVERY_MS);
            } else if !self.line.has_reader {
                let _ = sleep_until_ns(now_ns + READER_EVERY_NS);
            }
            return;
        }
        let until_ns = self.next_ns(due).min(now_ns + LOOK_EVERY_NS);
        let wait_ns = until_ns.saturating_sub(now_ns);
        if is_waiting && wait_ns > WAIT_FOR_ROOM_NS {
            self.line.wait_for_room((wait_ns / 1_000_000) as u16);
        } else {
            let _ = sleep_until_ns(until_ns);
        }
    }

    /// A reader has a moment for what is left.
    fn send_the_last(&mut self, stop: &dyn Fn() -> bool) -> Result<(), RecordError> {
        while self.current.is_some() {
            self.add_part();
        }
        self.release_withheld()?;
        let deadline_ns = monotonic_ns() + LAST_BLOCKS_NS;
        self.line.send()?;
        while self.line.waiting_bytes() > 0 && self.line.find_reader()? && !stop() && monotonic_ns() < deadline_ns {
            self.line.wait_for_room(LOOK_EVERY_MS);
            self.line.send()?;
        }
        self.line.forget()
    }
}
