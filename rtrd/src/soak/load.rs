//! Load on the machine: `stress-ng` on CPU, memory, disk and interrupts.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// The stressors, each with one worker: arithmetic, memory, disk, timers (interrupts), context switches.
const STRESSORS: [&str; 10] = [
    "--cpu", "1", "--vm", "1", "--hdd", "1", "--timer", "1", "--switch", "1",
];
/// Small enough for a machine with little memory and disk.
const SIZES: [&str; 6] = ["--vm-bytes", "64m", "--hdd-bytes", "64m", "--timer-freq", "2000"];

/// Load as long as this value lives.
pub struct Load {
    child: Child,
}

impl Load {
    /// Starts it; the disk that it works on is the one of this folder. `Err` says why there is none.
    pub fn start(folder: &Path) -> Result<Self, String> {
        let child = Command::new("stress-ng")
            .args(STRESSORS)
            .args(SIZES)
            .arg("--temp-path")
            .arg(folder)
            .args(["--quiet", "--timeout", "0"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        match child {
            Ok(child) => Ok(Self { child }),
            Err(error) => Err(format!(
                "no load: stress-ng does not start ({error}); `sudo apt-get install stress-ng`"
            )),
        }
    }

    /// What it does, for the report.
    pub fn words() -> String {
        format!("stress-ng {} {}", STRESSORS.join(" "), SIZES.join(" "))
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        if let Ok(pid) = i32::try_from(self.child.id()) {
            // It ends its workers and removes its files.
            let _ = kill(Pid::from_raw(pid), Signal::SIGINT);
        }
        let _ = self.child.wait();
    }
}
