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

/// Blocks of a mean.
const BLOCKS: u64 = 32;
/// What a late find moves the expected time by.
const FOLLOW: u64 = 16;

/// When the next block is to be expected, learnt from when blocks were found.
///
/// Blocks come with one period, and are found late, often several at once, but never before they
/// have come. So the period is the mean over many blocks, which one late look hardly moves, and the
/// time at which a block is expected follows the earliest finds: with T the period and n blocks
/// found at t, the newest of which was expected at e,
/// ```text
/// T = (t_b − t_a) / (blocks from a to b)                                                       (1)
/// e ← t  if t < e or t > e + T,   else  e + (t − e)/16;      the next one is expected at e + T      (2)
/// ```
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    /// When the blocks of the present mean began to be counted (ns), and how many they are.
    began_ns: u64,
    blocks: u64,
    period_ns: Option<u64>,
    expected_ns: u64,
}

impl Pace {
    /// So many blocks were found at this time.
    #[inline]
    fn received(&mut self, now_ns: u64, blocks: u64) {
        if self.began_ns == 0 {
            (self.began_ns, self.blocks) = (now_ns, 0);
        } else {
            self.blocks += blocks;
        }
        // Eq. (1)
        if self.blocks >= BLOCKS {
            let passed_ns = now_ns.saturating_sub(self.began_ns);
            self.period_ns = Some(passed_ns / self.blocks);
            (self.began_ns, self.blocks) = (now_ns, 0);
        }
        let Some(period_ns) = self.period_ns else {
            return;
        };
        // Eq. (2)
        let expected_ns = self.expected_ns + blocks.saturating_sub(1).saturating_mul(period_ns);
        let newest_ns = match now_ns.checked_sub(expected_ns) {
            Some(late_ns) if late_ns <= period_ns => expected_ns + late_ns / FOLLOW,
            _ => now_ns,
        };
        self.expected_ns = newest_ns + period_ns;
    }

    /// Period, and when the next block is expected (ns); `None` before there were enough.
    #[inline]
    fn next(&self) -> Option<(u64, u64)> {
        self.period_ns.map(|period_ns| (period_ns, self.expected_ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// Blocks each millisecond, found 5 to 45 µs late.
    fn regular(pace: &mut Pace, blocks: std::ops::Range<u64>) {
        for block in blocks {
            pace.received(1_000 * MS + block * MS + 5_000 + 7_919 * block % 40_000, 1);
        }
    }

    #[test]
    fn nothing_is_expected_before_enough_has_come() {
        let mut pace = Pace::default();
        regular(&mut pace, 0..32);
        assert_eq!(pace.next(), None);
        regular(&mut pace, 32..33);
        assert!(pace.next().is_some());
    }

    #[test]
    fn the_next_block_is_expected_when_the_quickest_would_come() {
        let mut pace = Pace::default();
        regular(&mut pace, 0..500);
        let (period_ns, next_ns) = pace.next().unwrap();
        assert!(period_ns.abs_diff(MS) < 2_000, "{period_ns}");
        let after_ns = next_ns - (1_000 + 500) * MS;
        assert!((3_000..30_000).contains(&after_ns), "{after_ns}");
    }

    /// A machine that stands still for 4.6 ms finds five blocks at once, and the next one 400 µs
    /// later: neither shortens the period.
    #[test]
    fn a_stall_changes_neither_period_nor_time() {
        let mut pace = Pace::default();
        regular(&mut pace, 0..500);
        pace.received(1_000 * MS + 504 * MS + 600_000, 5);
        let (period_ns, next_ns) = pace.next().unwrap();
        assert!(period_ns.abs_diff(MS) < 2_000, "{period_ns}");
        let after_ns = next_ns - (1_000 + 505) * MS;
        assert!(after_ns < 100_000, "{after_ns}");
        regular(&mut pace, 505..600);
        let (period_ns, _) = pace.next().unwrap();
        assert!(period_ns.abs_diff(MS) < 20_000, "{period_ns}");
    }

    #[test]
    fn another_pace_is_learnt() {
        let mut pace = Pace::default();
        regular(&mut pace, 0..100);
        for block in 0..100 {
            pace.received(2_000 * MS + block * 2 * MS, 1);
        }
        let (period_ns, next_ns) = pace.next().unwrap();
        assert_eq!((period_ns, next_ns), (2 * MS, 2_000 * MS + 100 * 2 * MS));
    }
}
