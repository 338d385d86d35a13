//! Keeping idle CPUs out of deep sleep, from which they take tens to hundreds of microseconds to
//! wake.
//!
//! A process that holds `/dev/cpu_dma_latency` open with a number in it holds the whole machine to
//! that wake-up latency (µs); the kernel forgets it when the file is closed, hence also when the
//! process dies.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use super::Outcome;
use crate::fixes;

const CPU_LATENCY: &str = "/dev/cpu_dma_latency";

/// Asks for a wake-up latency; it holds for as long as the returned file stays open.
pub(super) fn hold_cpu_latency(latency_us: Option<i32>) -> (Outcome, Option<File>) {
    hold_in(Path::new(CPU_LATENCY), latency_us)
}

fn hold_in(path: &Path, latency_us: Option<i32>) -> (Outcome, Option<File>) {
    let Some(latency_us) = latency_us else {
        return (Outcome::NotWished, None);
    };
    match write_latency(path, latency_us) {
        Ok(file) => (Outcome::Granted, Some(file)),
        Err(error) => (not_held(path, &error), None),
    }
}

/// The device takes the number as four bytes in the machine's order.
fn write_latency(path: &Path, latency_us: i32) -> io::Result<File> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.write_all(&latency_us.to_ne_bytes())?;
    Ok(file)
}

fn not_held(path: &Path, error: &io::Error) -> Outcome {
    let fix = if error.kind() == ErrorKind::NotFound {
        "nothing, when the machine is a container or a guest that cannot control its CPUs; else a kernel with \
         CONFIG_PM, or start with `idle=poll`"
            .to_owned()
    } else {
        format!("`{}`", fixes::grant_cpu_dma_latency())
    };
    Outcome::missing(
        &format!("idle CPUs are not held awake ({}: {error})", path.display()),
        "a CPU that slept deeply adds tens to hundreds of microseconds to a wake-up",
        &fix,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_the_number_and_keeps_the_file_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("latency");
        std::fs::write(&path, []).unwrap();
        let (outcome, file) = hold_in(&path, Some(7));
        assert_eq!(outcome, Outcome::Granted);
        assert!(file.is_some());
        assert_eq!(std::fs::read(&path).unwrap(), 7_i32.to_ne_bytes());
    }

    #[test]
    fn a_device_that_is_absent_or_refused_is_one_line() {
        // A folder is refused to everybody; the line says what the checks of the machine advise.
        let (folder, absent) = (tempfile::tempdir().unwrap(), Path::new("/nonexistent/latency"));
        let refused = fixes::grant_cpu_dma_latency();
        for (path, said) in [(absent, "/nonexistent/latency"), (folder.path(), refused.as_str())] {
            let (outcome, file) = hold_in(path, Some(0));
            let Outcome::Missing(line) = outcome else { panic!("{outcome:?}") };
            assert!(line.contains(said) && !line.contains('\n'), "{line}");
            assert!(file.is_none());
        }
        assert!(matches!(hold_in(absent, None), (Outcome::NotWished, None)), "no wish opens nothing");
    }
}
