//! When the next block is to be expected, learnt from when blocks were found.
//!
//! Blocks come with one period, and are found late, often several at once, but never before they
//! have come. So the period is the mean over many blocks, which one late look hardly moves, and the
//! time at which a block is expected follows the earliest finds: with T the period and n blocks
//! found at t, the newest of which was expected at e,
//! ```text
//! T = (t_b − t_a) / (blocks from a to b)                                                       (1)
//! e ← t  if t < e or t > e + T,   else  e + (t − e)/16;      the next one is expected at e + T      (2)
//! ```

/// Blocks of a mean.
const BLOCKS: u64 = 32;
/// What a late find moves the expected time by.
const FOLLOW: u64 = 16;

/// The pace of the data.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// When the blocks of the present mean began to be counted (ns), and how many they are.
    began_ns: u64,
    blocks: u64,
    period_ns: Option<u64>,
    expected_ns: u64,
}

impl Pace {
    /// So many blocks were found at this time.
    #[inline]
    pub fn received(&mut self, now_ns: u64, blocks: u64) {
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
    pub fn next(&self) -> Option<(u64, u64)> {
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
