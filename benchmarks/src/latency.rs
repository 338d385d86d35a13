//! Wake-up latencies in bins of one microsecond, as `cyclictest` prints them and as we count ours.

use anyhow::{Context, Result};

use crate::companion::Wakeups;

impl Wakeups {
    /// Reads what `cyclictest -q -h` prints, all threads together.
    pub fn parse_cyclictest(text: &str) -> Result<Self> {
        let threads = Self::parse_threads(text)?;
        Ok(threads.iter().fold(Self::default(), |mut all, thread| {
            all.add(thread);
            all
        }))
    }

    /// The same with each thread by itself, in the order of the columns: with `-S` the first is on the first CPU.
    pub fn parse_threads(text: &str) -> Result<Vec<Self>> {
        let mut threads = Vec::new();
        for line in text.lines().filter(|line| !line.is_empty()) {
            if let Some(comment) = line.strip_prefix('#') {
                take_comment(&mut threads, comment);
            } else if let Some((latency_us, counts)) = line.split_once(char::is_whitespace) {
                let odd = || format!("cyclictest printed a line that is no bin of a histogram: {line}");
                let latency_us = latency_us.parse().with_context(odd)?;
                for (column, count) in counts.split_whitespace().enumerate() {
                    let count: u64 = count.parse().with_context(odd)?;
                    let thread = thread_of(&mut threads, column);
                    if count > 0 {
                        thread.counts.push((latency_us, count));
                    }
                }
            }
        }
        Ok(threads)
    }

    /// How many were as late as this or later.
    pub fn later_than(&self, latency_us: u64) -> u64 {
        let late = self.counts.iter().filter(|(us, _)| *us >= latency_us);
        self.beyond + late.map(|(_, count)| count).sum::<u64>()
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

/// The thread of a column; those before it exist as well.
fn thread_of(threads: &mut Vec<Wakeups>, column: usize) -> &mut Wakeups {
    if threads.len() <= column {
        threads.resize_with(column + 1, Wakeups::default);
    }
    &mut threads[column]
}

fn take_comment(threads: &mut Vec<Wakeups>, comment: &str) {
    let numbers = |name: &str| -> Vec<u64> {
        let columns = comment.trim().strip_prefix(name).unwrap_or_default();
        columns
            .split_whitespace()
            .map_while(|column| column.parse().ok())
            .collect()
    };
    for (column, max_us) in numbers("Max Latencies:").into_iter().enumerate() {
        thread_of(threads, column).max_us = max_us;
    }
    for (column, beyond) in numbers("Histogram Overflows:").into_iter().enumerate() {
        thread_of(threads, column).beyond = beyond;
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
    fn each_thread_has_its_column() {
        let text = "000010 000003 000000\n001000 000002 000004\n# Max Latencies: 01000 20214\n# Histogram Overflows: 00000 00002\n";
        let [first, second] = <[Wakeups; 2]>::try_from(Wakeups::parse_threads(text).unwrap()).unwrap();
        assert_eq!(
            (first.later_than(1_000), first.max_us, first.total()),
            (2, 1_000, 5)
        );
        assert_eq!(
            (second.later_than(1_000), second.max_us, second.total()),
            (6, 20_214, 6)
        );
        assert_eq!(second.later_than(1_001), 2);
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
