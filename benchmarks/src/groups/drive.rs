//! A HMMWV on a road at 1 kHz across the real processes, beside `cyclictest` in the same run.
//!
//! The machine itself may stall for milliseconds, and then no program is in time. So `cyclictest` runs during the whole drive with a higher priority on
//! every CPU, and counts how often it was woken later than a period; our late steps are to be no more than that. Both numbers are of the same
//! minutes. The exchange is the time from publishing `/kinematics/` to having `/forces/`, the subsystem models included.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use shm_layout::blocks::{DYNAMICS_HEALTH, Health, SUBSYSTEM_HEALTH};
use shm_layout::{Block, Region, RegionName};

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
    let (health, subsystem, wakeups) = result?;
    Ok(report(&health, &subsystem, &wakeups, seconds))
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

/// Waits until the vehicle drives, then measures so many seconds of it.
fn watch(instance: &str, cyclictest: &Path, seconds: u64) -> Result<(Box<Health>, Box<Health>, Wakeups)> {
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
    let before = health_of(&region, DYNAMICS_HEALTH).context("the dynamics reports")?;
    let wakeups = run_cyclictest(cyclictest, seconds)?;
    let mut after = health_of(&region, DYNAMICS_HEALTH).context("the dynamics reports")?;
    let subsystem = health_of(&region, SUBSYSTEM_HEALTH).context("the subsystems report")?;
    ensure!(
        after.pid == before.pid,
        "the dynamics was restarted during the drive"
    );
    after.overruns -= before.overruns;
    after.exchange_misses -= before.exchange_misses;
    after.wakeups -= before.wakeups;
    Ok((after, subsystem, wakeups))
}

fn health_of(region: &Region, block: Block<Health>) -> Option<Box<Health>> {
    let mut reader = region.reader(block);
    reader.latest().map(|snapshot| Box::new(*snapshot.value))
}

fn run_cyclictest(program: &Path, seconds: u64) -> Result<Wakeups> {
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
    Wakeups::parse_cyclictest(&String::from_utf8_lossy(&output.stdout))
}

fn report(dynamics: &Health, subsystem: &Health, wakeups: &Wakeups, seconds: u64) -> Report {
    let mut report = Report::new(NAME, &["µs", "p50", "p99.9", "max", "count"]);
    let rows = [
        ("wake-up latency of the dynamics", &dynamics.latency),
        ("step of the dynamics, waiting included", &dynamics.execution),
        ("exchange, models included", &dynamics.exchange),
        ("answer of the subsystems", &subsystem.execution),
    ];
    for (label, distribution) in rows {
        let histogram = service::histogram_of(distribution);
        let numbers = [
            histogram.percentile_ns(50.0) as f64,
            histogram.percentile_ns(99.9) as f64,
            distribution.max_ns as f64,
        ];
        let cells = [label.to_owned()]
            .into_iter()
            .chain(numbers.map(|value_ns| short(value_ns * 1e-3)));
        report.row(cells.chain([distribution.count.to_string()]));
    }
    let period: u64 = wakeups
        .counts
        .iter()
        .filter(|(us, _)| *us >= PERIOD_US)
        .map(|(_, count)| count)
        .sum();
    let (late_peer, late) = (
        period + wakeups.beyond,
        dynamics.overruns + dynamics.exchange_misses,
    );
    report.note(format!(
        "{seconds} s, {} steps: {} overruns and {} answers too late; cyclictest was woken later than the period {late_peer} times, at most {} µs late",
        dynamics.wakeups, dynamics.overruns, dynamics.exchange_misses, wakeups.max_us
    ));
    report.target(Target::at_most(
        "late steps, against wake-ups of cyclictest later than the period",
        late_peer as f64,
        "",
        late as f64,
    ));
    report
}
