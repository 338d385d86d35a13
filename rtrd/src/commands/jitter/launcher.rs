//! Runs one measurement in a process of its own, and never leaves it behind.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use nix::sys::prctl;
use rt::signals::Flags;

use super::measurement;

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
        // Without FIFO, a program keeps the timer slack of the process that started it: so both have exact timers.
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
            .arg(measurement::COMMAND)
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
