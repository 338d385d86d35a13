//! The board while it samples, and the bytes of its scans.

use std::os::fd::{AsFd, BorrowedFd};

use super::super::arrivals::Arrivals;
use super::super::ioctl::comedi::Board;
use super::super::records::{Device, RecordSource};
use crate::{Clock, Counters, Sample};

/// value = least + per_count · sample: Eq. (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Conversion {
    pub least: f64,
    pub per_count: f64,
}

impl Conversion {
    /// Of a range in millionths and the greatest sample.
    pub fn new(least: i32, greatest: i32, greatest_sample: u32) -> Self {
        let (least, greatest) = (1e-6 * f64::from(least), 1e-6 * f64::from(greatest));
        Self { least, per_count: (greatest - least) / f64::from(greatest_sample.max(1)) }
    }
}

/// How a scan lies in the stream: one sample per channel, of this machine's byte order.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// 2 or 4.
    pub sample_bytes: usize,
    pub conversions: Vec<Conversion>,
}

impl Layout {
    fn read(&self, scan: &[u8], sample: &mut Sample) {
        for (channel, (bytes, conversion)) in scan.chunks_exact(self.sample_bytes).zip(&self.conversions).enumerate() {
            let count = match *bytes {
                [a, b] => u32::from(u16::from_ne_bytes([a, b])),
                [a, b, c, d] => u32::from_ne_bytes([a, b, c, d]),
                _ => return,
            };
            sample.set(channel, conversion.least + conversion.per_count * f64::from(count));
        }
    }
}

/// A board that samples with one of its parts, and is stopped when it is dropped.
pub(super) struct Sampling(pub Board, pub u32);

impl AsFd for Sampling {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Drop for Sampling {
    fn drop(&mut self) {
        let _ = self.0.cancel(self.1);
    }
}

/// Scans from a board, or from any descriptor that does not block.
///
/// The board gives no times. The newest scan of an opportunity counts as measured when it was
/// found, those before it one period earlier each, and no scan before the one that came before it.
/// A command that has ended reads as the end: the kernel's buffer overflowed, or the board reported
/// an error.
pub(super) struct Scans<S> {
    stream: S,
    layout: Layout,
    period_ns: u64,
    last_ns: u64,
}

impl<S: AsFd + Send> Scans<S> {
    pub fn source(
        stream: S,
        names: Vec<String>,
        layout: Layout,
        period_ns: u64,
        arrivals: Arrivals,
    ) -> RecordSource<Self> {
        let scan_bytes = layout.sample_bytes * layout.conversions.len();
        let scans = Self { stream, layout, period_ns, last_ns: 0 };
        RecordSource::new(scans, names, Clock::Arrival, scan_bytes, arrivals)
    }
}

impl<S: AsFd> AsFd for Scans<S> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

impl<S: AsFd + Send> Device for Scans<S> {
    fn handle(&mut self, scans: &[u8], now_ns: u64, _: &mut Counters, each: &mut dyn FnMut(&Sample)) -> u64 {
        let scans = scans.chunks_exact(self.layout.sample_bytes * self.layout.conversions.len());
        let count = scans.len() as u64;
        for (before_newest, scan) in (0..count).rev().zip(scans) {
            let sampled_ns = now_ns.saturating_sub(before_newest * self.period_ns);
            let mut sample = Sample::empty(sampled_ns.max(self.last_ns).min(now_ns));
            self.layout.read(scan, &mut sample);
            self.last_ns = sample.sample_ns;
            each(&sample);
        }
        count
    }
}
