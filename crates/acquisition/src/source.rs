//! What every source of raw numbers is to the loop that asks it.

use std::os::fd::BorrowedFd;

use crate::Sample;

/// Whose clock a source's sample times come from. All of them are given on the monotonic clock of
/// this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The time at which the data was found here: it includes the way from the hardware.
    Arrival,
    /// The kernel stamped the data when the interrupt came.
    Kernel,
    /// The hardware stamped it; the offset to our clock is estimated from the least delay seen.
    Hardware,
    /// The time at which a recording or a script says that it was measured, moved to the run's
    /// start.
    Recorded,
}

/// How a source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Open, but nothing has arrived yet.
    Waiting,
    /// Data arrives.
    Flowing,
    /// Open, and nothing has arrived for longer than it should.
    Stalled,
    /// Closed, unplugged or broken: it has to be opened again.
    Gone,
    /// A recording that has come to its end.
    Ended,
    /// Data arrives, but it makes sense only with the bytes of its numbers in the other order; it
    /// is refused.
    Swapped,
}

/// What a source has seen since it was made; openings after a disconnect go on counting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Whole samples taken.
    pub blocks: u64,
    /// Bytes taken.
    pub bytes: u64,
    /// Opportunities at which nothing had arrived.
    pub empty_reads: u64,
    /// Opportunities at which more than one sample had arrived.
    pub bursts: u64,
    /// Most samples at one opportunity.
    pub largest_burst: u64,
    /// Opportunities that ended inside a sample, whose beginning was kept.
    pub remainders: u64,
    /// Samples that are missing, by their numbers.
    pub lost: u64,
    /// Samples that came again.
    pub duplicated: u64,
    /// Samples that were refused: checksum, format or meaning.
    pub corrupted: u64,
    /// Times that the beginning of a sample had to be searched for.
    pub resynchronised: u64,
    /// Times that the source was opened again.
    pub reconnects: u64,
}

impl Counters {
    /// Counts one opportunity: so many samples and bytes have arrived, and so many bytes of an
    /// unfinished sample are kept.
    #[inline]
    pub fn opportunity(&mut self, samples: u64, bytes: u64, remainder: usize) {
        self.blocks += samples;
        self.bytes += bytes;
        self.empty_reads += u64::from(bytes == 0);
        self.bursts += u64::from(samples > 1);
        self.largest_burst = self.largest_burst.max(samples);
        self.remainders += u64::from(bytes > 0 && remainder > 0);
    }
}

/// A source of raw numbers, open. Everything here but its making and dropping is real-time safe: it
/// neither waits, allocates nor prints.
pub trait Source: Send {
    /// Names of its numbers, in the order of [`Sample::raw`].
    fn channels(&self) -> &[String];

    /// Whose clock the sample times come from.
    fn clock(&self) -> Clock;

    /// What to wait for with `poll`; `None` for a source that has to be asked on the clock.
    fn descriptor(&self) -> Option<BorrowedFd<'_>>;

    /// Takes everything that has arrived, without waiting, and hands it over, oldest first.
    fn take(&mut self, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State;

    /// What it has seen.
    fn counters(&self) -> &Counters;

    /// The torque at the driver's steering wheel (Nm, positive to the left), for hardware that
    /// can give it.
    fn set_torque(&mut self, _torque_nm: f64, _now_ns: u64) {}
}

/// Why a source could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct OpenError {
    /// The device, file or address.
    pub place: String,
    /// What went wrong, and what was expected.
    pub problem: String,
}

/// A source that can be opened, and opened again when its hardware was unplugged. Off the real-time
/// path.
pub trait Opening: Send {
    /// Opens it. Counters go on from those given.
    fn open(&self, counters: Counters) -> Result<Box<dyn Source>, OpenError>;
}
