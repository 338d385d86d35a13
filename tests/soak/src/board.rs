//! The board of the instance under test: the emulator as a process of its own, on a named pipe that
//! others can spoil.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use nix::sys::signal::Signal;

use crate::running::Running;

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
    _running: Running,
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
        let mut command = Command::new(rtrd::find_program("daq-service")?);
        command.args(["emulate", "--framed", "--seed", &seed.to_string(), "--to"]);
        command.arg(format!("fifo:{}", pipe.display()));
        let mut running = Running::start(&mut command, Signal::SIGTERM).context("cannot start the emulated board")?;
        let begun = Instant::now();
        while !pipe.exists() {
            if let Some(status) = running.ended() {
                bail!("the emulated board ended at once ({status})");
            }
            if begun.elapsed() > START {
                bail!("the emulated board did not make its pipe within {} s", START.as_secs());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(Self { _running: running, pipe, acquisition })
    }
}
