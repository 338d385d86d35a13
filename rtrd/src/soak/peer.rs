//! The peer: `cyclictest` beside the dynamics, on its CPU, with its priority and period, for the whole run.

use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::commands::jitter::cyclictest;
use crate::commands::jitter::latencies::Latencies;
use crate::commands::jitter::setup::Setup;

const PERIOD_US: u64 = 1_000;

/// A running cyclictest.
pub struct Peer {
    child: Option<Child>,
}

impl Peer {
    /// Starts it beside the dynamics, whose CPU and priority are given. `Err` says why it cannot be.
    pub fn start(place: Option<(i64, u64)>, seconds: f64) -> Result<Self, String> {
        let program = cyclictest::find()
            .ok_or("no comparison: cyclictest is not installed (`sudo apt-get install rt-tests`)")?;
        let (cpu, priority) = place.ok_or("no comparison: the dynamics does not say where it runs")?;
        let cpu = usize::try_from(cpu).map_err(|_| "no comparison: the dynamics is not pinned to a CPU")?;
        let setup = Setup::wished(PERIOD_US, u8::try_from(priority).unwrap_or(0), cpu);
        let wakeups = (seconds * 1e6) as u64 / PERIOD_US;
        let child = Command::new(program)
            .args(cyclictest::arguments(&setup, wakeups))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("no comparison: cyclictest does not start: {error}"))?;
        Ok(Self { child: Some(child) })
    }

    /// Ends it; what it has counted.
    pub fn finish(mut self) -> Result<Latencies, String> {
        let child = self.child.take().ok_or("cyclictest is gone")?;
        if let Ok(pid) = i32::try_from(child.id()) {
            // It prints its histogram when it is interrupted.
            let _ = kill(Pid::from_raw(pid), Signal::SIGINT);
        }
        let output = child
            .wait_with_output()
            .map_err(|error| format!("cyclictest's output cannot be read: {error}"))?;
        cyclictest::parse(&String::from_utf8_lossy(&output.stdout))
            .map_err(|error| format!("no comparison: {error:#}"))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
