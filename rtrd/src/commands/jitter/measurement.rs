//! The hidden command that each measurement runs in: a process of its own, so that priority,
//! pinning and locked memory never touch the command line, and one that cannot outlive it.
//!
//! For our loop it measures and prints a line of JSON. For another program, such as `cyclictest`,
//! it only sees to it that it dies with its parent, and then becomes it.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, ensure};
use clap::Parser;
use nix::sys::prctl;
use nix::sys::signal::Signal;
use rt::signals::Flags;
use rt::startup::{Granted, Outcome, Wishes};
use rt::wakeups::measure_wakeups;
use serde::{Deserialize, Serialize};

use rt::cyclictest::Latencies;
use rt::cyclictest::Setup;

/// The name of the hidden command.
pub const COMMAND: &str = "jitter-measurement";
/// Stack that the loop may use without a page fault.
const STACK_BYTES: usize = 64 * 1024;

/// One measurement of `rtrd jitter`, in a process of its own
#[derive(Parser)]
struct Arguments {
    /// Process number of the command line
    supervisor: i32,
    #[command(subcommand)]
    program: Program,
}

#[derive(clap::Subcommand)]
enum Program {
    /// Our loop
    Ours { period_us: u64, priority: u8, cpu: usize, lock_memory: u8, bins: usize, wakeups: u64 },
    /// Another program
    Program {
        program: PathBuf,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

/// What our loop answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// What it measured.
    pub latencies: Latencies,
    /// The bits of what it wished and was not given.
    pub refused: Vec<u64>,
}

/// The arguments behind [`COMMAND`] for our loop.
pub fn ours(setup: &Setup, wakeups: u64) -> Vec<OsString> {
    let numbers = [
        setup.period_us,
        u64::from(setup.priority),
        setup.cpu as u64,
        u64::from(setup.lock_memory),
        setup.bins as u64,
        wakeups,
    ];
    let numbers = numbers.iter().map(|number| number.to_string().into());
    std::iter::once("ours".into()).chain(numbers).collect()
}

/// The arguments behind [`COMMAND`] for another program.
pub fn program(program: &std::path::Path, arguments: Vec<OsString>) -> Vec<OsString> {
    let mut line: Vec<OsString> = vec!["program".into(), program.into()];
    line.extend(arguments);
    line
}

/// Runs the hidden command if that is what this program was started for. It is not among the
/// commands of the command line, so that no help text and no completion shows it.
pub fn run() -> Option<anyhow::Result<ExitCode>> {
    let mut words = std::env::args_os().skip(1).peekable();
    let asked = words.peek().is_some_and(|word| word == COMMAND);
    asked.then(|| obey(&Arguments::parse_from(words)))
}

fn obey(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    prctl::set_pdeathsig(Signal::SIGKILL).context("cannot tie this process to its parent")?;
    // The parent may have died before we asked.
    let parent = nix::unistd::getppid().as_raw();
    ensure!(parent == arguments.supervisor, "`rtrd jitter` starts this command");
    match &arguments.program {
        Program::Ours { period_us, priority, cpu, lock_memory, bins, wakeups } => {
            let setup = Setup {
                period_us: *period_us,
                priority: *priority,
                cpu: *cpu,
                lock_memory: *lock_memory != 0,
                bins: *bins,
            };
            println!("{}", serde_json::to_string(&measure(&setup, *wakeups)?)?);
            Ok(ExitCode::SUCCESS)
        }
        Program::Program { program, arguments } => {
            // Only a failure returns.
            let error = Command::new(program).args(arguments).exec();
            Err(error).with_context(|| format!("cannot start {}", program.display()))
        }
    }
}

fn measure(setup: &Setup, wakeups: u64) -> anyhow::Result<Answer> {
    let flags = Flags::register().context("cannot listen for signals")?;
    // Before the memory is locked, which then brings every page of it in.
    let mut counts = vec![0_u64; setup.bins];
    let granted = rt::startup::enter(&Wishes {
        cpu: Some(setup.cpu),
        fifo_priority: (setup.priority > 0).then_some(setup.priority),
        lock_memory: setup.lock_memory,
        dma_latency_us: Some(0),
        prefault_stack_bytes: STACK_BYTES,
        ..Wishes::default()
    })?;
    let stop = || flags.stop_requested();
    let statistics = measure_wakeups(setup.period_us * 1_000, wakeups, &stop, &mut counts);
    Ok(Answer { latencies: Latencies::of_loop(&counts, &statistics), refused: refused(&granted) })
}

fn refused(granted: &Granted) -> Vec<u64> {
    let refused = granted.outcomes().filter(|(_, outcome)| matches!(outcome, Outcome::Missing(_)));
    refused.map(|(item, _)| item.bit()).collect()
}
