//! Waiting for data: asleep until a descriptor has some or the period is over, or awake on a CPU of
//! one's own.
//!
//! A spinner finds a block within a microsecond, but a real-time thread that never sleeps is
//! stopped by the kernel for 50 ms of every second. So it learns when blocks come ([`Pace`]),
//! sleeps until shortly before the next one, and spins only then and not for long: what is late is
//! waited for asleep. Data that comes more slowly than at 1 kHz is always waited for asleep:
//! nothing that slow is worth a CPU. Early data ends each of these sleeps.

use std::io::{PipeReader, PipeWriter};
use std::os::fd::AsFd;

use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::{TimeSpec, TimeValLike};
use rt::clock::monotonic_ns;
use service::Placement;
use service::config::Exchange;
use shm_layout::Wait;
use shm_layout::blocks::SOURCES_MAX;

use super::MeasuringChain;
use super::pace::Pace;

/// How long before the next block the spinning begins: more than a wake-up takes (ns).
const AHEAD_NS: u64 = 200_000;
/// How long to spin for a block that is late (ns).
const GIVE_UP_NS: u64 = 200_000;
/// Blocks that come further apart are waited for asleep: 1 kHz, with room for a board whose clock
/// is slow (ns).
const SLOW_NS: u64 = 1_100_000;
/// Period of the cache warm-up while spinning (ns).
const WARM_UP_NS: u64 = 10_000;

/// How to wait, and what that needs.
pub struct Waiting {
    how: Wait,
    pace: Pace,
    warmed_ns: u64,
    /// A descriptor that never has data, in the place of sources without one; open as long as its
    /// other end.
    silent: PipeReader,
    _silent_end: PipeWriter,
}

impl Waiting {
    /// Waits in this way.
    pub fn new(how: Wait) -> std::io::Result<Self> {
        let (silent, silent_end) = std::io::pipe()?;
        Ok(Self { how, pace: Pace::default(), warmed_ns: 0, silent, _silent_end: silent_end })
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

    /// There were so many blocks at this time.
    #[inline]
    pub fn received(&mut self, now_ns: u64, blocks: u64) {
        self.pace.received(now_ns, blocks);
    }

    /// Returns when a source may have data, or at the deadline, or when a signal comes. Real-time
    /// safe.
    #[inline]
    pub fn wait(&mut self, chain: &mut MeasuringChain, deadline_ns: u64) {
        let now_ns = monotonic_ns();
        match self.pace.next() {
            Some((period_ns, next_ns)) if self.how == Wait::Spin && period_ns <= SLOW_NS => {
                let awake_ns = next_ns.saturating_sub(AHEAD_NS);
                if now_ns < awake_ns {
                    self.sleep(chain, now_ns, awake_ns.min(deadline_ns));
                } else if now_ns > next_ns + GIVE_UP_NS {
                    self.sleep(chain, now_ns, deadline_ns);
                } else if now_ns >= self.warmed_ns + WARM_UP_NS {
                    chain.warm_caches(now_ns);
                    self.warmed_ns = now_ns;
                } else {
                    std::hint::spin_loop();
                }
            }
            _ => self.sleep(chain, now_ns, deadline_ns),
        }
    }

    #[inline]
    fn sleep(&self, chain: &MeasuringChain, now_ns: u64, until_ns: u64) {
        let mut asked: [PollFd<'_>; SOURCES_MAX] = std::array::from_fn(|index| match chain.descriptor(index) {
            Some(descriptor) => PollFd::new(descriptor, PollFlags::POLLIN),
            None => PollFd::new(self.silent.as_fd(), PollFlags::empty()),
        });
        let count = chain.slots.len().min(SOURCES_MAX);
        let left_ns = until_ns.saturating_sub(now_ns);
        let timeout = TimeSpec::nanoseconds(i64::try_from(left_ns).unwrap_or(i64::MAX));
        // Whatever ends the wait: the sources say what there is.
        let _ = ppoll(&mut asked[..count], Some(timeout), None);
    }
}
