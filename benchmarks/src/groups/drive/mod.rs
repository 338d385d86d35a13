//! A HMMWV on a road at 1 kHz across the real processes, beside `cyclictest` in the same run.
//!
//! The machine itself may stall for milliseconds, and then no program is in time. So `cyclictest` runs during the whole drive with a higher priority on
//! every CPU, and counts how often it was woken later than a period. It has one thread on each CPU, and the dynamics is one thread: our late steps are
//! to be no more than the late wake-ups on the CPU of the dynamics, one step against one wake-up; those of all CPUs are told beside. All numbers
//! are of the same minutes, the start is not in them. The exchange is the time from publishing `/kinematics/` to having `/forces/`, the subsystem
//! models included.

mod during;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rt::histogram::Histogram;
use rt::machine::allowed_cpus;
use shm_layout::blocks::{DYNAMICS_HEALTH, Health, SUBSYSTEM_HEALTH};
use shm_layout::{Block, Region, RegionName};

use self::during::During;
use super::Context;
use crate::companion::{LATENCY_US_MAX, Wakeups};
use crate::report::{Report, Target, short};

/// The name of the group.
pub const NAME: &str = "drive";
/// Length of the drive unless the variable says otherwise (s).
const SECONDS: u64 = 60;
/// Names the length of the drive in seconds.
const SECONDS_VARIABLE: &str = "RTRD_DRIVE_SECONDS";
const PERIOD_US: u64 = 1_000;
/// Above ours, so that it sees the machine and not us.
const PEER_PRIORITY: &str = "90";
const LOOK: Duration = Duration::from_millis(200);
/// Start and end of the processes are not part of the drive.
const START: Duration = Duration::from_secs(20);

/// Measures the group.
pub fn run(context: &Context) -> Result<Report> {
    let Some(cyclictest) = &context.machine.cyclictest else {
        return Ok(Report::skipped(NAME, "cyclictest is missing; install rt-tests"));
    };
    if context.place.priority.is_none() {
        let why = "without the right to SCHED_FIFO neither the drive nor cyclictest is in real time";
        return Ok(Report::skipped(NAME, why));
    }
    let Some(programs) = programs() else {
        return Ok(Report::skipped(
            NAME,
            "rtrd and the services are not built beside this program",
        ));
    };
    let wanted = std::env::var(SECONDS_VARIABLE)
        .ok()
        .and_then(|text| text.parse().ok());
    let seconds = context.effort(wanted.unwrap_or(SECONDS));
    let instance = format!("bench-drive-{}", std::process::id());
    let mut drive = Running(start_drive(&programs, &instance, seconds + 5)?);
    let result = watch(&instance, cyclictest, seconds);
    drive.stop();
    // A thread for each CPU that may be used, in their order.
    let cpus: Vec<usize> = allowed_cpus(&context.machine.processors.isolated)?
        .iter()
        .collect();
    Ok(report(&result?, &cpus, seconds))
}

/// Where `rtrd` is, if all programs are there.
fn programs() -> Option<PathBuf> {
    let folder = std::env::current_exe().ok()?.parent()?.to_owned();
    let names = ["rtrd", "daq-service", "dynamics-service", "subsystem-service"];
    let all = names.iter().all(|name| folder.join(name).is_file());
    all.then(|| folder.join("rtrd"))
}

fn start_drive(rtrd: &Path, instance: &str, seconds: u64) -> Result<Child> {
    Command::new(rtrd)
        .args([
            "run",
            "--quiet",
            "--scenario",
            "drive-default",
            "--instance",
            instance,
        ])
        .args(["--seconds", &seconds.to_string()])
        .stdout(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot start {}", rtrd.display()))
}

/// A process that does not outlive its owner.
struct Running(Child);

impl Running {
    fn stop(&mut self) {
        if let Ok(id) = i32::try_from(self.0.id()) {
            let _ = kill(Pid::from_raw(id), Signal::SIGTERM);
        }
        let _ = self.0.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Ok(None) = self.0.try_wait() {
            self.stop();
        }
    }
}

/// What a drive has to say.
struct Drive {
    dynamics: During,
    subsystem: During,
    /// Of `cyclictest`, thread by thread.
    wakeups: Vec<Wakeups>,
}

/// Waits until the vehicle drives, then measures so many seconds of it.
fn watch(instance: &str, cyclictest: &Path, seconds: u64) -> Result<Drive> {
    let name = RegionName::new(instance)?;
    let begun = Instant::now();
    let region = loop {
        match Region::observe(&name) {
            Ok(region) => break region,
            Err(error) => ensure!(begun.elapsed() < START, "the drive did not start: {error}"),
        }
        std::thread::sleep(LOOK);
    };
    while health_of(&region, DYNAMICS_HEALTH).is_none_or(|health| health.stamp.step < 1_000) {
        ensure!(begun.elapsed() < START, "the vehicle did not begin to drive");
        std::thread::sleep(LOOK);
    }
    let before = reports(&region)?;
    let wakeups = run_cyclictest(cyclictest, seconds)?;
    let after = reports(&region)?;
    Ok(Drive {
        dynamics: During::between(&before[0], &after[0], "the dynamics")?,
        subsystem: During::between(&before[1], &after[1], "the subsystem process")?,
        wakeups,
    })
}

/// Of the dynamics and of the subsystems.
fn reports(region: &Region) -> Result<[Box<Health>; 2]> {
    Ok([
        health_of(region, DYNAMICS_HEALTH).context("the dynamics reports")?,
        health_of(region, SUBSYSTEM_HEALTH).context("the subsystems report")?,
    ])
}

fn health_of(region: &Region, block: Block<Health>) -> Option<Box<Health>> {
    let mut reader = region.reader(block);
    reader.latest().map(|snapshot| Box::new(*snapshot.value))
}

fn run_cyclictest(program: &Path, seconds: u64) -> Result<Vec<Wakeups>> {
    let loops = (seconds * 1_000_000 / PERIOD_US).to_string();
    let output = Command::new(program)
        .args([
            "-q",
            "-m",
            "-S",
            "-p",
            PEER_PRIORITY,
            "-i",
            &PERIOD_US.to_string(),
        ])
        .args(["-d", "0", "-l", &loops, "-h", &LATENCY_US_MAX.to_string()])
        .output()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cyclictest failed: {}", complaint.trim());
    Wakeups::parse_threads(&String::from_utf8_lossy(&output.stdout))
}

fn report(drive: &Drive, cpus: &[usize], seconds: u64) -> Report {
    let mut report = Report::new(NAME, &["µs", "p50", "p99.9", "max", "count"]);
    let (dynamics, subsystem) = (&drive.dynamics, &drive.subsystem);
    let rows = [
        ("wake-up latency of the dynamics", &dynamics.latency),
        ("step of the dynamics, waiting included", &dynamics.execution),
        ("exchange, models included", &dynamics.exchange),
        ("answer of the subsystems", &subsystem.execution),
    ];
    rows.into_iter()
        .for_each(|(label, histogram)| row(&mut report, label, histogram));
    report.note(format!(
        "{seconds} s, {} steps: {} overruns and {} answers too late",
        dynamics.wakeups, dynamics.overruns, dynamics.exchange_misses
    ));
    let late = dynamics.overruns + dynamics.exchange_misses;
    judge(&mut report, late, &peer_of(drive, cpus), &drive.wakeups);
    report
}

fn row(report: &mut Report, label: &str, histogram: &Histogram) {
    let numbers_ns = [
        histogram.percentile_ns(50.0),
        histogram.percentile_ns(99.9),
        histogram.max_ns(),
    ];
    let cells = numbers_ns.map(|value_ns| short(value_ns as f64 * 1e-3));
    let count = histogram.count().to_string();
    report.row([label.to_owned()].into_iter().chain(cells).chain([count]));
}

/// The thread of `cyclictest` that a late step is held against.
struct OnCpu {
    place: String,
    late: u64,
}

/// That on the CPU of the dynamics; where the dynamics is pinned to none, the CPU that was late least often.
fn peer_of(drive: &Drive, cpus: &[usize]) -> OnCpu {
    let late = |thread: &Wakeups| thread.later_than(PERIOD_US);
    let column = cpus.iter().position(|cpu| Some(*cpu) == drive.dynamics.cpu);
    match column.and_then(|column| Some((cpus[column], drive.wakeups.get(column)?))) {
        Some((cpu, thread)) => OnCpu {
            place: format!("CPU {cpu}, that of the dynamics"),
            late: late(thread),
        },
        None => OnCpu {
            place: "the CPU that was late least often, since the dynamics is pinned to none".to_owned(),
            late: drive.wakeups.iter().map(late).min().unwrap_or(0),
        },
    }
}

fn judge(report: &mut Report, late: u64, peer: &OnCpu, wakeups: &[Wakeups]) {
    let each: Vec<String> = wakeups
        .iter()
        .map(|thread| thread.later_than(PERIOD_US).to_string())
        .collect();
    let max_us = wakeups.iter().map(|thread| thread.max_us).max().unwrap_or(0);
    report.note(format!(
        "cyclictest was woken later than the period {} times on its CPUs in turn, at most {max_us} µs late",
        each.join(" + ")
    ));
    let what = format!(
        "late steps, against wake-ups of cyclictest later than the period on {}",
        peer.place
    );
    report.target(Target::at_most(&what, peer.late as f64, "", late as f64));
    report.figure("late_steps", late as f64, "1");
    report.figure("late_wakeups_of_cyclictest", peer.late as f64, "1");
}
