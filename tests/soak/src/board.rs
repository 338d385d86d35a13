//! The board of the instance under test: the emulator as a process of its own, on a named pipe that
//! others can spoil.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// The blocks have numbers and checksums, so that each one that is lost is seen.
const ACQUISITION: &str = r#"format = "rtrd-acquisition-1"
calibration = "buggy"

[[source]]
name = "board"
kind = "stream"
path = "board"
framing = "header"
period_us = 1000.0

[[channel]]
name = "steering"
source = "board"
raw = "steering"
target = "driver.steering_angle_rad"
"#;

/// Time for the emulator to make its pipe.
const START: Duration = Duration::from_secs(20);

/// A running board.
pub struct Board {
    child: Child,
    /// Its pipe.
    pub pipe: PathBuf,
    /// The acquisition file that reads it.
    pub acquisition: PathBuf,
}

impl Board {
    /// Starts it; its pipe and its acquisition file lie in this folder.
    pub fn start(folder: &Path, seed: u64) -> anyhow::Result<Self> {
        let folder = folder.canonicalize().with_context(|| format!("cannot find {}", folder.display()))?;
        let (pipe, acquisition) = (folder.join("board"), folder.join("acquisition.toml"));
        std::fs::write(&acquisition, ACQUISITION).with_context(|| format!("cannot write {}", acquisition.display()))?;
        let child = Command::new(rtrd::find_program("daq-service")?)
            .args(["emulate", "--framed", "--seed", &seed.to_string(), "--to"])
            .arg(format!("fifo:{}", pipe.display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .context("cannot start the emulated board")?;
        let mut board = Self { child, pipe, acquisition };
        let begun = Instant::now();
        while !board.pipe.exists() {
            if let Some(status) = board.child.try_wait()? {
                bail!("the emulated board ended at once ({status})");
            }
            if begun.elapsed() > START {
                bail!("the emulated board did not make its pipe within {} s", START.as_secs());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(board)
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        // The number of one that has ended may belong to somebody else by now.
        if let (Ok(None), Ok(pid)) = (self.child.try_wait(), i32::try_from(self.child.id())) {
            let _ = kill(Pid::from_raw(pid), Signal::SIGTERM);
        }
        let _ = self.child.wait();
    }
}
