//! The emulator end to end: through every kind of connection, with readers that are slow, go away
//! and come back, and with every fault.
//!
//! Nothing here asks how long something took; blocks are compared with those that the board makes
//! when it is simply asked for them.

mod conformance;
mod faults;
mod places;
mod rate;
mod readers;
mod source;

use std::io::{PipeReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;

use board_emulator::delivery::{Outlet, Place, Record, Tally};
use board_emulator::{Delivery, Emulator, Processor, Settings};

/// A board whose blocks are known.
fn processor() -> Processor {
    let settings = Settings { manoeuvre: "steering-sweep".into(), seed: 5, ..Settings::default() };
    settings.prepare(None).unwrap().processor()
}

fn expected(blocks: usize, big_endian: bool) -> Vec<u8> {
    let mut processor = processor();
    let blocks = (0..blocks).flat_map(|_| processor.block().bytes(processor.program(), big_endian));
    blocks.collect()
}

/// So many blocks with these settings, as fast as the reader takes them.
fn delivery(blocks: Option<u64>, settings: Settings) -> Delivery {
    Delivery { period_ns: 0, settings, lasting: None, blocks }
}

struct Running {
    address: String,
    stop: Arc<AtomicBool>,
    /// Blocks lost for want of room, as far as it has said.
    overflowed: Arc<AtomicU64>,
    thread: Option<JoinHandle<Tally>>,
}

impl Running {
    fn start(outlet: Outlet, place: Option<Place>, delivery: Delivery, record: Option<&std::path::Path>) -> Self {
        let address = outlet.address();
        let processor = processor();
        let record = record.map(|path| Record::create(path, processor.program()).unwrap());
        let emulator = Emulator::new(processor, delivery, outlet, place, record);
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        let overflowed = Arc::new(AtomicU64::new(0));
        let reported = Arc::clone(&overflowed);
        let thread = std::thread::spawn(move || {
            let mut watch = |tally: &Tally| reported.store(tally.overflowed, Ordering::Relaxed);
            emulator.run(&|| asked.load(Ordering::Relaxed), &mut watch).unwrap()
        });
        Self { address, stop, overflowed, thread: Some(thread) }
    }

    /// Through a pipe, whose reading end is returned.
    fn through_pipe(delivery: Delivery, record: Option<&std::path::Path>) -> (Self, PipeReader) {
        let (reading_end, writing_end) = std::io::pipe().unwrap();
        (Self::start(Outlet::pipe(writing_end.into()).unwrap(), None, delivery, record), reading_end)
    }

    fn at(place: &Place, delivery: Delivery) -> Self {
        Self::start(Outlet::open(place).unwrap(), Some(place.clone()), delivery, None)
    }

    fn end(mut self) -> Tally {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap()
    }

    fn wait(mut self) -> Tally {
        self.thread.take().unwrap().join().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn read(reader: &mut impl Read, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    reader.read_exact(&mut bytes).unwrap();
    bytes
}

fn read_all(mut reader: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).unwrap();
    bytes
}
