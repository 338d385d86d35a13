//! The board while it samples.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use super::super::arrivals::Arrivals;
use super::super::ioctl::comedi::Board;
use super::super::records::Records;
use super::scan::Layout;
use crate::{Clock, Counters, Sample, Source, State};

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
    records: Records,
    last_ns: u64,
}

impl ComediSource {
    /// Takes scans of this layout, one per period.
    pub fn new(stream: Stream, names: Vec<String>, layout: Layout, period_ns: u64, arrivals: Arrivals) -> Self {
        let records = Records::new(layout.scan_bytes());
        Self { stream, names, layout, period_ns, arrivals, records, last_ns: 0 }
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
        let Self { stream, layout, period_ns, arrivals, records, last_ns, .. } = self;
        let size = layout.scan_bytes();
        // A command that has ended reads as the end: the kernel's buffer overflowed, or the board
        // reported an error.
        let samples = records.take(stream, arrivals, |scans| {
            let count = (scans.len() / size) as u64;
            for (before_newest, scan) in (0..count).rev().zip(scans.chunks_exact(size)) {
                let sampled_ns = now_ns.saturating_sub(before_newest * *period_ns);
                let mut sample = Sample::empty(sampled_ns.max(*last_ns).min(now_ns));
                layout.read(scan, &mut sample);
                *last_ns = sample.sample_ns;
                each(&sample);
            }
            count
        });
        arrivals.taken(samples, now_ns)
    }

    fn counters(&self) -> &Counters {
        &self.arrivals.counters
    }
}
