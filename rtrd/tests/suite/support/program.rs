//! The program with somebody who reads and answers: through pipes, or on a terminal of its own.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use nix::fcntl::OFlag;
use nix::pty::{grantpt, posix_openpt, ptsname_r, unlockpt};

/// How long something may take to be said.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A running program; what it says is collected as it comes.
pub struct Program {
    pub child: Child,
    keys: Option<Box<dyn Write>>,
    said: Arc<Mutex<Vec<u8>>>,
}

/// Asks or sets what a terminal does with its input.
pub fn stty(terminal: &File, arguments: &[&str]) -> String {
    let terminal = Stdio::from(terminal.try_clone().unwrap());
    let output = Command::new("stty").args(arguments).stdin(terminal).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The program on a terminal of its own, and both ends of that, which no other process inherits.
pub fn on_new_terminal(mut command: Command, rows: u16, columns: u16) -> (Child, File, File) {
    let master = posix_openpt(OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_CLOEXEC).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let mut options = File::options();
    options.read(true).write(true).custom_flags(OFlag::O_NOCTTY.bits());
    let slave = options.open(ptsname_r(&master).unwrap()).unwrap();
    let end = || Stdio::from(slave.try_clone().unwrap());
    stty(&slave, &["rows", &rows.to_string(), "cols", &columns.to_string()]);
    command.env("TERM", "xterm-256color").stdin(end()).stdout(end()).stderr(end());
    let child = command.spawn().unwrap();
    (child, File::from(OwnedFd::from(master)), slave)
}

impl Program {
    /// With pipes.
    pub fn with_pipes(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (output, keys) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        Self::collecting(child, output, Box::new(keys))
    }

    /// On a terminal of 30 rows and 100 columns.
    pub fn on_terminal(command: Command) -> Self {
        Self::on_terminal_of(command, 30, 100).0
    }

    /// On a terminal of this size; its other end shows how it is set.
    pub fn on_terminal_of(command: Command, rows: u16, columns: u16) -> (Self, File) {
        let (child, master, slave) = on_new_terminal(command, rows, columns);
        let keys = master.try_clone().unwrap();
        (Self::collecting(child, master, Box::new(keys)), slave)
    }

    fn collecting(child: Child, mut output: impl Read + Send + 'static, keys: Box<dyn Write>) -> Self {
        let said = Arc::new(Mutex::new(Vec::new()));
        let collected = Arc::clone(&said);
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut part) {
                collected.lock().unwrap().extend_from_slice(&part[..count]);
            }
        });
        Self { child, keys: Some(keys), said }
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.said.lock().unwrap()).into_owned()
    }

    /// Waits generously until this has been said so often.
    pub fn await_times(&self, wanted: &str, times: usize) {
        let timeout = Instant::now() + TIMEOUT;
        while self.text().matches(wanted).count() < times {
            assert!(Instant::now() < timeout, "{wanted:?} never came:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn await_text(&self, wanted: &str) {
        self.await_times(wanted, 1);
    }

    pub fn answer(&mut self, keys: &str) {
        self.keys.as_mut().unwrap().write_all(keys.as_bytes()).unwrap();
    }

    /// Closes what it reads.
    pub fn close_input(&mut self) {
        self.keys = None;
    }

    /// Waits for its end; also what it complained about, if that was not on the terminal.
    pub fn end(mut self) -> (ExitStatus, String, String) {
        let timeout = Instant::now() + TIMEOUT;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if Instant::now() > timeout {
                self.child.kill().unwrap();
                panic!("it does not end:\n{}", self.text());
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let mut complaint = String::new();
        if let Some(errors) = &mut self.child.stderr {
            errors.read_to_string(&mut complaint).unwrap();
        }
        // The collecting thread may be a moment behind.
        std::thread::sleep(Duration::from_millis(50));
        (status, self.text(), complaint)
    }
}
