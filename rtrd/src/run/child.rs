//! One supervised process.

use std::io::{BufRead, BufReader};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use service::config::Supervisor;
use shm_layout::Role;

/// A line that a process wrote to its standard error.
pub struct Line {
    pub process: &'static str,
    pub text: String,
}

pub struct Supervised {
    pub role: Role,
    program: PathBuf,
    arguments: Vec<std::ffi::OsString>,
    child: Option<Child>,
    started: Instant,
    restart_at: Option<Instant>,
    backoff: Backoff,
    lines: Sender<Line>,
    has_run: bool,
    /// How often it was started again.
    pub restarts: u64,
}

impl Supervised {
    pub fn new(
        role: Role,
        arguments: Vec<std::ffi::OsString>,
        backoff: Backoff,
        lines: Sender<Line>,
    ) -> anyhow::Result<Self> {
        let program = find_program(role.name())?;
        let started = Instant::now();
        let (child, restart_at, has_run, restarts) = (None, None, false, 0);
        Ok(Self { role, program, arguments, child, started, restart_at, backoff, lines, has_run, restarts })
    }

    /// Starts the process. Must be called from the main thread: the kernel ties the child's life to
    /// the thread's.
    pub fn start(&mut self) -> anyhow::Result<()> {
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .arg("--supervisor")
            .arg(std::process::id().to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            // Ctrl-C in the terminal is for the supervisor, which ends the others in order.
            .process_group(0)
            .spawn()
            .with_context(|| format!("cannot start {}", self.program.display()))?;
        if let Some(stderr) = child.stderr.take() {
            forward_lines(service::short_name(self.role), stderr, self.lines.clone());
        }
        self.child = Some(child);
        self.started = Instant::now();
        self.restart_at = None;
        Ok(())
    }

    /// Notices that the process has died; says how, and when it will be started again. A process
    /// that gave up by itself and has never run will not run the next time either: that is an
    /// error.
    pub fn notice_death(&mut self, has_run: bool) -> anyhow::Result<Option<String>> {
        self.has_run |= has_run;
        let Some(child) = &mut self.child else {
            return Ok(None);
        };
        let Some(status) = child.try_wait()? else {
            return Ok(None);
        };
        self.child = None;
        if !self.has_run && status.code().is_some() {
            bail!("{} could not start: it {}", self.role.name(), how_it_ended(status));
        }
        let delay = self.backoff.after(self.started.elapsed());
        self.restart_at = Some(Instant::now() + delay);
        Ok(Some(format!("{}; starting it again in {} ms", how_it_ended(status), delay.as_millis())))
    }

    /// Starts the process again if it is time to.
    pub fn restart_if_due(&mut self) -> anyhow::Result<()> {
        if self.restart_at.is_some_and(|at| Instant::now() >= at) {
            self.restarts += 1;
            self.start()?;
        }
        Ok(())
    }

    /// The process number while it runs, and for how long it has.
    pub fn running(&self) -> Option<(u32, Duration)> {
        self.child.as_ref().map(|child| (child.id(), self.started.elapsed()))
    }

    /// Kills the process, which is stuck. Its death is noticed later.
    pub fn kill_stuck(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
        }
    }

    /// Asks the process to end, and kills it if it does not within this time. Says so if it had to.
    pub fn stop(&mut self, within: Duration) -> Option<String> {
        self.restart_at = None;
        let mut child = self.child.take()?;
        // The child has not been waited for, so its number cannot belong to anybody else.
        let _ = kill(Pid::from_raw(child.id() as i32), Signal::SIGTERM);
        let asked = Instant::now();
        while asked.elapsed() < within {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => return None,
                Ok(Some(status)) => return Some(how_it_ended(status)),
                _ => std::thread::sleep(Duration::from_millis(2)),
            }
        }
        let _ = child.kill();
        let _ = child.wait();
        Some(format!("did not end within {} ms and was killed", within.as_millis()))
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        self.stop(Duration::from_millis(500));
    }
}

fn how_it_ended(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => match Signal::try_from(signal) {
            Ok(name) => format!("was ended by {name}"),
            Err(_) => format!("was ended by signal {signal}"),
        },
        (_, Some(code)) => format!("ended with exit code {code}"),
        _ => "ended".to_owned(),
    }
}

fn forward_lines(process: &'static str, stderr: ChildStderr, lines: Sender<Line>) {
    std::thread::spawn(move || {
        for text in BufReader::new(stderr).lines().map_while(Result::ok) {
            if lines.send(Line { process, text }).is_err() {
                break;
            }
        }
    });
}

/// The services lie beside this program, or on the search path.
pub fn find_program(name: &str) -> anyhow::Result<PathBuf> {
    let beside = std::env::current_exe()?.with_file_name(name);
    if beside.is_file() {
        return Ok(beside);
    }
    rt::processes::on_search_path(name).with_context(|| {
        format!("{name} is neither beside {} nor on the PATH; build it with `cargo build --release`", beside.display())
    })
}

/// The first restart comes quickly; each one that follows too soon waits twice as long, up to a
/// limit. A process that ran long enough has earned a quick restart again.
#[derive(Clone, Debug)]
pub struct Backoff {
    first: Duration,
    most: Duration,
    settled_after: Duration,
    next: Duration,
}

impl Backoff {
    pub fn new(config: &Supervisor) -> Self {
        let first = Duration::from_millis(config.restart_delay_ms);
        Self {
            first,
            most: Duration::from_millis(config.restart_delay_max_ms),
            settled_after: Duration::from_millis(config.settled_after_ms),
            next: first,
        }
    }

    /// The delay after a process that lived so long.
    pub fn after(&mut self, lived: Duration) -> Duration {
        if lived >= self.settled_after {
            self.next = self.first;
        }
        let delay = self.next;
        self.next = (self.next * 2).min(self.most);
        delay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_a_limit_and_start_again_after_a_long_life() {
        let mut config = service::Config::default().supervisor;
        (config.restart_delay_ms, config.restart_delay_max_ms, config.settled_after_ms) = (10, 50, 1_000);
        let mut backoff = Backoff::new(&config);
        let mut after_ms = |lived_ms| backoff.after(Duration::from_millis(lived_ms)).as_millis();
        assert_eq!([after_ms(0), after_ms(999), after_ms(0), after_ms(0)], [10, 20, 40, 50]);
        assert_eq!([after_ms(1_000), after_ms(1)], [10, 20]);
    }
}
