//! `rtrd check --report`: measures for some minutes, holds everything against the limits, and
//! writes it down.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, ensure};
use rt::cyclictest::Setup;
use shm_layout::name::SHARED_MEMORY_DIRECTORY;
use shm_layout::{Region, RegionName};

use super::{Examination, hardware_latency};
use crate::commands::jitter::WAKEUPS_MIN;
use crate::commands::jitter::figures::{Figures, all_ours, all_peers};
use crate::commands::jitter::measurement::Launcher;
use crate::commands::jitter::session::{Measured, Sequence, Session};
use crate::commands::report::date;
use crate::commands::{INTERRUPTED, seconds_within};
use crate::output::Progress;
use crate::readiness::{
    Check, Content, Hardware, HardwareLatency, Identity, KernelFacts, LIMIT_US, Limits, Outcome, Places, WakeUps,
    judge, prepare, write,
};

/// Exit code of a report that could not be made.
const NOT_MADE: u8 = 2;
/// The loops take turns; a round lasts about so long.
const ROUND_S: f64 = 10.0;
const ROUNDS_MAX: u64 = 6;
/// Step of a simulation that does not say another (µs).
const PERIOD_US: u64 = 1_000;

/// What the user asks for.
#[derive(clap::Args)]
pub struct ReportArguments {
    /// Measure for some minutes and write a readiness report, FILE.json and FILE.md; without FILE
    /// to /var/lib/rtrd/readiness, or to $XDG_STATE_HOME/rtrd/readiness where that cannot be
    /// written
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub report: Option<Option<PathBuf>>,
    /// Time that our loop, cyclictest and hwlatdetect are measured each; a report of less than 60 s
    /// does not pass
    #[arg(long, value_name = "N", default_value = "60", requires = "report", value_parser = |text: &str| seconds_within(text, 0.1..=86_400.0))]
    seconds: f64,
    /// Largest wake-up latency with which the report passes, in microseconds; at most the period of
    /// the loop
    #[arg(long, value_name = "N", default_value_t = LIMIT_US, requires = "report", value_parser = clap::value_parser!(u64).range(1..))]
    limit_us: u64,
    /// Who answers for the report
    #[arg(long, value_name = "NAME", requires = "report")]
    sign_off: Option<String>,
}

/// Makes the report. An error means that there is none.
pub fn report(arguments: &ReportArguments, examination: anyhow::Result<Examination>) -> ExitCode {
    match examination.and_then(|examination| make(arguments, &examination)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("rtrd: no report was made: {error:#}");
            ExitCode::from(NOT_MADE)
        }
    }
}

fn make(arguments: &ReportArguments, examination: &Examination) -> anyhow::Result<ExitCode> {
    let stem = match arguments.report.as_ref().and_then(Option::as_ref) {
        Some(stem) => prepare(stem).map(|()| stem.clone())?,
        None => Places::of_environment().stem()?,
    };
    println!("{}", examination.summary);
    let running = running_instances();
    for name in &running {
        println!("  ! instance {name:?} is running and disturbs the measurement");
    }
    let Some((wake_ups, hardware)) = measure(arguments, examination)? else {
        eprintln!("interrupted: no report was made");
        return Ok(ExitCode::from(INTERRUPTED));
    };
    let content = content(arguments, &running, examination, wake_ups, hardware)?;
    for gate in &content.gates {
        let mark = match gate.outcome {
            Outcome::Passed => "✔",
            Outcome::Failed => "✘",
            Outcome::NotMeasured => "?",
        };
        println!("  {mark} {}: {} (wanted: {})", gate.title, gate.found, gate.wanted);
    }
    for caveat in &content.caveats {
        println!("  ! {caveat}");
    }
    let passes = content.passes;
    println!("this machine {}", if passes { "passes" } else { "does not pass" });
    for path in write(&stem, content)? {
        println!("wrote {}", path.display());
    }
    Ok(if passes { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What was measured; `None` if the user interrupts.
fn measure(
    arguments: &ReportArguments,
    examination: &Examination,
) -> anyhow::Result<Option<(WakeUps, HardwareLatency)>> {
    let rounds = ((arguments.seconds / ROUND_S) as u64).clamp(1, ROUNDS_MAX);
    let (wished, period_us) = wished(examination)?;
    ensure!(
        arguments.limit_us <= period_us,
        "--limit-us {}: expected at most the period of the loop, {period_us} µs: who wakes up later has missed a step",
        arguments.limit_us
    );
    let wakeups = (arguments.seconds * 1e6 / period_us as f64 / rounds as f64) as u64;
    ensure!(wakeups >= WAKEUPS_MIN, "{wakeups} wake-ups in a round say nothing; raise --seconds");
    let load_before = load_average();
    let (session, missing) = Session::open(Launcher::new()?, &wished)?;
    missing.iter().for_each(|line| println!("  ! {line}"));
    let detector = hardware_latency::find(Path::new("/"), nix::unistd::geteuid().is_root());
    let detector_s = arguments.seconds.ceil() as u64;
    let total = plan(&session, rounds * wakeups, detector.as_ref().ok().map(|_| detector_s));
    let mut progress = Progress::lasting(total);
    let measured = session.measure(Sequence::Alternating, rounds, wakeups, &mut progress)?;
    if session.launcher.interrupted() {
        return Ok(None);
    }
    let load_average = [load_before, load_average()];
    let hardware = match detector {
        Ok(program) => hardware_latency::measure(&program, detector_s, &session.launcher, &mut progress)?,
        Err(why) => Some(HardwareLatency::NotMeasured { why }),
    };
    let wake_ups = wake_ups(&measured, &session.setup, load_average, missing);
    Ok(hardware.map(|hardware| (wake_ups, hardware)))
}

/// Says what will be done, and how long it takes.
fn plan(session: &Session, wakeups: u64, detector_s: Option<u64>) -> Duration {
    let each = session.duration(wakeups);
    let mut total = each;
    let mut parts = vec![format!("our loop {:.0} s", each.as_secs_f64())];
    if session.peer.is_some() {
        total += each;
        parts.push(format!("cyclictest {:.0} s", each.as_secs_f64()));
    }
    if let Some(seconds) = detector_s {
        total += Duration::from_secs(seconds);
        parts.push(format!("hwlatdetect {seconds} s"));
    }
    println!("{}", session.setup.describe());
    println!(
        "measuring for about {:.0} s ({}); Ctrl-C ends it without a report",
        total.as_secs_f64(),
        parts.join(", ")
    );
    total
}

/// The loop of the dynamics: its CPU, its priority, its period.
fn wished(examination: &Examination) -> anyhow::Result<(Setup, u64)> {
    let dynamics = &examination.config.dynamics;
    let period_us = dynamics.step_us.unwrap_or(PERIOD_US);
    let plan = examination.workload.plan.as_ref();
    let plan = plan.map_err(|error| anyhow::anyhow!("there is no CPU plan: {error}"))?;
    let place = plan.get(service::short_name(shm_layout::Role::Dynamics));
    let cpu = place.context("the CPU plan has no place for the dynamics")?.cpu;
    Ok((Setup::wished(period_us, dynamics.fifo_priority, cpu), period_us))
}

/// Instances whose processes would be in the way.
fn running_instances() -> Vec<String> {
    let names = RegionName::all_in(Path::new(SHARED_MEMORY_DIRECTORY)).unwrap_or_default();
    let is_running = |name: &RegionName| Region::observe(name).is_ok_and(|region| !region.owners().is_empty());
    let running = names.iter().filter(|name| is_running(name));
    running.map(|name| name.instance().to_owned()).collect()
}

const VIRTUAL: &str = "Virtual machine: its host may stop its CPUs at any time, and in an emulator even time is made up. \
                       The times here are no evidence of hardware latency.";
const IDLE: &str = "The machine was nearly idle. A report for a machine that will be busy is made while it is busy.";
/// Load per CPU below which a machine counts as idle.
const IDLE_LOAD: f64 = 0.5;

fn wake_ups(measured: &Measured, setup: &Setup, load_average: [f64; 2], missing: Vec<String>) -> WakeUps {
    let figures = |latencies| Figures::of(latencies, setup.period_us);
    let rounds = measured.rounds.len() as u64;
    WakeUps {
        period_us: setup.period_us,
        fifo_priority: setup.priority,
        cpu: setup.cpu,
        memory_locked: setup.lock_memory,
        seconds: (rounds * measured.wakeups * setup.period_us) as f64 * 1e-6,
        rounds,
        ours: figures(&all_ours(measured)),
        cyclictest: all_peers(measured).as_ref().map(figures),
        load_average,
        missing,
    }
}

fn content(
    asked: &ReportArguments,
    running: &[String],
    examination: &Examination,
    wake_ups: WakeUps,
    hardware_latency: HardwareLatency,
) -> anyhow::Result<Content> {
    let (machine, root) = (&examination.machine, Path::new("/"));
    let checks: Vec<Check> = serde_json::from_value(serde_json::to_value(&examination.findings)?)?;
    let limits = Limits::new(asked.limit_us);
    let gates = judge(&limits, &checks, &wake_ups, &hardware_latency);
    let text = |path: &str| std::fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    let is_idle = wake_ups.load_average[1] < IDLE_LOAD * machine.processors.online.len() as f64;
    let caveats = [(machine.kernel.virtual_machine, VIRTUAL), (is_idle, IDLE)];
    let caveats = caveats.into_iter().filter(|(holds, _)| *holds);
    let disturbed = running.iter().map(|name| format!("Instance {name:?} was running and disturbed the measurement."));
    Ok(Content {
        made: date::now(),
        made_by: format!("rtrd {}", env!("CARGO_PKG_VERSION")),
        host: text("/proc/sys/kernel/hostname"),
        signed_off_by: asked.sign_off.clone(),
        identity: Identity::of(machine, root),
        hardware: Hardware::of(machine, root),
        kernel: KernelFacts {
            version: text("/proc/version"),
            realtime: machine.kernel.realtime,
            virtual_machine: machine.kernel.virtual_machine,
        },
        instance: examination.config.instance.name.clone(),
        cpu_plan: examination.plan_text(),
        passes: gates.iter().all(|gate| gate.outcome != Outcome::Failed),
        checks,
        wake_ups,
        hardware_latency,
        limits,
        gates,
        caveats: caveats.map(|(_, caveat)| caveat.to_owned()).chain(disturbed).collect(),
    })
}

/// Of the last minute; 0 where it is not known.
fn load_average() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0.0)
}
