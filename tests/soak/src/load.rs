//! Load on the machine: `stress-ng` on CPU, memory, disk and interrupts.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// The stressors, each with one worker: arithmetic, memory, disk, timers (interrupts), context
/// switches.
const STRESSORS: [&str; 10] = ["--cpu", "1", "--vm", "1", "--hdd", "1", "--timer", "1", "--switch", "1"];
/// Small enough for a machine with little memory and disk.
const SIZES: [&str; 6] = ["--vm-bytes", "64m", "--hdd-bytes", "64m", "--timer-freq", "2000"];

/// Time beyond the run after which it ends by itself, should nothing be left to end it (s).
const BEYOND_S: f64 = 300.0;

/// Load as long as this value lives.
pub struct Load {
    child: Child,
}

impl Load {
    /// Starts it; the disk that it works on is the one of this folder. `Err` says why there is
    /// none.
    pub fn start(folder: &Path, seconds: f64) -> Result<Self, String> {
        let child = Command::new("stress-ng")
            .args(STRESSORS)
            .args(SIZES)
            .arg("--temp-path")
            .arg(folder)
            .args(["--quiet", "--timeout", &format!("{:.0}", seconds + BEYOND_S)])
            // Ctrl-C in the terminal is for us; we end the load when its time has come.
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        match child {
            Ok(child) => Ok(Self { child }),
            Err(error) => Err(format!("no load: stress-ng does not start ({error}); `sudo apt-get install stress-ng`")),
        }
    }

    /// How it ended, if it did: it should last as long as the run.
    pub fn ended(&mut self) -> Option<String> {
        match self.child.try_wait() {
            Ok(None) => None,
            Ok(Some(status)) => Some(status.to_string()),
            Err(error) => Some(error.to_string()),
        }
    }

    /// What it does, for the report.
    pub fn words() -> String {
        format!("stress-ng {} {}", STRESSORS.join(" "), SIZES.join(" "))
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        // The number of one that has ended may belong to somebody else by now.
        if let (Ok(None), Ok(pid)) = (self.child.try_wait(), i32::try_from(self.child.id())) {
            // It ends its workers and removes its files.
            let _ = kill(Pid::from_raw(pid), Signal::SIGINT);
        }
        let _ = self.child.wait();
    }
}
