//! The board while it samples.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::unistd::read;

use super::super::arrivals::Arrivals;
use super::super::ioctl::comedi::Board;
use super::scan::Layout;
use crate::{Clock, Counters, Sample, Source, State};

/// Bytes at one read.
const BUFFER_BYTES: usize = 16 * 1024;
/// No opportunity takes longer than so many reads.
const MOST_READS: usize = 64;

/// Where scans come from.
pub(super) enum Stream {
    /// A board, which is stopped when it is dropped.
    Board(Board, u32),
    /// Any descriptor that does not block.
    #[cfg_attr(not(test), allow(dead_code))]
    Descriptor(OwnedFd),
}

impl AsFd for Stream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Board(board, _) => board.as_fd(),
            Self::Descriptor(descriptor) => descriptor.as_fd(),
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Self::Board(board, subdevice) = self {
            let _ = board.cancel(*subdevice);
        }
    }
}

/// A board that samples.
///
/// The board gives no times. The newest scan of an opportunity counts as measured when it was
/// found, those before it one period earlier each, and no scan before the one that came before it.
pub(super) struct ComediSource {
    stream: Stream,
    names: Vec<String>,
    layout: Layout,
    period_ns: u64,
    arrivals: Arrivals,
    buffer: Box<[u8]>,
    held: usize,
    last_ns: u64,
}

impl ComediSource {
    /// Takes scans of this layout, one per period.
    pub fn new(
        stream: Stream,
        names: Vec<String>,
        layout: Layout,
        period_ns: u64,
        arrivals: Arrivals,
    ) -> Self {
        Self {
            stream,
            names,
            layout,
            period_ns,
            arrivals,
            buffer: vec![0; BUFFER_BYTES].into(),
            held: 0,
            last_ns: 0,
        }
    }

    /// The whole scans in the buffer; how many there were. The unfinished one stays.
    fn hand_over(&mut self, filled: usize, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> u64 {
        let size = self.layout.scan_bytes();
        let scans = filled / size;
        for (index, scan) in self.buffer[..scans * size].chunks_exact(size).enumerate() {
            let before_newest_ns = (scans - 1 - index) as u64 * self.period_ns;
            let mut sample =
                Sample::empty(now_ns.saturating_sub(before_newest_ns).max(self.last_ns).min(now_ns));
            self.layout.read(scan, &mut sample);
            self.last_ns = sample.sample_ns;
            each(&sample);
        }
        self.buffer.copy_within(scans * size..filled, 0);
        self.held = filled - scans * size;
        scans as u64
    }
}

impl Source for ComediSource {
    fn channels(&self) -> &[String] {
        &self.names
    }

    fn clock(&self) -> Clock {
        Clock::Arrival
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        (!self.arrivals.has_left()).then(|| self.stream.as_fd())
    }

    fn take(&mut self, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State {
        let mut samples = 0;
        for _ in 0..MOST_READS {
            if self.arrivals.has_left() {
                break;
            }
            match read(&self.stream, &mut self.buffer[self.held..]) {
                // The command has ended: the kernel's buffer overflowed, or the board reported an
                // error.
                Ok(0) => self.arrivals.leave(),
                Ok(bytes) => {
                    self.arrivals.counters.bytes += bytes as u64;
                    samples += self.hand_over(self.held + bytes, now_ns, each);
                }
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => break,
                Err(_) => self.arrivals.leave(),
            }
        }
        self.arrivals.counters.remainders += u64::from(self.held > 0);
        self.arrivals.taken(samples, now_ns)
    }

    fn counters(&self) -> &Counters {
        &self.arrivals.counters
    }
}
