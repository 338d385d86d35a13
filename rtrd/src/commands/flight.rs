//! `rtrd flight`: the flight recorder of an instance.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use rt::notify::Watchdog;
use rt::signals::Flags;
use shm_layout::RegionName;
use shm_layout::clock::monotonic_ns;

use crate::flight::{Folder, Recording};

/// Pause between two looks for an instance that does not run.
const ABSENT_PAUSE: Duration = Duration::from_millis(200);

/// Keep the last seconds of every block, and write them down when a process dies
///
/// Waits for the instance if it does not run. Each death of a process that did not end in order
/// gives a folder with a page (report.md) and a table per block (CSV). SIGHUP writes a report of
/// the present. `rtrd run` does the same by itself.
#[derive(clap::Args)]
pub struct FlightArguments {
    /// The instance to watch
    #[arg(short, long, value_name = "NAME", default_value = "default")]
    instance: String,
    /// Folder of the reports [default: crashes in the state folder of the service or the user]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many seconds to keep
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = |text: &str| super::seconds_within(text, 0.1..=600.0))]
    window: f64,
    /// Time between two looks (ms)
    #[arg(long, value_name = "MS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000))]
    look: u64,
    /// How many reports to keep; the oldest are removed
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
    keep: u16,
}

impl FlightArguments {
    pub fn instance(&self) -> &str {
        &self.instance
    }
}

pub fn flight(arguments: &FlightArguments) -> anyhow::Result<()> {
    let flags = Flags::register().context("cannot listen for signals")?;
    let path = arguments.out.clone().unwrap_or_else(Folder::usual);
    let recording = Recording {
        region: RegionName::new(&arguments.instance)?,
        instance: arguments.instance.clone(),
        folder: Folder::new(path, usize::from(arguments.keep)),
        window_s: arguments.window,
        look_ms: arguments.look,
    };
    tracing::info!("recording instance {:?}; reports go to {}", arguments.instance, recording.folder.path().display());
    // Without systemd there is no listener.
    let _ = rt::notify::ready();
    let mut watchdog = Watchdog::from_environment();
    let mut goes_on = || {
        let _ = watchdog.ping_if_due(monotonic_ns());
        !flags.stop_requested()
    };
    while goes_on() {
        recording.record(&mut goes_on, &|| flags.take_reload(), &mut |line| tracing::warn!("{line}"));
        std::thread::sleep(ABSENT_PAUSE);
    }
    let _ = rt::notify::stopping();
    Ok(())
}
