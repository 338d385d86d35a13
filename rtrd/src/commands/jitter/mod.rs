//! `rtrd jitter`: how late our loop wakes up, beside `cyclictest` under the same conditions.

pub mod figures;
mod files;
pub mod measurement;
pub mod session;
mod table;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::ValueEnum;

use super::INTERRUPTED;
use crate::output::{self, Progress};
use crate::view::format::terminal_width;
use measurement::Launcher;
use rt::cyclictest::Setup;
use session::{Measured, Sequence, Session};

/// Measure how late a loop wakes up on this machine, beside cyclictest
///
/// Our empty loop and cyclictest (Debian's rt-tests) run with the same priority, CPU and period,
/// each in a process of its own with locked memory and /dev/cpu_dma_latency held at 0.
/// "Alternating" is many short rounds in turn, so that a drift of the machine favours neither;
/// "blocks" is the whole time of one, then the whole time of the other. The verdict compares the
/// median over rounds of each round's percentile. Needs no rights: what is missing is missing for
/// both.
#[derive(clap::Args)]
pub struct JitterArguments {
    /// Time that each of the two programs is measured in each sequence
    #[arg(long, value_name = "N", default_value = "4", value_parser = crate::commands::positive_seconds)]
    seconds: f64,
    /// Period of the loops in microseconds
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(50..=100_000))]
    period_us: u64,
    /// FIFO priority, 1 to 99; 0 for the ordinary scheduler
    #[arg(long, value_name = "N", default_value = "80", value_parser = clap::value_parser!(u8).range(..=99))]
    priority: u8,
    /// CPU to measure; that of the dynamics in the CPU plan if none is given
    #[arg(long, value_name = "N")]
    cpu: Option<usize>,
    /// Rounds of the alternating sequence
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u64).range(1..=1_000))]
    rounds: u64,
    /// Order in which the two programs run
    #[arg(long, value_enum, default_value = "both")]
    sequence: Choice,
    /// Write a plot of both distributions (SVG)
    #[arg(short, long, value_name = "FILE.svg", value_parser = plot::svg_file)]
    plot: Option<PathBuf>,
    /// Write all figures (JSON)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write all counts (CSV, one row per microsecond)
    #[arg(long, value_name = "FILE")]
    histogram: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Choice {
    /// Many short rounds in turn
    Alternating,
    /// One long block of each
    Blocks,
    /// First alternating, then blocks
    Both,
}

/// A round with fewer wake-ups says nothing about its 99th percentile.
pub const WAKEUPS_MIN: u64 = 100;

pub fn jitter(arguments: &JitterArguments) -> anyhow::Result<ExitCode> {
    output::check_writable([&arguments.plot, &arguments.json, &arguments.histogram].into_iter().flatten())?;
    let parts = parts(arguments)?;
    let wished = Setup::wished(arguments.period_us, arguments.priority, cpu(arguments.cpu)?);
    let (session, missing) = Session::open(Launcher::new()?, &wished)?;
    for line in missing {
        say(&format!("! {line}"))?;
    }
    say(&session.setup.describe())?;
    let measured = measure(&session, &parts)?;
    report(arguments, &session, &measured)?;
    if session.launcher.interrupted() {
        eprintln!("interrupted: only whole rounds count");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// A sequence, its rounds, and the wake-ups of each program in each round.
type Part = (Sequence, u64, u64);

fn parts(arguments: &JitterArguments) -> anyhow::Result<Vec<Part>> {
    let wakeups = (arguments.seconds * 1e6 / arguments.period_us as f64) as u64;
    let alternating = (Sequence::Alternating, arguments.rounds, wakeups / arguments.rounds);
    let blocks = (Sequence::Blocks, 1, wakeups);
    let parts = match arguments.sequence {
        Choice::Alternating => vec![alternating],
        Choice::Blocks => vec![blocks],
        Choice::Both => vec![alternating, blocks],
    };
    let fewest = parts.iter().map(|(_, _, wakeups)| *wakeups).min().unwrap_or(0);
    ensure!(
        fewest >= WAKEUPS_MIN,
        "a round would have {fewest} wake-ups, and {WAKEUPS_MIN} are the least that say something; raise --seconds, or \
         lower --rounds or --period-us"
    );
    Ok(parts)
}

/// The CPU to measure, which this process may use.
fn cpu(wanted: Option<usize>) -> anyhow::Result<usize> {
    let machine = rt::machine::Machine::read(Path::new("/"))?;
    let allowed = rt::machine::allowed_cpus(&machine.processors.isolated)?;
    let Some(cpu) = wanted else {
        let plan = service::plan(&service::Config::default())?;
        let dynamics = plan.get(service::short_name(shm_layout::Role::Dynamics));
        return dynamics.map(|place| place.cpu).context("the CPU plan has no place for the dynamics");
    };
    let usable = allowed.contains(cpu) && machine.processors.online.contains(cpu);
    ensure!(usable, "CPU {cpu} was asked for, but this process may use {allowed} only");
    Ok(cpu)
}

fn measure(session: &Session, parts: &[Part]) -> anyhow::Result<Vec<Measured>> {
    let programs = if session.peer.is_some() { 2 } else { 1 };
    let wakeups: u64 = parts.iter().map(|(_, rounds, wakeups)| rounds * wakeups).sum();
    let total: Duration = programs * session.duration(wakeups);
    let seconds = total.as_secs_f64().ceil();
    say(&format!("measuring for about {seconds:.0} s; Ctrl-C ends it earlier"))?;
    let mut progress = Progress::lasting(total);
    let mut all = Vec::new();
    for (sequence, rounds, wakeups) in parts {
        let measured = session.measure(*sequence, *rounds, *wakeups, &mut progress)?;
        if !measured.rounds.is_empty() {
            all.push(measured);
        }
        if session.launcher.interrupted() {
            break;
        }
    }
    Ok(all)
}

fn report(arguments: &JitterArguments, session: &Session, all: &[Measured]) -> anyhow::Result<()> {
    for measured in all {
        say(&format!("\n{}", table::lines(measured, &session.setup).join("\n")))?;
    }
    let Some(first) = all.first() else { return Ok(()) };
    say("")?;
    if let Some(path) = &arguments.plot {
        output::write(path, files::plot(first, &session.setup)?)?;
    } else if std::io::stdout().is_terminal() {
        let programs = files::programs(first);
        let programs: Vec<_> = programs.iter().map(|(name, latencies)| (*name, latencies)).collect();
        let bars = table::bars(&programs, terminal_width().min(120) - 1);
        say(&format!("{}:\n{}", first.sequence.name(), bars.join("\n")))?;
    }
    if let Some(path) = &arguments.histogram {
        output::write(path, files::histogram(all))?;
    }
    if let Some(path) = &arguments.json {
        let json = files::json(all, &session.setup, session.peer.as_deref());
        output::write(path, format!("{json:#}\n"))?;
    }
    Ok(())
}

/// Prints a line. A reader who has gone is an error like any other: a panic would not end the
/// measurement in order.
fn say(line: &str) -> anyhow::Result<()> {
    writeln!(std::io::stdout(), "{line}").context("cannot write to standard output")
}
