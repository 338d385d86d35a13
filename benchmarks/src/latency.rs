//! Wake-up latencies in bins of one microsecond, as `cyclictest` prints them and as we count ours.

use anyhow::{Context, Result};

use crate::companion::Wakeups;

impl Wakeups {
    /// Reads what `cyclictest -q -h` prints.
    pub fn parse_cyclictest(text: &str) -> Result<Self> {
        let mut wakeups = Self::default();
        for line in text.lines().filter(|line| !line.is_empty()) {
            if let Some(comment) = line.strip_prefix('#') {
                wakeups.take_comment(comment);
            } else if let Some((latency_us, count)) = line.split_once(char::is_whitespace) {
                let odd = || format!("cyclictest printed a line that is no bin of a histogram: {line}");
                let latency_us = latency_us.parse().with_context(odd)?;
                // One column for each thread.
                let counts = count.split_whitespace().map(str::parse::<u64>);
                let count = counts.sum::<Result<u64, _>>().with_context(odd)?;
                if count > 0 {
                    wakeups.counts.push((latency_us, count));
                }
            }
        }
        Ok(wakeups)
    }

    fn take_comment(&mut self, comment: &str) {
        let numbers = |name: &str| -> Option<Vec<u64>> {
            let columns = comment.trim().strip_prefix(name)?.split_whitespace();
            columns.map(|column| column.parse().ok()).collect()
        };
        if let Some(columns) = numbers("Max Latencies:") {
            self.max_us = columns.into_iter().max().unwrap_or(self.max_us);
        }
        if let Some(columns) = numbers("Histogram Overflows:") {
            self.beyond = columns.into_iter().sum();
        }
    }

    /// Adds those of another round.
    pub fn add(&mut self, other: &Self) {
        self.counts.extend_from_slice(&other.counts);
        self.counts.sort_unstable();
        self.counts.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            earlier.1 += if same { later.1 } else { 0 };
            same
        });
        self.beyond += other.beyond;
        self.max_us = self.max_us.max(other.max_us);
    }

    /// How many wake-ups there were.
    pub fn total(&self) -> u64 {
        self.beyond + self.counts.iter().map(|(_, count)| count).sum::<u64>()
    }

    /// A latency that this share of the wake-ups do not exceed [µs].
    ///
    /// Within the bin [b, b + 1) that holds rank r = share · n, with c wake-ups before it and k in it, the position is
    /// taken as proportional: b + (r − c) / k. Without that, two loops that differ by nanoseconds could seem to differ
    /// by a whole microsecond.
    pub fn percentile_us(&self, share: f64) -> f64 {
        let rank = share * self.total() as f64;
        let mut before = 0.0;
        for &(latency_us, count) in &self.counts {
            let count = count as f64;
            if before + count >= rank {
                return latency_us as f64 + (rank - before) / count;
            }
            before += count;
        }
        self.max_us as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "# /dev/cpu_dma_latency set to 0us\n# Histogram\n000000 000000\n000014 000003\n\
                           000016 000001\n# Total: 000000005\n# Min Latencies: 00014\n# Avg Latencies: 00021\n\
                           # Max Latencies: 20214\n# Histogram Overflows: 00001\n# Thread 0: 4\n";

    #[test]
    fn reads_the_output_of_cyclictest() {
        let wakeups = Wakeups::parse_cyclictest(PRINTED).unwrap();
        assert_eq!(wakeups.counts, [(14, 3), (16, 1)]);
        assert_eq!((wakeups.beyond, wakeups.max_us, wakeups.total()), (1, 20214, 5));
    }

    #[test]
    fn columns_of_several_threads_are_added() {
        let text = "000010 000003 000004\n# Max Latencies: 00010 20214\n# Histogram Overflows: 00001 00002\n";
        let wakeups = Wakeups::parse_cyclictest(text).unwrap();
        assert_eq!(wakeups.counts, [(10, 7)]);
        assert_eq!((wakeups.beyond, wakeups.max_us), (3, 20214));
    }

    #[test]
    fn another_output_is_refused() {
        assert!(Wakeups::parse_cyclictest("Unable to change scheduling policy!").is_err());
    }

    #[test]
    fn percentiles_lie_within_their_bin() {
        let wakeups = Wakeups {
            counts: vec![(10, 50), (20, 50)],
            beyond: 0,
            max_us: 20,
        };
        assert_eq!(wakeups.percentile_us(0.25), 10.5);
        assert_eq!(wakeups.percentile_us(0.75), 20.5);
        let late = Wakeups {
            counts: vec![(10, 1)],
            beyond: 9,
            max_us: 30_000,
        };
        assert_eq!(late.percentile_us(0.5), 30_000.0);
    }

    #[test]
    fn rounds_add_up() {
        let mut all = Wakeups {
            counts: vec![(10, 1), (12, 2)],
            beyond: 0,
            max_us: 12,
        };
        all.add(&Wakeups {
            counts: vec![(9, 1), (10, 4)],
            beyond: 1,
            max_us: 40_000,
        });
        assert_eq!(all.counts, [(9, 1), (10, 5), (12, 2)]);
        assert_eq!((all.total(), all.max_us), (9, 40_000));
    }
}
