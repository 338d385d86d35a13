//! The instance under test: `rtrd run` with everything that a vehicle has, in a folder of its own.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rt::signals::Flags;
use shm_layout::{Region, RegionName};

/// Time for the vehicle to begin.
const START: Duration = Duration::from_secs(60);
/// Time for everything to end.
const END: Duration = Duration::from_secs(20);
/// Time beyond the run after which the instance ends by itself (s).
const BEYOND_S: f64 = 600.0;
const LOOK: Duration = Duration::from_millis(50);

/// Stuck processes are noticed soon, so that an hour sees many of them.
const CONFIGURATION: &str = "[supervisor]\nhung_after_ms = 3000\nrestart_delay_ms = 50\nrestart_delay_max_ms = 1000\n";

/// A running instance.
pub struct Instance {
    child: Child,
    pub name: RegionName,
}

impl Instance {
    /// Starts it; crash reports go to their own folder.
    pub fn start(
        name: &str,
        folder: &Path,
        reports: &Path,
        acquisition: &Path,
        extra: &[String],
        seconds: f64,
    ) -> anyhow::Result<Self> {
        let config: PathBuf = folder.join("instance.toml");
        let text = format!("{CONFIGURATION}\n[daq]\nacquisition = {:?}\n", acquisition.display().to_string());
        std::fs::write(&config, text).with_context(|| format!("cannot write {}", config.display()))?;
        let log = std::fs::File::create(folder.join("instance.log")).context("cannot make the instance's log")?;
        let program = rtrd::find_program("rtrd")?;
        let child = Command::new(program)
            .arg("run")
            .arg("--config")
            .arg(&config)
            .args(["--instance", name, "--crash-reports"])
            .arg(reports)
            .args(extra)
            // It outlives the plan, and ends by itself should nothing be left to end it.
            .args(["--quiet", "--seconds", &format!("{:.0}", seconds + BEYOND_S)])
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .process_group(0)
            .spawn()
            .context("cannot start the instance")?;
        Ok(Self { child, name: RegionName::new(name)? })
    }

    /// Waits until the vehicle drives, or somebody interrupts.
    pub fn wait_for_steps(&mut self, flags: &Flags, is_driving: impl Fn(&Region) -> bool) -> anyhow::Result<Region> {
        let begun = Instant::now();
        while begun.elapsed() < START {
            ensure!(!flags.stop_requested(), "interrupted before the vehicle began to drive");
            if let Some(status) = self.child.try_wait()? {
                bail!("the instance ended at once ({status}); its log says why");
            }
            if let Ok(region) = Region::observe(&self.name)
                && is_driving(&region)
            {
                return Ok(region);
            }
            std::thread::sleep(LOOK);
        }
        bail!("the vehicle did not begin to drive within {} s", START.as_secs())
    }

    /// Whether the supervisor is there; it must survive everything.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends it in order, and says what was left behind.
    pub fn stop(&mut self, pids: &[Option<u64>]) -> Vec<String> {
        if let Ok(pid) = i32::try_from(self.child.id()) {
            let _ = kill(Pid::from_raw(pid), Signal::SIGTERM);
        }
        let asked = Instant::now();
        while self.is_alive() && asked.elapsed() < END {
            std::thread::sleep(LOOK);
        }
        let mut left = Vec::new();
        if self.is_alive() {
            left.push(format!("the supervisor did not end within {} s", END.as_secs()));
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
        let alive = pids.iter().flatten().filter(|pid| {
            std::fs::read(format!("/proc/{pid}/cmdline"))
                .is_ok_and(|line| String::from_utf8_lossy(&line).contains("-service"))
        });
        left.extend(alive.map(|pid| format!("process {pid}")));
        if Region::observe(&self.name).is_ok() {
            left.push(format!("the region {}", self.name));
        }
        left
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if self.is_alive() {
            self.stop(&[]);
        }
    }
}
