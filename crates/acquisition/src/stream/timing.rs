//! When a block was measured, on our clock.
//!
//! A block says when it was measured only if it has a header, and then on the board's clock.
//! Without one there is the time at which it was found, which is late by the way through the pipe
//! and by the scheduler, and the same for all blocks of a burst. Let aₖ be the arrival of block k,
//! bₖ how many are behind it, T the sampling period and hₖ the board's time:
//!
//! ```text
//! arrival:   tₖ = tₖ₋₁ + (aₖ − tₖ₋₁) / (bₖ + 1)             a burst is spread over the time since the last one         (1)
//! period:    lₖ = aₖ − bₖ T                                  the latest at which it can have been measured              (2)
//!            pₖ = tₖ₋₁ + T,   tₖ = lₖ if lₖ < pₖ             never later than that
//!            tₖ = pₖ + (lₖ − pₖ) / 256  otherwise            slowly after a board whose clock is slower                 (3)
//!            tₖ = lₖ if lₖ − pₖ > 20 T                       the board had stopped, or blocks were lost
//! hardware:  tₖ = hₖ + d,   d = min(d, aₖ − hₖ) + a little   the least delay seen is that of the way                    (4)
//! ```

/// Follows a clock that is slower than ours by up to 1/256 of the delay per block.
const FOLLOW: u64 = 256;
/// As many periods without a block, and the count starts again.
const STOPPED_PERIODS: u64 = 20;
/// The least delay is forgotten over so many blocks.
const FORGET: i64 = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    Arrival,
    /// From the arrival and the sampling period (ns).
    Period(u64),
    Hardware,
}

/// Finds the time of one block after the other.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    timing: Timing,
    last_ns: Option<u64>,
    last_hardware_ns: u64,
    least_delay_ns: i64,
}

impl Times {
    pub fn new(timing: Timing) -> Self {
        Self { timing, last_ns: None, last_hardware_ns: 0, least_delay_ns: i64::MAX }
    }

    /// The time of a block that was found at `now_ns` with `behind` more behind it. Times rise.
    pub fn of(&mut self, now_ns: u64, behind: usize, hardware_ns: Option<u64>) -> u64 {
        let behind = behind as u64;
        let found = match (self.timing, hardware_ns, self.last_ns) {
            (Timing::Hardware, Some(hardware_ns), _) => self.hardware(now_ns, hardware_ns),
            (Timing::Period(period_ns), _, last_ns) => period(now_ns, behind, period_ns, last_ns),
            (_, _, Some(last_ns)) => last_ns + now_ns.saturating_sub(last_ns) / (behind + 1), // Eq. (1)
            (_, _, None) => now_ns,
        };
        let rising = self.last_ns.map_or(found, |last_ns| found.max(last_ns + 1));
        self.last_ns = Some(rising);
        rising
    }

    /// Eq. (4).
    fn hardware(&mut self, now_ns: u64, hardware_ns: u64) -> u64 {
        let delay_ns = now_ns.wrapping_sub(hardware_ns) as i64;
        let began_anew = hardware_ns < self.last_hardware_ns;
        self.last_hardware_ns = hardware_ns;
        self.least_delay_ns = if began_anew || delay_ns <= self.least_delay_ns {
            delay_ns
        } else {
            self.least_delay_ns + (delay_ns - self.least_delay_ns) / FORGET
        };
        hardware_ns.wrapping_add_signed(self.least_delay_ns)
    }
}

/// Eqs. (2) and (3).
fn period(now_ns: u64, behind: u64, period_ns: u64, last_ns: Option<u64>) -> u64 {
    let latest_ns = now_ns.saturating_sub(behind.saturating_mul(period_ns));
    let Some(last_ns) = last_ns else { return latest_ns };
    let predicted_ns = last_ns + period_ns;
    let late_ns = latest_ns.saturating_sub(predicted_ns);
    if latest_ns < predicted_ns || late_ns > STOPPED_PERIODS * period_ns {
        latest_ns
    } else {
        predicted_ns + late_ns / FOLLOW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    #[test]
    fn a_burst_is_spread_over_the_time_since_the_last_block() {
        let mut times = Times::new(Timing::Arrival);
        assert_eq!(times.of(10 * MS, 0, None), 10 * MS);
        let burst: Vec<u64> = (0..4).rev().map(|behind| times.of(18 * MS, behind, None)).collect();
        assert_eq!(burst, [12 * MS, 14 * MS, 16 * MS, 18 * MS]);
    }

    #[test]
    fn a_known_period_takes_the_scheduler_out() {
        let mut times = Times::new(Timing::Period(MS));
        // Measured each millisecond, found up to 0.9 ms late; the first at once.
        let late_ns = [0, 900_000, 300_000, 600_000, 100_000, 800_000];
        for (index, late_ns) in late_ns.iter().enumerate() {
            let true_ns = 100 * MS + index as u64 * MS;
            let found_ns = times.of(true_ns + late_ns, 0, None);
            // At most what is followed: 6 · 0.9 ms / 256.
            assert!(found_ns.abs_diff(true_ns) < 22_000, "{found_ns} instead of {true_ns}");
        }
        // It stops for a second: the count starts again.
        assert_eq!(times.of(1_200 * MS, 0, None), 1_200 * MS);
        // A burst of three: one period apart.
        let burst: Vec<u64> = (0..3).rev().map(|behind| times.of(1_203 * MS, behind, None)).collect();
        assert_eq!(burst, [1_201 * MS, 1_202 * MS, 1_203 * MS]);
    }

    #[test]
    fn the_boards_own_times_are_kept() {
        let mut times = Times::new(Timing::Hardware);
        assert_eq!(times.of(1_005 * MS, 0, Some(5 * MS)), 1_005 * MS);
        // Found 3 ms late: the board's time says when.
        let late = times.of(1_010 * MS, 0, Some(7 * MS));
        assert!(late.abs_diff(1_007 * MS) < 1_000, "{late}");
        // The board starts again.
        assert_eq!(times.of(1_020 * MS, 0, Some(0)), 1_020 * MS);
    }

    #[test]
    fn times_always_rise() {
        for timing in [Timing::Arrival, Timing::Period(MS), Timing::Hardware] {
            let mut times = Times::new(timing);
            let mut last = 0;
            for now_ns in [5, 5, 5, 4, 1, 2_000_000, 3] {
                let found = times.of(now_ns, 0, Some(now_ns));
                assert!(found > last);
                last = found;
            }
        }
    }
}
