//! `cyclictest` of Debian's `rt-tests`, the peer of our periodic loop: its arguments and
//! what it prints.

mod latencies;

use std::ffi::OsString;
use std::path::PathBuf;

use crate::processes::on_search_path;
pub use latencies::Latencies;

/// Bins of one microsecond: what is later than the last is counted but not distinguished.
const BINS_MIN: u64 = 20_000;

/// How our loop and `cyclictest` run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Time from one wake-up to the next.
    pub period_us: u64,
    /// FIFO priority; 0 for the ordinary scheduler.
    pub priority: u8,
    /// The CPU that the loop is pinned to.
    pub cpu: usize,
    /// All memory is locked.
    pub lock_memory: bool,
    /// Bins of one microsecond.
    pub bins: usize,
}

impl Setup {
    /// The set-up that is wished for.
    pub fn wished(period_us: u64, priority: u8, cpu: usize) -> Self {
        // Two periods at least: a wake-up that loses a period must be distinguished.
        let bins = BINS_MIN.max(2 * period_us) as usize;
        Self { period_us, priority, cpu, lock_memory: true, bins }
    }

    /// The set-up in one line.
    pub fn describe(&self) -> String {
        let scheduler = match self.priority {
            0 => "ordinary scheduler".to_owned(),
            priority => format!("SCHED_FIFO {priority}"),
        };
        let memory = if self.lock_memory { "memory locked" } else { "memory not locked" };
        format!("period {} µs · {scheduler} · CPU {} · {memory}", self.period_us, self.cpu)
    }
}

/// Why an output of `cyclictest` was refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutputError {
    /// A line that is no bin of a histogram.
    #[error("cyclictest printed {0:?} where a bin of its histogram was expected")]
    Bin(String),
    /// No line with the maximum.
    #[error("cyclictest printed no maximum: expected a line `# Max Latencies: N`")]
    NoMaximum,
    /// Bins are missing.
    #[error("cyclictest counted {total} wake-ups, but its histogram holds {counted}: its output is not whole")]
    NotWhole {
        /// What it says that it counted.
        total: u64,
        /// What its bins hold.
        counted: u64,
    },
}

/// Where `cyclictest` is, if it is installed.
pub fn find() -> Option<PathBuf> {
    on_search_path("cyclictest")
}

/// The arguments that give it our priority, CPU, period and number of wake-ups. It holds
/// `/dev/cpu_dma_latency` at 0 by itself, as our loop does.
pub fn arguments(setup: &Setup, wakeups: u64) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = vec!["-q".into(), "-t1".into()];
    if setup.lock_memory {
        arguments.push("-m".into());
    }
    // It takes `-p 0` for a wish for FIFO priority 2.
    match setup.priority {
        0 => arguments.push("--policy=other".into()),
        priority => arguments.extend(["-p".into(), priority.to_string().into()]),
    }
    let numbers = [("-a", setup.cpu as u64), ("-i", setup.period_us), ("-l", wakeups), ("-h", setup.bins as u64)];
    for (option, number) in numbers {
        arguments.extend([option.into(), number.to_string().into()]);
    }
    arguments
}

/// Reads the histogram that `cyclictest -q -h` prints, all threads together.
pub fn parse(printed: &str) -> Result<Latencies, OutputError> {
    Ok(Latencies::together(&parse_threads(printed)?))
}

/// The same with each thread by itself, in the order of the columns: with `-S` the first is on the
/// first CPU. A total leaves out the overflows: wake-ups later than the last bin.
pub fn parse_threads(printed: &str) -> Result<Vec<Latencies>, OutputError> {
    let mut bins: Vec<Vec<(u64, u64)>> = Vec::new();
    let [mut totals, mut max_us, mut overflows] = [const { Vec::new() }; 3];
    for line in printed.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(comment) = line.strip_prefix('#') {
            let labels = ["Total:", "Max Latencies:", "Histogram Overflows:"];
            for (label, columns) in labels.iter().zip([&mut totals, &mut max_us, &mut overflows]) {
                columns.extend(numbers_after(comment, label));
            }
        } else {
            let numbers: Option<Vec<u64>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
            match numbers.as_deref() {
                Some([latency_us, counts @ ..]) if !counts.is_empty() => {
                    bins.push(counts.iter().map(|count| (*latency_us, *count)).collect());
                }
                _ => return Err(OutputError::Bin(line.to_owned())),
            }
        }
    }
    let thread = |(column, max_us): (usize, &u64)| {
        let bins: Vec<_> = bins.iter().filter_map(|line| line.get(column).copied()).collect();
        let counted = bins.iter().map(|(_, count)| count).sum();
        match totals.get(column) {
            Some(&total) if total != counted => Err(OutputError::NotWhole { total, counted }),
            _ => Ok(Latencies::new(bins, overflows.get(column).copied().unwrap_or(0), *max_us)),
        }
    };
    if let Some(line) = bins.iter().find(|line| line.len() > max_us.len() && !max_us.is_empty()) {
        return Err(OutputError::Bin(format!("{line:?}")));
    }
    let threads: Vec<Latencies> = max_us.iter().enumerate().map(thread).collect::<Result<_, _>>()?;
    if threads.is_empty() { Err(OutputError::NoMaximum) } else { Ok(threads) }
}

/// The numbers behind a label, one for each thread.
fn numbers_after(comment: &str, label: &str) -> Vec<u64> {
    let columns = comment.trim().strip_prefix(label).unwrap_or_default();
    columns.split_whitespace().map_while(|column| column.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "# /dev/cpu_dma_latency set to 0us\n# Histogram\n000000 000000\n000014 000003\n\
        000015\t000000\n000016 000001\n# Total: 000000004\n# Min Latencies: 00014\n# Avg Latencies: 00021\n\
        # Max Latencies: 20214\n# Histogram Overflows: 00002\n# Histogram Overflow at cycle number:\n\
        # Thread 0: 00291 00300\n\n";

    #[test]
    fn reads_bins_maximum_and_overflows() {
        let latencies = parse(PRINTED).unwrap();
        assert_eq!(latencies.bins().collect::<Vec<_>>(), [(14, 3), (16, 1)]);
        assert_eq!((latencies.beyond(), latencies.total()), (2, 6));
        assert_eq!((latencies.min_us(), latencies.max_us()), (14, 20_214));
    }

    #[test]
    fn all_beyond_the_last_bin_is_still_a_result() {
        let printed = "# Histogram\n000000 000000\n# Total: 000000000\n# Max Latencies: 00112\n\
                       # Histogram Overflows: 00500\n# Thread 0: 00000 00001 # 00480 others\n";
        let latencies = parse(printed).unwrap();
        assert_eq!((latencies.total(), latencies.percentile_us(0.5)), (500, 112.0));
    }

    #[test]
    fn another_output_is_refused_with_the_line() {
        let message = parse("Unable to change scheduling policy!\n").unwrap_err().to_string();
        assert!(message.contains("Unable to change"), "{message}");
        for other in ["000014 000003 000001\n# Max Latencies: 1", "14 x\n", "-1 3\n", ""] {
            assert!(parse(other).is_err(), "{other:?}");
        }
    }

    #[test]
    fn half_an_output_is_refused() {
        let lost_a_bin = PRINTED.replace("000014 000003\n", "");
        let message = parse(&lost_a_bin).unwrap_err().to_string();
        assert!(message.contains("not whole"), "{message}");
        let half = &PRINTED[..PRINTED.find("# Total").unwrap()];
        assert!(parse(half).unwrap_err().to_string().contains("no maximum"));
    }

    #[test]
    fn it_is_told_what_our_loop_does() {
        let setup = Setup { period_us: 500, priority: 80, cpu: 3, lock_memory: true, bins: 20_000 };
        let line = |setup: &Setup| {
            let words = arguments(setup, 1_000);
            words.join(&OsString::from(" ")).into_string().unwrap()
        };
        assert_eq!(line(&setup), "-q -t1 -m -p 80 -a 3 -i 500 -l 1000 -h 20000");
        let ordinary = Setup { priority: 0, lock_memory: false, ..setup };
        assert_eq!(line(&ordinary), "-q -t1 --policy=other -a 3 -i 500 -l 1000 -h 20000");
    }

    #[test]
    fn columns_of_several_threads_are_told_apart_and_added() {
        let text = "000010 000003 000000\n001000 000002 000004\n# Max Latencies: 01000 20214\n\
                    # Histogram Overflows: 00000 00002\n";
        let [first, second] = <[Latencies; 2]>::try_from(parse_threads(text).unwrap()).unwrap();
        assert_eq!((first.overruns(1_000), first.max_us(), first.total()), (2, 1_000, 5));
        assert_eq!((second.overruns(1_000), second.max_us(), second.total()), (6, 20_214, 6));
        assert_eq!(second.overruns(1_001), 2);
        let all = parse(text).unwrap();
        assert_eq!(all.bins().collect::<Vec<_>>(), [(10, 3), (1_000, 6)]);
        assert_eq!((all.beyond(), all.max_us()), (2, 20_214));
    }

    #[test]
    fn a_lost_period_always_has_a_bin() {
        assert_eq!(Setup::wished(1_000, 80, 1).bins, 20_000);
        assert_eq!(Setup::wished(50_000, 80, 1).bins, 100_000);
    }
}
