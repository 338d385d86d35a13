//! The line to the reader: the outlet, what waits for it, and the notes of what became of every
//! block.

use std::collections::VecDeque;

use rt::clock::monotonic_ns;

use super::faults::{Outcome, Repeated};
use super::outlet::{Outlet, Place};
use super::record::{Record, RecordError, Times};
use super::tally::Tally;
use crate::Block;

pub(crate) struct Line {
    outlet: Option<Outlet>,
    /// Where the outlet can be opened again.
    place: Option<Place>,
    queue: Queue,
    record: Option<Record>,
    pub has_reader: bool,
    /// The disconnect that was last begun.
    disconnect: u64,
    pub tally: Tally,
}

impl Line {
    pub fn new(outlet: Outlet, place: Option<Place>, memory_bytes: usize, record: Option<Record>) -> Self {
        let place = place.map(|place| outlet.again(&place));
        Self {
            outlet: Some(outlet),
            place,
            queue: Queue::new(memory_bytes),
            record,
            has_reader: false,
            disconnect: 0,
            tally: Tally::default(),
        }
    }

    pub fn waiting_bytes(&self) -> usize {
        self.queue.bytes.len()
    }

    pub fn is_over(&self) -> bool {
        self.outlet.as_ref().map_or(self.place.is_none(), Outlet::is_over)
    }

    /// Whether there is a reader. A new one begins with a whole block: what waited is forgotten.
    pub fn find_reader(&mut self) -> Result<bool, RecordError> {
        let outlet = self.outlet.as_mut();
        let found = outlet.map(|outlet| (outlet.has_reader(), outlet.take_arrivals()));
        let (has_reader, arrivals) = found.unwrap_or((false, 0));
        self.tally.readers += arrivals;
        self.has_reader = has_reader;
        if arrivals > 0 || !has_reader {
            self.forget()?;
        }
        Ok(has_reader)
    }

    /// Closes and opens the outlet as the faults want it.
    pub fn keep(&mut self, disconnect: Option<Repeated>) -> Result<(), RecordError> {
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

    /// Begins a block of so many bytes, which follow by [`Self::add`]. If there is no room for all
    /// of it, there may be after sending; if not, the block is lost as a whole.
    pub fn begin(&mut self, block: Block, mut done: Outcome, bytes: usize) -> Result<(), RecordError> {
        if !self.has_reader {
            done.0 |= Outcome::UNREAD;
            self.tally.unread += 1;
            return self.note(&block, None, done);
        }
        if !self.queue.has_room(bytes) {
            self.send()?;
        }
        if !self.queue.has_room(bytes) {
            done.0 |= Outcome::OVERFLOWED;
            self.tally.overflowed += 1;
            return self.note(&block, None, done);
        }
        self.queue.begin(block, done, bytes);
        Ok(())
    }

    /// The next bytes of the block that was begun; dropped if it was lost or its reader has gone.
    pub fn add(&mut self, bytes: &[u8]) {
        self.queue.add(bytes);
        let waiting = self.queue.bytes.len() as u64;
        self.tally.most_waiting_bytes = self.tally.most_waiting_bytes.max(waiting);
    }

    pub fn put(&mut self, block: Block, done: Outcome, bytes: &[u8]) -> Result<(), RecordError> {
        self.begin(block, done, bytes.len())?;
        self.add(bytes);
        Ok(())
    }

    pub fn send(&mut self) -> Result<(), RecordError> {
        let Some(outlet) = self.outlet.as_mut().filter(|_| !self.queue.bytes.is_empty()) else {
            return Ok(());
        };
        let sent_ns = monotonic_ns();
        let mut sent = Vec::new();
        let bytes = self.queue.send(outlet, |entry| sent.push(entry));
        let times = Some(Times { sent_ns, written_ns: monotonic_ns() });
        self.tally.bytes += bytes as u64;
        self.tally.sent += sent.len() as u64;
        for Entry { block, done, .. } in sent {
            self.note(&block, times, done)?;
        }
        Ok(())
    }

    /// Waits until there is room for what waits, at most so long.
    pub fn wait_for_room(&self, at_most_ms: u16) {
        if let Some(outlet) = self.outlet.as_ref().filter(|_| !self.queue.bytes.is_empty()) {
            outlet.wait_for_room(at_most_ms);
        }
    }

    pub fn forget(&mut self) -> Result<(), RecordError> {
        let mut forgotten = Vec::new();
        self.queue.clear(|entry| forgotten.push(entry));
        for mut entry in forgotten {
            self.tally.unread += 1;
            entry.done.0 |= Outcome::UNREAD;
            self.note(&entry.block, None, entry.done)?;
        }
        Ok(())
    }

    pub fn note(&mut self, block: &Block, times: Option<Times>, done: Outcome) -> Result<(), RecordError> {
        let record = self.record.as_mut();
        record.map_or(Ok(()), |record| record.note(block, times, done))
    }

    pub fn finish(mut self) -> Result<Tally, RecordError> {
        self.record.take().map_or(Ok(()), Record::finish)?;
        Ok(self.tally)
    }
}

/// The board's own memory: blocks that wait for room in the pipe, and their bytes. When it is full
/// as well, new blocks are lost, as on the board. The bytes of the last block may still be on their
/// way from the processor.
struct Queue {
    entries: VecDeque<Entry>,
    bytes: VecDeque<u8>,
    /// Bytes of the last block that are still to come.
    owed: usize,
    /// Bytes that have left so far.
    left: u64,
    most_bytes: usize,
}

impl Queue {
    fn new(most_bytes: usize) -> Self {
        Self { entries: VecDeque::new(), bytes: VecDeque::new(), owed: 0, left: 0, most_bytes }
    }

    fn has_room(&self, bytes: usize) -> bool {
        self.bytes.len() + bytes <= self.most_bytes
    }

    /// Begins a block of so many bytes. They follow.
    fn begin(&mut self, block: Block, done: Outcome, bytes: usize) {
        let end = self.left + (self.bytes.len() + bytes) as u64;
        self.entries.push_back(Entry { block, done, end });
        self.owed = bytes;
    }

    /// The next bytes of the block that was begun; nothing if it has been forgotten since.
    fn add(&mut self, bytes: &[u8]) {
        if bytes.len() <= self.owed {
            self.bytes.extend(bytes);
            self.owed -= bytes.len();
        }
    }

    /// Writes as much as there is room for and hands over the blocks whose last byte has gone.
    fn send(&mut self, outlet: &mut Outlet, mut sent: impl FnMut(Entry)) -> usize {
        let mut total = 0;
        while !self.bytes.is_empty() {
            let (first, _) = self.bytes.as_slices();
            let count = outlet.write(first);
            self.bytes.drain(..count);
            self.left += count as u64;
            total += count;
            if count == 0 {
                break;
            }
        }
        while self.entries.front().is_some_and(|entry| entry.end <= self.left) {
            sent(self.entries.pop_front().expect("there is one"));
        }
        total
    }

    /// Forgets what waits and hands it over: the connection is gone, perhaps amid a block.
    fn clear(&mut self, lost: impl FnMut(Entry)) {
        self.left += self.bytes.len() as u64;
        self.bytes.clear();
        self.owed = 0;
        self.entries.drain(..).for_each(lost);
    }
}

struct Entry {
    block: Block,
    done: Outcome,
    /// Where its bytes end, counted from the beginning of the stream.
    end: u64,
}
