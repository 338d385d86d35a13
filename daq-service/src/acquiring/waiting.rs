//! Waiting for data: asleep until a descriptor has some or the period is over, or awake on a CPU of one's own.
//!
//! A spinner finds a block within a microsecond, but a real-time thread that never sleeps is stopped by the kernel for 50 ms of every second. So it
//! learns how far apart blocks come, sleeps until shortly before the next one, and spins only then and not for long: what is late is waited for asleep.
//! Data that comes more slowly than at 1 kHz is always waited for asleep: nothing that slow is worth a CPU. Early data ends each of these sleeps.

use std::io::{PipeReader, PipeWriter};
use std::os::fd::AsFd;

use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::{TimeSpec, TimeValLike};
use rt::clock::monotonic_ns;
use service::Placement;
use service::config::Exchange;
use shm_layout::Wait;
use shm_layout::blocks::SOURCES_MAX;

use super::Acquiring;

/// How long before the next block the spinning begins: more than a wake-up takes (ns).
const AHEAD_NS: u64 = 100_000;
/// How long to spin for a block that is late (ns).
const GIVE_UP_NS: u64 = 200_000;
/// Blocks that come further apart are waited for asleep: 1 kHz, with room for a board whose clock is slow (ns).
const SLOW_NS: u64 = 1_100_000;
/// The shortest distance of blocks is forgotten by 1/16 with each block.
const FORGET: u64 = 16;

/// How to wait, and what that needs.
pub struct Waiting {
    how: Wait,
    /// When data was last found, and the shortest distance of data lately (ns).
    heard_ns: u64,
    distance_ns: u64,
    /// A descriptor that never has data, in the place of sources without one; open as long as its other end.
    silent: PipeReader,
    _silent_end: PipeWriter,
}

impl Waiting {
    /// Waits as told.
    pub fn new(how: Wait) -> std::io::Result<Self> {
        let (silent, silent_end) = std::io::pipe()?;
        Ok(Self {
            how,
            heard_ns: 0,
            // Nothing is known: sleep until there was data.
            distance_ns: u64::MAX / 4,
            silent,
            _silent_end: silent_end,
        })
    }

    /// As the configuration says and the CPU plan allows.
    #[must_use]
    pub fn choose(wait: Exchange, placement: &Placement) -> Wait {
        match wait {
            Exchange::Spin => Wait::Spin,
            Exchange::Auto if placement.may_spin => Wait::Spin,
            Exchange::Auto | Exchange::Sleep => Wait::Sleep,
        }
    }

    /// There was data at this time.
    #[inline]
    pub fn heard(&mut self, now_ns: u64) {
        let distance_ns = now_ns.saturating_sub(self.heard_ns);
        self.distance_ns = distance_ns.min(self.distance_ns + self.distance_ns / FORGET);
        self.heard_ns = now_ns;
    }

    /// Returns when a source may have data, or at the deadline, or when a signal comes. Real-time safe.
    #[inline]
    pub fn wait(&self, acquiring: &Acquiring, deadline_ns: u64) {
        let now_ns = monotonic_ns();
        if self.how == Wait::Sleep || self.distance_ns > SLOW_NS {
            return self.sleep(acquiring, now_ns, deadline_ns);
        }
        let awake_ns = (self.heard_ns + self.distance_ns).saturating_sub(AHEAD_NS);
        if now_ns < awake_ns {
            self.sleep(acquiring, now_ns, awake_ns.min(deadline_ns));
        } else if now_ns > awake_ns + AHEAD_NS + GIVE_UP_NS {
            self.sleep(acquiring, now_ns, deadline_ns);
        } else {
            std::hint::spin_loop();
        }
    }

    #[inline]
    fn sleep(&self, acquiring: &Acquiring, now_ns: u64, until_ns: u64) {
        let mut asked: [PollFd<'_>; SOURCES_MAX] =
            std::array::from_fn(|index| match acquiring.descriptor(index) {
                Some(descriptor) => PollFd::new(descriptor, PollFlags::POLLIN),
                None => PollFd::new(self.silent.as_fd(), PollFlags::empty()),
            });
        let count = acquiring.slots.len().min(SOURCES_MAX);
        let left_ns = until_ns.saturating_sub(now_ns);
        let timeout = TimeSpec::nanoseconds(i64::try_from(left_ns).unwrap_or(i64::MAX));
        // Whatever ends the wait: the sources say what there is.
        let _ = ppoll(&mut asked[..count], Some(timeout), None);
    }
}
