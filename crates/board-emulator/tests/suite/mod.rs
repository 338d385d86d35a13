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

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;

use board_emulator::delivery::{Faults, Outlet, Place, Record, Tally};
use board_emulator::hardware::SensorError;
use board_emulator::manoeuvre::Manoeuvre;
use board_emulator::script::Program;
use board_emulator::{Delivery, Emulator, Processor, Random};

/// A board whose blocks are known.
fn processor() -> Processor {
    let error = SensorError { zero_counts: -6.0, noise_counts: 2.0 };
    let program = Program::load("con_dap").unwrap();
    let manoeuvre = Manoeuvre::load("steering-sweep").unwrap();
    Processor::new(program, manoeuvre, 32_700, error, Random::new(5))
}

/// The bytes of its first blocks.
fn expected(blocks: usize, big_endian: bool) -> Vec<u8> {
    let mut processor = processor();
    let mut all = Vec::new();
    for _ in 0..blocks {
        let block = processor.block();
        let mut bytes = Vec::new();
        block.bytes(processor.program(), big_endian, &mut bytes);
        all.extend(bytes);
    }
    all
}

/// As fast as the reader takes them, without faults.
fn delivery() -> Delivery {
    Delivery {
        period_ns: 0,
        memory_bytes: 1 << 20,
        framed: false,
        faults: Faults::default(),
        seed: 1,
        lasting: None,
        blocks: None,
    }
}

/// An emulator in a thread of its own.
struct Running {
    /// What a reader has to open.
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

    fn at(place: &Place, delivery: Delivery) -> Self {
        Self::start(Outlet::open(place).unwrap(), Some(place.clone()), delivery, None)
    }

    /// Stops it, and waits.
    fn end(mut self) -> Tally {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap()
    }

    /// Waits until it ends by itself.
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
