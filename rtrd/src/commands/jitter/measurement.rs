//! The hidden command that each measurement runs in: a process of its own, so that priority,
//! pinning and locked memory never touch the command line, and one that cannot outlive it.
//!
//! For our loop it measures and prints a line of JSON. For another program, such as `cyclictest`,
//! it only sees to it that it dies with its parent, and then becomes it. The [`Launcher`] runs one,
//! and never leaves it behind.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::Parser;
use nix::sys::prctl;
use nix::sys::signal::Signal;
use rt::cyclictest::{Latencies, Setup};
use rt::signals::Flags;
use rt::startup::{Granted, Outcome, Wishes};
use rt::wakeups::measure_wakeups;
use serde::{Deserialize, Serialize};

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

/// How often to look whether the user wants to stop, and to show progress.
const TICK: Duration = Duration::from_millis(100);

/// Starts measurements.
pub struct Launcher {
    program: PathBuf,
    flags: Flags,
}

/// How a measurement ended.
pub enum Ended {
    /// By itself, with this on its standard output.
    Printed(String),
    /// With an error, and this message.
    Failed(String),
    /// The user asked for the end; the process is gone.
    Interrupted,
}

/// A process that does not outlive this value.
struct Guarded(Child);

impl Drop for Guarded {
    fn drop(&mut self) {
        // It has usually ended by itself, and then there is nothing to kill.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Launcher {
    /// Listens for Ctrl-C from now on, and makes the timers of all that it starts exact.
    pub fn new() -> anyhow::Result<Self> {
        // Without FIFO, a program keeps the timer slack of the process that started it: so both
        // have exact timers.
        prctl::set_timerslack(1).context("cannot make timers exact")?;
        Ok(Self {
            program: std::env::current_exe().context("cannot find this program's own file")?,
            flags: Flags::register().context("cannot listen for signals")?,
        })
    }

    /// Whether the user asked for the end.
    pub fn interrupted(&self) -> bool {
        self.flags.stop_requested()
    }

    /// Runs the hidden command with these arguments, at most for `limit`. Must be called from the
    /// main thread: the kernel ties the child's life to the thread's.
    pub fn run(&self, arguments: &[OsString], limit: Duration, mut on_tick: impl FnMut()) -> anyhow::Result<Ended> {
        let mut child = Guarded(self.start(arguments)?);
        let printed = collect(child.0.stdout.take().context("the child has no standard output")?);
        let began = Instant::now();
        let text = loop {
            on_tick();
            match printed.recv_timeout(TICK) {
                Ok(text) => break text.context("cannot read what the measurement printed")?,
                Err(RecvTimeoutError::Disconnected) => bail!("the thread that collects the output has ended"),
                Err(RecvTimeoutError::Timeout) if self.interrupted() => return Ok(Ended::Interrupted),
                Err(RecvTimeoutError::Timeout) if began.elapsed() > limit => {
                    bail!("a measurement did not end within {} s and was killed", limit.as_secs());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        let status = child.0.wait()?;
        if self.interrupted() {
            return Ok(Ended::Interrupted);
        }
        if status.success() {
            return Ok(Ended::Printed(text));
        }
        Ok(Ended::Failed(message_of(&mut child.0)))
    }

    fn start(&self, arguments: &[OsString]) -> anyhow::Result<Child> {
        Command::new(&self.program)
            .arg(COMMAND)
            .arg(std::process::id().to_string())
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Ctrl-C in the terminal is for this process, which ends the other.
            .process_group(0)
            .spawn()
            .with_context(|| format!("cannot start {}", self.program.display()))
    }
}

/// A histogram is larger than a pipe, so it is read while it is written.
fn collect(mut stdout: ChildStdout) -> Receiver<std::io::Result<String>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let read = stdout.read_to_string(&mut text).map(|_| text);
        // There is no listener any more if the user has interrupted.
        let _ = sender.send(read);
    });
    receiver
}

/// What a process which failed wrote to its standard error, in one line.
fn message_of(child: &mut Child) -> String {
    let mut text = String::new();
    if let Some(stderr) = &mut child.stderr {
        let _ = stderr.read_to_string(&mut text);
    }
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() { "it failed without a message".to_owned() } else { lines.join(" ") }
}
