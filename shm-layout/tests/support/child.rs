//! Tests with several processes: a test starts itself again in another role.
//!
//! The child is the same test in the same program, told by an environment variable to play a part
//! instead of being the test. It speaks through its standard error, one line for each `say`; the
//! parent speaks through its standard input. A child never outlives the test: it is killed when its
//! handle is dropped, and by the kernel when the parent dies.
#![allow(dead_code, unused_macros, reason = "each program uses its part")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

const ROLE: &str = "SHM_LAYOUT_TEST_ROLE";
const MARK: char = '@';
/// A child that says nothing for so long has hung; long enough for any loaded machine.
const SILENCE: Duration = Duration::from_secs(120);

/// The test that this stands in, by the name under which the program runs it.
macro_rules! this_test {
    () => {{
        fn here() {}
        crate::child::test_of(std::any::type_name_of_val(&here))
    }};
}

/// `program::module::test::here` → `module::test`.
pub fn test_of(here: &str) -> String {
    let parts: Vec<&str> = here.split("::").filter(|part| *part != "{{closure}}").collect();
    parts[1..parts.len() - 1].join("::")
}

/// The part that this process has to play; `None` in the test itself.
pub fn role() -> Option<String> {
    let role = std::env::var(ROLE).ok()?;
    nix::sys::prctl::set_pdeathsig(Signal::SIGKILL).expect("a child may ask for the signal");
    Some(role)
}

/// Tells the parent something.
pub fn say(what: impl std::fmt::Display) {
    // Not `eprintln!`, which the test harness may keep to itself.
    writeln!(std::io::stderr(), "{MARK}{what}").expect("the parent listens");
}

/// Waits for a line from the parent; `None` when it has closed its end.
pub fn listen() -> Option<String> {
    let mut line = String::new();
    let read = std::io::stdin().read_line(&mut line).expect("the parent speaks text");
    (read > 0).then(|| line.trim().to_owned())
}

/// A line for people about a test that cannot run here, past the harness, which would keep it to
/// itself.
pub fn skipped(why: &str) {
    writeln!(std::io::stderr(), "skipped: {why}").expect("somebody listens");
}

/// A process that plays a part.
pub struct Child {
    process: std::process::Child,
    lines: Receiver<String>,
}

impl Child {
    /// Starts this test again in a role.
    pub fn start(test: String, role: &str, environment: &[(&str, &str)]) -> Self {
        let program = std::env::current_exe().expect("a test knows its program");
        let mut process = Command::new(program)
            .args(["--exact", &test, "--nocapture", "--test-threads=1"])
            .env(ROLE, role)
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a test can start itself");
        let errors = process.stderr.take().expect("it is piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(errors).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { process, lines }
    }

    /// Its process number.
    pub fn pid(&self) -> Pid {
        Pid::from_raw(self.process.id() as i32)
    }

    /// Waits until it says something that begins with this; returns the rest.
    pub fn expect(&self, beginning: &str) -> String {
        let said = self.next();
        match said.strip_prefix(beginning) {
            Some(rest) => rest.trim().to_owned(),
            None => panic!("expected the child to say {beginning:?}, it said {said:?}"),
        }
    }

    /// The next thing that it says.
    pub fn next(&self) -> String {
        self.next_within(SILENCE).unwrap_or_else(|| panic!("the child has been silent for {SILENCE:?}"))
    }

    /// The next thing that it says, if it says something soon enough.
    pub fn next_within(&self, patience: Duration) -> Option<String> {
        let mut other = String::new();
        loop {
            match self.lines.recv_timeout(patience) {
                Ok(line) => match line.strip_prefix(MARK) {
                    Some(said) => return Some(said.to_owned()),
                    None => other = other + &line + "\n",
                },
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => panic!("the child has ended; before that:\n{other}"),
            }
        }
    }

    /// Everything that its program says until it ends, whoever says it.
    pub fn last_words(&self) -> String {
        self.lines.iter().map(|line| line + "\n").collect()
    }

    /// Tells it something.
    pub fn tell(&mut self, what: &str) {
        let input = self.process.stdin.as_mut().expect("its input is open");
        writeln!(input, "{what}").expect("the child listens");
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        kill(self.pid(), signal).expect("the child has not been waited for");
    }

    /// Kills it and waits until it is gone, and with it all that it held.
    pub fn kill(mut self) {
        self.signal(Signal::SIGKILL);
        self.process.wait().expect("it is our child");
    }

    /// Closes its input and waits for its end.
    pub fn end(mut self) -> ExitStatus {
        drop(self.process.stdin.take());
        self.process.wait().expect("it is our child")
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // Both fail only if it is gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
