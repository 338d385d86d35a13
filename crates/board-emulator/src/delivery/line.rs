//! The line to the reader: the outlet, what waits for it, and the notes of what became of every
//! block.

use rt::clock::monotonic_ns;

use super::super::processor::Block;
use super::faults::{Outcome, Repeated};
use super::outlet::Outlet;
use super::place::Place;
use super::queue::{Entry, Queue};
use super::record::{Record, RecordError, Times};
use super::tally::Tally;

/// The line to the reader.
pub(crate) struct Line {
    outlet: Option<Outlet>,
    /// Where the outlet can be opened again.
    place: Option<Place>,
    queue: Queue,
    record: Option<Record>,
    has_reader: bool,
    /// The disconnect that was last begun.
    disconnect: u64,
    pub(crate) tally: Tally,
}

impl Line {
    pub(crate) fn new(outlet: Outlet, place: Option<Place>, memory_bytes: usize, record: Option<Record>) -> Self {
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

    pub(crate) fn has_reader(&self) -> bool {
        self.has_reader
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    pub(crate) fn waiting_bytes(&self) -> usize {
        self.queue.waiting_bytes()
    }

    /// Whether no reader can come any more.
    pub(crate) fn is_over(&self) -> bool {
        self.outlet.as_ref().map_or(self.place.is_none(), Outlet::is_over)
    }

    /// Whether there is a reader. A new one begins with a whole block: what waited for the last one
    /// is forgotten.
    pub(crate) fn find_reader(&mut self) -> Result<bool, RecordError> {
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
    pub(crate) fn keep(&mut self, disconnect: Option<Repeated>) -> Result<(), RecordError> {
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
    pub(crate) fn begin(&mut self, block: Block, mut done: Outcome, bytes: usize) -> Result<(), RecordError> {
        if !self.has_reader {
            done.unread = true;
            self.tally.unread += 1;
            return self.note(&block, None, done);
        }
        if !self.queue.has_room(bytes) {
            self.send()?;
        }
        if !self.queue.has_room(bytes) {
            done.overflowed = true;
            self.tally.overflowed += 1;
            return self.note(&block, None, done);
        }
        self.queue.begin(block, done, bytes);
        Ok(())
    }

    /// The next bytes of the block that was begun. Those of a block that was lost, or whose reader
    /// has gone, are dropped.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.queue.add(bytes);
        let waiting = self.queue.waiting_bytes() as u64;
        self.tally.most_waiting_bytes = self.tally.most_waiting_bytes.max(waiting);
    }

    /// A whole block.
    pub(crate) fn put(&mut self, block: Block, done: Outcome, bytes: &[u8]) -> Result<(), RecordError> {
        self.begin(block, done, bytes.len())?;
        self.add(bytes);
        Ok(())
    }

    /// Sends what there is room for.
    pub(crate) fn send(&mut self) -> Result<(), RecordError> {
        let Some(outlet) = self.outlet.as_mut().filter(|_| !self.queue.is_empty()) else {
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
    pub(crate) fn wait_for_room(&self, at_most_ms: u16) {
        if let Some(outlet) = self.outlet.as_ref().filter(|_| !self.queue.is_empty()) {
            outlet.wait_for_room(at_most_ms);
        }
    }

    /// Drops what waits: it has no reader.
    pub(crate) fn forget(&mut self) -> Result<(), RecordError> {
        let mut forgotten = Vec::new();
        self.queue.clear(|entry| forgotten.push(entry));
        for mut entry in forgotten {
            self.tally.unread += 1;
            entry.done.unread = true;
            self.note(&entry.block, None, entry.done)?;
        }
        Ok(())
    }

    /// Writes down what became of a block.
    pub(crate) fn note(&mut self, block: &Block, times: Option<Times>, done: Outcome) -> Result<(), RecordError> {
        let record = self.record.as_mut();
        record.map_or(Ok(()), |record| record.note(block, times, done))
    }

    /// Closes everything.
    pub(crate) fn finish(mut self) -> Result<Tally, RecordError> {
        self.record.take().map_or(Ok(()), Record::finish)?;
        Ok(self.tally)
    }
}
