//! The peer: `cyclictest` of Debian's `rt-tests`, told to do what our loop does, and what it prints.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};

use super::latencies::Latencies;
use super::setup::Setup;

/// Where `cyclictest` is, if it is installed.
pub fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join("cyclictest"))
        .find(|program| program.is_file())
}

/// The arguments that give it our priority, CPU, period and number of wake-ups. It holds `/dev/cpu_dma_latency` at 0 by
/// itself, as our loop does.
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
    let numbers = [
        ("-a", setup.cpu as u64),
        ("-i", setup.period_us),
        ("-l", wakeups),
        ("-h", setup.bins as u64),
    ];
    for (option, number) in numbers {
        arguments.extend([option.into(), number.to_string().into()]);
    }
    arguments
}

/// Reads the histogram that `cyclictest -q -h` prints. Its total leaves out the overflows: wake-ups later than the last
/// bin.
pub fn parse(printed: &str) -> anyhow::Result<Latencies> {
    let mut bins = Vec::new();
    let (mut total, mut max_us, mut overflows) = (None, None, 0);
    for line in printed.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(comment) = line.strip_prefix('#') {
            total = number_after(comment, "Total:").or(total);
            max_us = number_after(comment, "Max Latencies:").or(max_us);
            overflows = number_after(comment, "Histogram Overflows:").unwrap_or(overflows);
        } else {
            bins.push(bin(line)?);
        }
    }
    let max_us = max_us.context("cyclictest printed no maximum: expected a line `# Max Latencies: N`")?;
    let counted: u64 = bins.iter().map(|(_, count)| count).sum();
    ensure!(
        total.is_none_or(|total| total == counted),
        "cyclictest counted {} wake-ups, but its histogram holds {counted}: its output is not whole",
        total.unwrap_or(0)
    );
    Ok(Latencies::new(bins, overflows, max_us))
}

/// `000018 000002`: two wake-ups were 18 µs late.
fn bin(line: &str) -> anyhow::Result<(u64, u64)> {
    let numbers: Vec<u64> = line
        .split_whitespace()
        .map_while(|word| word.parse().ok())
        .collect();
    match numbers[..] {
        [latency_us, count] if line.split_whitespace().count() == 2 => Ok((latency_us, count)),
        _ => bail!("cyclictest printed {line:?} where a bin of its histogram was expected"),
    }
}

/// The first number behind a label.
fn number_after(comment: &str, label: &str) -> Option<u64> {
    let rest = comment.trim().strip_prefix(label)?;
    rest.split_whitespace().next()?.parse().ok()
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
        let message = parse("Unable to change scheduling policy!\n")
            .unwrap_err()
            .to_string();
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
        let setup = Setup {
            period_us: 500,
            priority: 80,
            cpu: 3,
            lock_memory: true,
            bins: 20_000,
        };
        let line = |setup: &Setup| {
            let words = arguments(setup, 1_000);
            words.join(&OsString::from(" ")).into_string().unwrap()
        };
        assert_eq!(line(&setup), "-q -t1 -m -p 80 -a 3 -i 500 -l 1000 -h 20000");
        let ordinary = Setup {
            priority: 0,
            lock_memory: false,
            ..setup
        };
        assert_eq!(
            line(&ordinary),
            "-q -t1 --policy=other -a 3 -i 500 -l 1000 -h 20000"
        );
    }
}
