//! What every source of raw numbers is to the loop that asks it.

use std::fmt::Display;
use std::os::fd::BorrowedFd;

use crate::Sample;

/// Whose clock sample times come from. All of them are given on this machine's monotonic clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The time at which the data was found here: it includes the way from the hardware.
    Arrival,
    /// The kernel stamped the data when the interrupt came.
    Kernel,
    /// The hardware stamped it; the offset to our clock is estimated from the least delay seen.
    Hardware,
    /// The time that a recording or a script gives, moved to the run's start.
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
    /// Data arrives, but makes sense only with its bytes in the other order; it is refused.
    Swapped,
}

/// What a source has seen since it was made, as in `/acquisition/`; openings after a disconnect go
/// on counting. Its state, clock and newest time are filled in where it is published.
pub type Counters = signals::blocks::SourceStatus;

/// Counts one opportunity, at which so many samples had arrived.
#[inline]
pub(crate) fn opportunity(counters: &mut Counters, samples: u64, is_empty: bool) {
    counters.blocks += samples;
    counters.empty_reads += u64::from(is_empty);
    counters.bursts += u64::from(samples > 1);
    counters.largest_burst = counters.largest_burst.max(samples);
}

/// A source of raw numbers, open. Everything here but its making and dropping is real-time safe: it
/// neither waits, allocates nor prints.
pub trait Source: Send {
    /// Names of its numbers, in the order of [`Sample::raw`].
    fn channels(&self) -> &[String];

    /// Whose clock the sample times come from.
    fn clock(&self) -> Clock;

    /// What to wait for with `poll`; `None` for a source that has to be asked on the clock.
    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    /// Takes everything that has arrived, without waiting, and hands it over, oldest first.
    fn take(&mut self, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State;

    /// What it has seen.
    fn counters(&self) -> &Counters;

    /// The torque at the steering wheel (Nm, positive to the left), for hardware that can give it.
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

impl OpenError {
    /// A problem at a place.
    pub fn new(place: impl Display, problem: impl Display) -> Self {
        Self { place: place.to_string(), problem: problem.to_string() }
    }
}

/// A source that can be opened, and again when it was unplugged. Off the real-time path.
pub trait Opening: Send {
    /// Opens it. Counters go on from those given.
    fn open(&self, counters: Counters) -> Result<Box<dyn Source>, OpenError>;
}
