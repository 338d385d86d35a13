//! Brings faults about, one at a time, and takes them back.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use nix::sys::signal::{Signal, kill};
use nix::sys::time::TimeSpec;
use nix::time::{ClockId, clock_gettime, clock_settime};
use nix::unistd::Pid;

use crate::disk::SmallDisk;
use crate::plan::{Fault, VICTIMS, Victim};
use crate::recovery::Incident;
use rtrd::PROCESSES;

/// A process that is slowed down runs for one slice and stands for one.
const SLICE_S: f64 = 0.005;
/// Garbage goes into the stream so often (s).
const GARBAGE_EVERY_S: f64 = 0.02;

/// After a full disk the acquisition may take so long to be there again, to be killed once more
/// (s).
const BACK_WITHIN_S: f64 = 10.0;

/// A fault that lasts.
struct Lasting {
    number: usize,
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
    /// What was done so far.
    pub incidents: Vec<Incident>,
    stream: PathBuf,
    random: fastrand::Rng,
}

impl Injector {
    pub fn new(seed: u64, disk: Option<SmallDisk>, stream: PathBuf) -> Self {
        Self { lasting: None, incidents: Vec::new(), disk, stream, random: fastrand::Rng::with_seed(!seed) }
    }

    /// Whether a fault lasts now.
    pub fn is_busy(&self) -> bool {
        self.lasting.is_some()
    }

    /// Begins a fault. One that cannot be brought about is left out, and its incident says why.
    pub fn begin(&mut self, fault: Fault, now_s: f64, pids: [Option<u64>; PROCESSES.len()]) {
        let pid = victim_of(&fault).and_then(|victim| pids[position(victim)]);
        let mut incident = Incident::new(fault, now_s);
        match self.bring_about(fault, pid) {
            Err(why) => incident.left_out = Some(format!("{why:#}")),
            Ok(()) if fault.seconds() == 0.0 => incident.ended_s = Some(now_s),
            Ok(()) => {
                self.lasting = Some(Lasting {
                    number: self.incidents.len(),
                    fault,
                    ends_s: now_s + fault.seconds(),
                    pid,
                    stopped: true,
                    next_s: now_s + SLICE_S,
                });
            }
        }
        self.incidents.push(incident);
    }

    fn bring_about(&self, fault: Fault, pid: Option<u64>) -> anyhow::Result<()> {
        match fault {
            Fault::Kill { .. } => signal(pid, Signal::SIGKILL),
            Fault::Stop { .. } | Fault::SlowDown { .. } => signal(pid, Signal::SIGSTOP),
            Fault::CorruptStream { .. } => {}
            Fault::FillDisk { .. } => {
                self.disk()?.fill()?;
                signal(pid, Signal::SIGKILL);
            }
            Fault::StepClock { by_s, .. } => step_clock(by_s)?,
            Fault::UnplugCpu { cpu, .. } => plug(cpu, false)?,
        }
        Ok(())
    }

    fn disk(&self) -> anyhow::Result<&SmallDisk> {
        self.disk.as_ref().context("there is no small disk to fill; mounting one needs root")
    }

    /// Goes on with the fault that lasts, and ends it when its time is over.
    pub fn go_on(&mut self, now_s: f64, pids: [Option<u64>; PROCESSES.len()]) {
        let Some(lasting) = &mut self.lasting else {
            return;
        };
        if now_s >= lasting.ends_s {
            let is_back = pids[position(Victim::Daq)] != lasting.pid;
            let waits = matches!(lasting.fault, Fault::FillDisk { .. }) && !is_back;
            if waits && now_s < lasting.ends_s + BACK_WITHIN_S {
                return;
            }
            return self.end(now_s, pids);
        }
        if now_s < lasting.next_s {
            return;
        }
        match lasting.fault {
            Fault::SlowDown { .. } => {
                lasting.stopped = !lasting.stopped;
                let next = if lasting.stopped { Signal::SIGSTOP } else { Signal::SIGCONT };
                signal(lasting.pid, next);
                lasting.next_s = now_s + SLICE_S;
            }
            Fault::CorruptStream { .. } => {
                lasting.next_s = now_s + GARBAGE_EVERY_S;
                let length = self.random.usize(1..40);
                let garbage: Vec<u8> = std::iter::repeat_with(|| self.random.u8(..)).take(length).collect();
                // There is no reader when the acquisition has just been killed: then there is
                // nothing to corrupt.
                let _ = write_without_waiting(&self.stream, &garbage);
            }
            _ => {}
        }
    }

    /// Takes back the fault that lasts. What cannot be taken back is said at once and in its
    /// incident.
    pub fn end(&mut self, now_s: f64, pids: [Option<u64>; PROCESSES.len()]) {
        let Some(lasting) = self.lasting.take() else {
            return;
        };
        let taken_back = match lasting.fault {
            Fault::Stop { .. } | Fault::SlowDown { .. } => {
                signal(lasting.pid, Signal::SIGCONT);
                Ok(())
            }
            Fault::FillDisk { .. } => self.disk().and_then(SmallDisk::empty).map(|()| {
                // Now there is room again for the report of this death.
                signal(pids[position(Victim::Daq)], Signal::SIGKILL);
            }),
            Fault::StepClock { by_s, .. } => step_clock(-by_s),
            Fault::UnplugCpu { cpu, .. } => plug(cpu, true),
            Fault::Kill { .. } | Fault::CorruptStream { .. } => Ok(()),
        };
        let incident = &mut self.incidents[lasting.number];
        incident.ended_s = Some(now_s);
        if let Err(error) = taken_back {
            eprintln!("rtrd: {error:#}");
            incident.not_taken_back = Some(format!("{error:#}"));
        }
    }

    /// Ends whatever lasts and hands the disk back.
    pub fn finish(mut self, now_s: f64) -> (Vec<Incident>, Option<SmallDisk>) {
        self.end(now_s, [None; PROCESSES.len()]);
        (std::mem::take(&mut self.incidents), self.disk.take())
    }
}

impl Drop for Injector {
    fn drop(&mut self) {
        // Whatever ends the run, the machine gets back what was taken from it.
        self.end(f64::INFINITY, [None; PROCESSES.len()]);
    }
}

/// The process that a fault is done to.
pub fn victim_of(fault: &Fault) -> Option<Victim> {
    match *fault {
        Fault::Kill { victim } | Fault::Stop { victim, .. } | Fault::SlowDown { victim, .. } => Some(victim),
        Fault::FillDisk { .. } => Some(Victim::Daq),
        _ => None,
    }
}

/// The position of a process in the order of the health blocks.
pub fn position(victim: Victim) -> usize {
    VICTIMS.iter().position(|known| *known == victim).unwrap_or(0)
}

/// A process that has died meanwhile is left alone; its number is not given away so soon.
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
    let mut pipe = OpenOptions::new().write(true).custom_flags(nix::libc::O_NONBLOCK).open(path)?;
    pipe.write_all(bytes)
}
