//! A HMMWV on a road at 1 kHz across the real processes, beside `cyclictest` in the same run.
//!
//! The machine itself may stall for milliseconds, and then no program is in time. So `cyclictest`
//! runs during the whole drive with a higher priority on every CPU that the processes have, and
//! counts how often it was woken later than a period: our late steps are to be no more than that. A
//! step is late if it ran past the planned start of the next one, or had no answer in time. That is
//! more than a late wake-up: a step that does its work of w after it was woken is late when it was
//! woken later than the period less w. What `cyclictest` counted on the CPU of the dynamics alone,
//! and how often the dynamics itself was woken later than the period, is reported beside. All
//! numbers are of the same minutes, the start is not in them. The exchange is the time from
//! publishing `/kinematics/` to having `/forces/`, the subsystem models included.

pub mod during;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rt::cyclictest::{self, Latencies};
use rt::histogram::Histogram;
use rt::machine::allowed_cpus;
use shm_layout::blocks::{DYNAMICS_HEALTH, Health, SUBSYSTEM_HEALTH};
use shm_layout::{Block, Region, RegionName};

use self::during::{During, later_than};
use super::Context;
use crate::report::{Report, Target, short};

pub const NAME: &str = "drive";
/// Length of the drive unless the variable says otherwise (s).
const SECONDS: u64 = 60;
/// Names the length of the drive in seconds.
const SECONDS_VARIABLE: &str = "RTRD_DRIVE_SECONDS";
const PERIOD_US: u64 = 1_000;
/// Above ours, so that it sees the machine and not us.
const PEER_PRIORITY: &str = "90";
/// Latencies up to here have a bin of their own in cyclictest (µs).
const LATENCY_US_MAX: u64 = 20_000;
const LOOK: Duration = Duration::from_millis(200);
/// Start and end of the processes are not part of the drive.
const START: Duration = Duration::from_secs(20);

pub fn run(context: &Context) -> Result<Report> {
    let Some(cyclictest) = &context.machine.cyclictest else {
        return Ok(Report::skipped(NAME, "cyclictest is missing; install rt-tests"));
    };
    if context.place.priority.is_none() {
        let why = "without the right to SCHED_FIFO neither the drive nor cyclictest is in real time";
        return Ok(Report::skipped(NAME, why));
    }
    let Some(programs) = programs() else {
        return Ok(Report::skipped(NAME, "rtrd and the services are not built beside this program"));
    };
    let wanted = std::env::var(SECONDS_VARIABLE).ok().and_then(|text| text.parse().ok());
    let seconds = context.effort(wanted.unwrap_or(SECONDS));
    let instance = format!("bench-drive-{}", std::process::id());
    let mut drive = Running(start_drive(&programs, &instance, seconds + 5)?);
    let result = watch(&instance, cyclictest, seconds);
    drive.stop();
    // A thread for each CPU that may be used, in their order.
    let cpus: Vec<usize> = allowed_cpus(&context.machine.processors.isolated)?.iter().collect();
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
        .args(["run", "--quiet", "--no-view", "--scenario", "drive-default", "--instance", instance])
        .args(["--seconds", &seconds.to_string()])
        .stdout(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot start {}", rtrd.display()))
}

/// A process that does not outlive its owner.
pub struct Running(pub Child);

impl Running {
    pub fn stop(&mut self) {
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
    wakeups: Vec<Latencies>,
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

pub fn health_of(region: &Region, block: Block<Health>) -> Option<Box<Health>> {
    let mut reader = region.reader(block);
    reader.latest().map(|snapshot| Box::new(*snapshot.value))
}

fn run_cyclictest(program: &Path, seconds: u64) -> Result<Vec<Latencies>> {
    let loops = (seconds * 1_000_000 / PERIOD_US).to_string();
    let output = Command::new(program)
        .args(["-q", "-m", "-S", "-p", PEER_PRIORITY, "-i", &PERIOD_US.to_string()])
        .args(["-d", "0", "-l", &loops, "-h", &LATENCY_US_MAX.to_string()])
        .output()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cyclictest failed: {}", complaint.trim());
    Ok(cyclictest::parse_threads(&String::from_utf8_lossy(&output.stdout))?)
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
    rows.into_iter().for_each(|(label, histogram)| row(&mut report, label, histogram));
    let woken_late = later_than(&dynamics.latency, PERIOD_US * 1_000);
    report.note(format!(
        "{seconds} s, {} steps: {} overruns and {} answers too late; {woken_late} wake-ups of the dynamics later than the period",
        dynamics.wakeups, dynamics.overruns, dynamics.exchange_misses
    ));
    report.figure("late_wakeups_of_the_dynamics", woken_late as f64, "1");
    let late = dynamics.overruns + dynamics.exchange_misses;
    judge(&mut report, late, drive, cpus);
    report
}

fn row(report: &mut Report, label: &str, histogram: &Histogram) {
    let numbers_ns = [histogram.percentile_ns(50.0), histogram.percentile_ns(99.9), histogram.max_ns()];
    let cells = numbers_ns.map(|value_ns| short(value_ns as f64 * 1e-3));
    let count = histogram.count().to_string();
    report.row([label.to_owned()].into_iter().chain(cells).chain([count]));
}

fn judge(report: &mut Report, late: u64, drive: &Drive, cpus: &[usize]) {
    let each: Vec<u64> = drive.wakeups.iter().map(|thread| thread.overruns(PERIOD_US)).collect();
    let (all, max_us) =
        (each.iter().sum::<u64>(), drive.wakeups.iter().map(|thread| thread.max_us()).max().unwrap_or(0));
    let words: Vec<String> = each.iter().map(u64::to_string).collect();
    report.note(format!(
        "cyclictest was woken later than the period {} times on CPU {} in turn, at most {max_us} µs late; the dynamics has CPU {}",
        words.join(" + "),
        cpus.iter().map(usize::to_string).collect::<Vec<_>>().join(" and "),
        drive.dynamics.cpu.map_or_else(|| "none of its own".to_owned(), |cpu| cpu.to_string()),
    ));
    let what = "late steps, against wake-ups of cyclictest later than the period";
    report.target(Target::at_most(what, all as f64, "", late as f64));
    report.figure("late_steps", late as f64, "1");
    report.figure("late_wakeups_of_cyclictest", all as f64, "1");
    let own = cpus.iter().position(|cpu| Some(*cpu) == drive.dynamics.cpu);
    if let Some(own) = own.and_then(|column| each.get(column)) {
        report.figure("late_wakeups_of_cyclictest.cpu_of_the_dynamics", *own as f64, "1");
    }
}
