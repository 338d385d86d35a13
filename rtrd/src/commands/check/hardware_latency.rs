//! `hwlatdetect` of Debian's `rt-tests`: a kernel tracer that looks for times in which nothing ran
//! at all, because the firmware took the CPU.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;

use crate::commands::jitter::measurement::{self, Ended, Launcher};
use crate::output::Progress;
use crate::readiness::HardwareLatency;

/// Shorter interruptions are not looked for (µs); it is what the program uses by itself.
const THRESHOLD_US: u64 = 10;
/// What it may take beyond its time before it is killed.
const TIMEOUT: Duration = Duration::from_secs(30);
const PROGRAMS: [&str; 3] = ["usr/sbin/hwlatdetect", "usr/bin/hwlatdetect", "usr/local/sbin/hwlatdetect"];
/// Where the tracers of the kernel are, if they are mounted.
const TRACING: [&str; 2] = ["sys/kernel/tracing", "sys/kernel/debug/tracing"];

/// Where it is, or why it cannot run below this root.
pub fn find(root: &Path, is_root: bool) -> Result<PathBuf, String> {
    let program = PROGRAMS.iter().map(|path| root.join(path)).find(|path| path.is_file());
    let Some(program) = program else {
        return Err("hwlatdetect is not installed (`sudo apt-get install rt-tests`)".to_owned());
    };
    if !is_root {
        return Err("hwlatdetect needs root (`sudo rtrd check --report`)".to_owned());
    }
    let tracers =
        TRACING.iter().find_map(|folder| std::fs::read_to_string(root.join(folder).join("available_tracers")).ok());
    match tracers {
        None => {
            Err("the kernel shows no tracers (`mount -t tracefs tracefs /sys/kernel/tracing`, if it has any)"
                .to_owned())
        }
        Some(tracers) if tracers.split_whitespace().any(|tracer| tracer == "hwlat") => Ok(program),
        Some(_) => Err("the kernel has no hwlat tracer (CONFIG_HWLAT_TRACER)".to_owned()),
    }
}

/// Runs it for so many seconds; `None` if the user interrupts.
pub fn measure(
    program: &Path,
    seconds: u64,
    launcher: &Launcher,
    progress: &mut Progress,
) -> anyhow::Result<Option<HardwareLatency>> {
    let arguments: Vec<OsString> = vec![
        format!("--duration={seconds}s").into(),
        format!("--threshold={THRESHOLD_US}us").into(),
        // Otherwise a latency above the threshold is an exit code.
        "--hardlimit=1000000us".into(),
    ];
    let duration = Duration::from_secs(seconds);
    progress.begin("hwlatdetect".to_owned(), duration);
    let line = measurement::program(program, arguments);
    match launcher.run(&line, duration + TIMEOUT, || progress.tick())? {
        Ended::Printed(text) => parse(&text, seconds).map(Some),
        Ended::Failed(message) => {
            Ok(Some(HardwareLatency::NotMeasured { why: format!("hwlatdetect failed: {message}") }))
        }
        Ended::Interrupted => {
            // It was killed, and left its tracer running.
            for folder in TRACING {
                let _ = std::fs::write(Path::new("/").join(folder).join("current_tracer"), "nop");
            }
            Ok(None)
        }
    }
}

fn parse(printed: &str, seconds: u64) -> anyhow::Result<HardwareLatency> {
    let value = |label: &str| {
        let line = printed.lines().find_map(|line| line.trim().strip_prefix(label));
        let line = line.with_context(|| format!("hwlatdetect printed no line `{label}`"))?;
        anyhow::Ok(line.trim().trim_end_matches("us").to_owned())
    };
    let longest = value("Max Latency:")?;
    let max_us = match longest.as_str() {
        "Below threshold" => None,
        number => Some(number.parse().with_context(|| format!("hwlatdetect printed {number:?} as its maximum"))?),
    };
    let above = value("Samples exceeding threshold:")?;
    Ok(HardwareLatency::Measured {
        seconds,
        threshold_us: THRESHOLD_US,
        max_us,
        above_threshold: above
            .parse()
            .with_context(|| format!("hwlatdetect printed {above:?} as a number of samples"))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that hwlatdetect 0.8 of rt-tests 2.4 prints.
    const PRINTED: &str = "hwlatdetect:  test duration 2 seconds\n   detector: tracer\n   parameters:\n\
        \x20       Latency threshold: 10us\n        Sample window:     1000000us\n        Sample width:      500000us\n\n\
        Starting test\ntest finished\nMax Latency: 23us\nSamples recorded: 4\nSamples exceeding threshold: 4\n\
        ts: 1700000000.123456789, inner:0, outer:23, cpu:1\n";

    #[test]
    fn reads_what_it_prints() {
        let measured = |max_us, above_threshold| HardwareLatency::Measured {
            seconds: 2,
            threshold_us: 10,
            max_us,
            above_threshold,
        };
        assert_eq!(parse(PRINTED, 2).unwrap(), measured(Some(23), 4));
        let quiet = PRINTED
            .replace("Max Latency: 23us", "Max Latency: Below threshold")
            .replace("threshold: 4", "threshold: 0");
        assert_eq!(parse(&quiet, 2).unwrap(), measured(None, 0));
        for other in ["", "Max Latency: fast\nSamples exceeding threshold: 0", "Max Latency: 3us\n"] {
            assert!(parse(other, 2).is_err(), "{other:?}");
        }
    }

    #[test]
    fn why_it_cannot_run_is_said_plainly() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        assert!(find(root, true).unwrap_err().contains("rt-tests"));
        write("usr/sbin/hwlatdetect", "");
        assert!(find(root, false).unwrap_err().contains("needs root"));
        assert!(find(root, true).unwrap_err().contains("no tracers"));
        write("sys/kernel/debug/tracing/available_tracers", "function nop\n");
        assert!(find(root, true).unwrap_err().contains("CONFIG_HWLAT_TRACER"));
        write("sys/kernel/tracing/available_tracers", "hwlat blk nop\n");
        assert_eq!(find(root, true).unwrap(), root.join("usr/sbin/hwlatdetect"));
    }
}
