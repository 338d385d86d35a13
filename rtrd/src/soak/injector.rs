//! Brings faults about, one at a time, and takes them back.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use nix::sys::signal::{Signal, kill};
use nix::sys::time::TimeSpec;
use nix::time::{ClockId, clock_gettime, clock_settime};
use nix::unistd::Pid;

use super::disk::SmallDisk;
use super::plan::{Fault, VICTIMS, Victim};
use crate::view::PROCESSES;

/// A process that is slowed down runs for one slice and stands for one.
const SLICE_S: f64 = 0.005;
/// Garbage goes into the stream so often (s).
const GARBAGE_EVERY_S: f64 = 0.02;

/// A fault that lasts.
struct Lasting {
    fault: Fault,
    ends_s: f64,
    pid: Option<u64>,
    stopped: bool,
    next_s: f64,
}

/// Does the faults.
pub struct Injector {
    lasting: Option<Lasting>,
    disk: Option<SmallDisk>,
    stream: PathBuf,
    random: fastrand::Rng,
}

impl Injector {
    pub fn new(seed: u64, disk: Option<SmallDisk>, stream: PathBuf) -> Self {
        Self {
            lasting: None,
            disk,
            stream,
            random: fastrand::Rng::with_seed(!seed),
        }
    }

    /// Whether a fault lasts now.
    pub fn is_busy(&self) -> bool {
        self.lasting.is_some()
    }

    /// Begins a fault.
    pub fn begin(
        &mut self,
        fault: Fault,
        now_s: f64,
        pids: [Option<u64>; PROCESSES.len()],
    ) -> anyhow::Result<()> {
        let pid = victim_of(&fault).and_then(|victim| pids[position(victim)]);
        match fault {
            Fault::Kill { .. } => signal(pid, Signal::SIGKILL),
            Fault::Stop { .. } | Fault::SlowDown { .. } => signal(pid, Signal::SIGSTOP),
            Fault::CorruptStream { .. } => {}
            Fault::FillDisk { .. } => self.disk.as_ref().context("there is no small disk")?.fill()?,
            Fault::StepClock { by_s, .. } => step_clock(by_s)?,
            Fault::UnplugCpu { cpu, .. } => plug(cpu, false)?,
        }
        if fault.seconds() > 0.0 {
            self.lasting = Some(Lasting {
                fault,
                ends_s: now_s + fault.seconds(),
                pid,
                stopped: true,
                next_s: now_s + SLICE_S,
            });
        }
        Ok(())
    }

    /// Goes on with the fault that lasts, and ends it when its time is over.
    pub fn go_on(&mut self, now_s: f64) -> anyhow::Result<()> {
        let Some(lasting) = &mut self.lasting else {
            return Ok(());
        };
        if now_s >= lasting.ends_s {
            return self.end();
        }
        if now_s < lasting.next_s {
            return Ok(());
        }
        match lasting.fault {
            Fault::SlowDown { .. } => {
                lasting.stopped = !lasting.stopped;
                let next = if lasting.stopped {
                    Signal::SIGSTOP
                } else {
                    Signal::SIGCONT
                };
                signal(lasting.pid, next);
                lasting.next_s = now_s + SLICE_S;
            }
            Fault::CorruptStream { .. } => {
                lasting.next_s = now_s + GARBAGE_EVERY_S;
                let length = self.random.usize(1..40);
                let garbage: Vec<u8> = std::iter::repeat_with(|| self.random.u8(..))
                    .take(length)
                    .collect();
                // Nobody reads when the acquisition has just been killed: then there is nothing to corrupt.
                let _ = write_without_waiting(&self.stream, &garbage);
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes back the fault that lasts.
    pub fn end(&mut self) -> anyhow::Result<()> {
        let Some(lasting) = self.lasting.take() else {
            return Ok(());
        };
        match lasting.fault {
            Fault::Stop { .. } | Fault::SlowDown { .. } => signal(lasting.pid, Signal::SIGCONT),
            Fault::FillDisk { .. } => self.disk.as_ref().context("there is no small disk")?.empty()?,
            Fault::StepClock { by_s, .. } => step_clock(-by_s)?,
            Fault::UnplugCpu { cpu, .. } => plug(cpu, true)?,
            Fault::Kill { .. } | Fault::CorruptStream { .. } => {}
        }
        Ok(())
    }
}

impl Drop for Injector {
    fn drop(&mut self) {
        // Whatever ends the run, the machine gets back what was taken from it.
        if let Err(error) = self.end() {
            eprintln!("rtrd: {error:#}");
        }
    }
}

/// The process that a fault is done to.
pub fn victim_of(fault: &Fault) -> Option<Victim> {
    match *fault {
        Fault::Kill { victim } | Fault::Stop { victim, .. } | Fault::SlowDown { victim, .. } => Some(victim),
        _ => None,
    }
}

/// The position of a process in the order of the health blocks.
pub fn position(victim: Victim) -> usize {
    VICTIMS.iter().position(|known| *known == victim).unwrap_or(0)
}

/// A process that has died meanwhile is left in peace; its number is not given away so soon.
fn signal(pid: Option<u64>, signal: Signal) {
    if let Some(pid) = pid.and_then(|pid| i32::try_from(pid).ok()).filter(|pid| *pid > 1) {
        let _ = kill(Pid::from_raw(pid), signal);
    }
}

fn step_clock(by_s: f64) -> anyhow::Result<()> {
    let now = clock_gettime(ClockId::CLOCK_REALTIME)?;
    let nanoseconds = (by_s * 1e9) as i64 + now.tv_nsec();
    let seconds = now.tv_sec() + nanoseconds.div_euclid(1_000_000_000);
    let stepped = TimeSpec::new(seconds, nanoseconds.rem_euclid(1_000_000_000));
    clock_settime(ClockId::CLOCK_REALTIME, stepped).context("cannot set the wall clock")
}

fn plug(cpu: usize, online: bool) -> anyhow::Result<()> {
    let path = format!("/sys/devices/system/cpu/cpu{cpu}/online");
    std::fs::write(&path, if online { "1" } else { "0" }).with_context(|| format!("cannot write {path}"))
}

fn write_without_waiting(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    let mut pipe = OpenOptions::new()
        .write(true)
        .custom_flags(nix::libc::O_NONBLOCK)
        .open(path)?;
    pipe.write_all(bytes)
}
