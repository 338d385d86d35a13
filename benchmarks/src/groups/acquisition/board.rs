//! A board that writes blocks into a FIFO on a CPU of its own, and remembers when.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, PipeReader, PipeWriter, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use acquisition::stream::{FrameStamp, Layout, encode_frame};
use anyhow::{Context as _, Result};
use nix::fcntl::OFlag;
use nix::sys::stat::Mode;
use rt::clock::{monotonic_ns, sleep_through_signals_until_ns};

use crate::neighbour;
use crate::place::Seat;

/// The board begins this long after it was started, when everybody is in place.
const START_NS: u64 = 20_000_000;

/// A warm board is awake for so long before it writes.
const AWAKE_NS: u64 = 60_000;

/// A new FIFO in the folder of this run; it goes when this is dropped.
pub struct Fifo(pub PathBuf);

impl Fifo {
    pub fn new(folder: &Path) -> Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let path = folder.join(format!("board-{}", COUNT.fetch_add(1, Ordering::Relaxed)));
        nix::unistd::mkfifo(&path, Mode::S_IRUSR | Mode::S_IWUSR).context("cannot make a FIFO")?;
        Ok(Self(path))
    }
}

impl Drop for Fifo {
    fn drop(&mut self) {
        // It lies in a folder that is removed as a whole.
        let _ = std::fs::remove_file(&self.0);
    }
}

#[derive(Clone, Copy)]
pub struct Orders {
    pub blocks: u32,
    /// Time from block to block (ns).
    pub period_ns: u64,
    /// Time from number to number within a block (ns); 0 sends whole blocks.
    pub value_ns: u64,
    /// Whether blocks have headers.
    pub framed: bool,
    /// Whether the board is warm when it writes, and the core is looked at after each block.
    pub probed: bool,
    pub seat: Seat,
}

/// What the board remembers.
pub struct Sent {
    /// When the last byte of each block had been written: when the write came back (ns).
    pub at_ns: Vec<u64>,
    /// How long that write took (ns).
    pub write_ns: Vec<f64>,
    /// How long the probe after each block took, if it was asked for (ns).
    pub probe_ns: Vec<f64>,
    /// Blocks that found the pipe full.
    pub overflows: u64,
    /// Before and after the last write (ns).
    last_ns: [u64; 2],
}

/// The numbers of a block: its own number in a form that stays plausible, so that a torn block is
/// seen.
pub fn numbers(block: u32) -> [f64; 3] {
    let short = f64::from((block & 0x0fff) as i16);
    [short, f64::from((block >> 12 & 0x0fff) as i16), f64::from(block)]
}

pub fn is_whole(raw: &[f64]) -> bool {
    raw[2] >= 0.0 && raw[2] <= f64::from(u32::MAX) && raw[..3] == numbers(raw[2] as u32)
}

/// Sends blocks until all are sent, and counts the whole ones. Runs in a thread of its own; the
/// reading end must be open.
pub fn send(path: &Path, orders: Orders, whole: &AtomicU32) -> Result<Sent> {
    // Without waiting: a pipe that is full is an overflow, as on a real board.
    let flags = OFlag::O_NONBLOCK.bits();
    let mut pipe = OpenOptions::new().write(true).custom_flags(flags).open(path)?;
    let layout = Layout::board();
    let ends: Vec<usize> = layout.places().iter().map(|(start, kind)| start + kind.bytes()).collect();
    let mut sent = Sent {
        at_ns: Vec::with_capacity(orders.blocks as usize),
        write_ns: Vec::with_capacity(orders.blocks as usize),
        probe_ns: Vec::with_capacity(orders.blocks as usize),
        overflows: 0,
        last_ns: [0; 2],
    };
    let (mut payload, mut frame) = (Vec::with_capacity(64), Vec::with_capacity(64));
    orders.seat.take()?;
    let mut warm = Warm::new()?;
    let began_ns = monotonic_ns() + START_NS;
    for block in 0..orders.blocks {
        payload.clear();
        layout.encode(&numbers(block), &mut payload);
        let due_ns = began_ns + u64::from(block) * orders.period_ns;
        if orders.probed {
            warm.wait_until(due_ns)?;
        } else {
            sleep_through_signals_until_ns(due_ns);
        }
        if orders.framed {
            frame.clear();
            let stamp = FrameStamp { sequence: block, hardware_ns: due_ns };
            encode_frame(stamp, &payload, &mut frame);
            sent.write(&mut pipe, &frame)?;
        } else if orders.value_ns == 0 {
            sent.write(&mut pipe, &payload)?;
        } else {
            let mut start = 0;
            for (index, &end) in ends.iter().enumerate() {
                sleep_through_signals_until_ns(due_ns + index as u64 * orders.value_ns);
                sent.write(&mut pipe, &payload[start..end])?;
                start = end;
            }
        }
        let [begun_ns, written_ns] = sent.last_ns;
        sent.at_ns.push(written_ns);
        sent.write_ns.push((written_ns - begun_ns) as f64);
        whole.store(block + 1, Ordering::Release);
        if orders.probed {
            sent.probe_ns.push(neighbour::chains_ns());
        }
    }
    Ok(sent)
}

/// A real board does not sleep, and its write is not part of what is measured: this one is awake a
/// while before, and writes to a pipe of its own until the time has come, so that the write that
/// counts finds its way in the caches.
struct Warm {
    reader: PipeReader,
    writer: PipeWriter,
}

impl Warm {
    fn new() -> Result<Self> {
        let (reader, writer) = std::io::pipe()?;
        Ok(Self { reader, writer })
    }

    fn wait_until(&mut self, due_ns: u64) -> Result<()> {
        sleep_through_signals_until_ns(due_ns.saturating_sub(AWAKE_NS));
        let mut bytes = [0; 8];
        while monotonic_ns() < due_ns {
            self.writer.write_all(&bytes)?;
            self.reader.read_exact(&mut bytes)?;
        }
        Ok(())
    }
}

impl Sent {
    /// Writes, and remembers when.
    fn write(&mut self, pipe: &mut File, bytes: &[u8]) -> Result<()> {
        let begun_ns = monotonic_ns();
        let written = pipe.write(bytes);
        self.last_ns = [begun_ns, monotonic_ns()];
        match written {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                self.overflows += 1;
                Ok(())
            }
            Err(error) => Err(error).context("the board cannot write"),
        }
    }
}

/// What a thread has to say; its panic is ours.
pub fn join<T>(thread: thread::ScopedJoinHandle<'_, Result<T>>) -> Result<T> {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
