//! Load on the machine: `stress-ng` on CPU, memory, disk and interrupts.

use std::path::Path;
use std::process::Command;

use nix::sys::signal::Signal;

use crate::running::Running;

/// The stressors, each with one worker: arithmetic, memory, disk, timers (interrupts), context
/// switches.
const STRESSORS: [&str; 10] = ["--cpu", "1", "--vm", "1", "--hdd", "1", "--timer", "1", "--switch", "1"];
/// Small enough for a machine with little memory and disk.
const SIZES: [&str; 6] = ["--vm-bytes", "64m", "--hdd-bytes", "64m", "--timer-freq", "2000"];

/// Time beyond the run after which it ends by itself, should nothing be left to end it (s).
const BEYOND_S: f64 = 300.0;

/// Load as long as this value lives.
pub struct Load(Running);

impl Load {
    /// Starts it; the disk that it works on is the one of this folder. `Err` says why there is
    /// none.
    pub fn start(folder: &Path, seconds: f64) -> Result<Self, String> {
        let mut command = Command::new("stress-ng");
        command.args(STRESSORS).args(SIZES).arg("--temp-path").arg(folder);
        command.args(["--quiet", "--timeout", &format!("{:.0}", seconds + BEYOND_S)]);
        // When it is interrupted it ends its workers and removes its files.
        Running::start(&mut command, Signal::SIGINT)
            .map(Self)
            .map_err(|error| format!("no load: stress-ng does not start ({error}); `sudo apt-get install stress-ng`"))
    }

    /// How it ended, if it did: it should last as long as the run.
    pub fn ended(&mut self) -> Option<String> {
        self.0.ended()
    }

    /// What it does, for the report.
    pub fn words() -> String {
        format!("stress-ng {} {}", STRESSORS.join(" "), SIZES.join(" "))
    }
}
