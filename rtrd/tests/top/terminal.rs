//! The live view on a terminal of its own: it ends when it should, and gives the terminal back.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use nix::fcntl::OFlag;
use nix::pty::{grantpt, posix_openpt, ptsname_r, unlockpt};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::command;
use super::live::Live;

/// Sets or asks what a terminal does with its input.
fn stty(terminal: &File, arguments: &[&str]) -> String {
    let terminal = Stdio::from(terminal.try_clone().unwrap());
    let output = Command::new("stty")
        .args(arguments)
        .stdin(terminal)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The program on a terminal of its own, and both ends of that, which no other process inherits.
fn on_new_terminal(instance: &str) -> (Child, File, File) {
    let master = posix_openpt(OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_CLOEXEC).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let slave = File::options()
        .read(true)
        .write(true)
        .custom_flags(OFlag::O_NOCTTY.bits())
        .open(ptsname_r(&master).unwrap())
        .unwrap();
    let end = || Stdio::from(slave.try_clone().unwrap());
    stty(&slave, &["rows", "24", "cols", "80"]);
    let child = command(&["--instance", instance, "--interval-ms", "20"])
        .env("TERM", "xterm-256color")
        .stdin(end())
        .stdout(end())
        .stderr(end())
        .spawn()
        .unwrap();
    (child, File::from(OwnedFd::from(master)), slave)
}

/// The program on a terminal of its own; what it draws is collected as it comes.
struct OnTerminal {
    child: Child,
    keys: File,
    slave: File,
    drawn: Arc<Mutex<Vec<u8>>>,
}

impl OnTerminal {
    fn start(instance: &str) -> Self {
        let (child, keys, slave) = on_new_terminal(instance);
        let mut screen = keys.try_clone().unwrap();
        let drawn = Arc::new(Mutex::new(Vec::new()));
        let collected = Arc::clone(&drawn);
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(count @ 1..) = screen.read(&mut part) {
                collected.lock().unwrap().extend_from_slice(&part[..count]);
            }
        });
        Self {
            child,
            keys,
            slave,
            drawn,
        }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.drawn.lock().unwrap()).into_owned()
    }

    /// Waits generously until this has been drawn.
    fn await_text(&self, wanted: &str) {
        let patience = Instant::now() + Duration::from_secs(30);
        while !self.text().contains(wanted) {
            assert!(
                Instant::now() < patience,
                "{wanted:?} never came:\n{}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The end must be a good one and leave the terminal as it was: the first screen, and lines as before.
    fn assert_good_end(mut self) {
        assert!(self.child.wait().unwrap().success());
        self.await_text(LEAVE);
        let text = self.text();
        assert_eq!((text.matches(ENTER).count(), text.matches(LEAVE).count()), (1, 1));
        let settings = stty(&self.slave, &["-a"]);
        assert!(
            settings.contains(" icanon") && settings.contains(" echo "),
            "{settings}"
        );
    }
}

/// What a terminal is told before and after: another screen, and back.
const ENTER: &str = "\x1b[?1049h";
const LEAVE: &str = "\x1b[?1049l";

#[test]
fn every_key_that_ends_it_gives_the_terminal_back() {
    let live = Live::new("keys");
    for key in ["q", "\x1b", "\x03"] {
        let mut on_terminal = OnTerminal::start(live.instance());
        on_terminal.await_text("select a process");
        assert!(stty(&on_terminal.slave, &["-a"]).contains("-icanon"));
        on_terminal.keys.write_all(key.as_bytes()).unwrap();
        on_terminal.assert_good_end();
    }
}

#[test]
fn a_signal_gives_the_terminal_back() {
    let live = Live::new("signal");
    for signal in [Signal::SIGTERM, Signal::SIGHUP] {
        let on_terminal = OnTerminal::start(live.instance());
        on_terminal.await_text("select a process");
        kill(Pid::from_raw(on_terminal.child.id() as i32), signal).unwrap();
        on_terminal.assert_good_end();
    }
}

#[test]
fn a_terminal_that_is_closed_ends_it() {
    let live = Live::new("closed");
    let (mut child, mut screen, slave) = on_new_terminal(live.instance());
    drop(slave);
    let mut drawn = Vec::new();
    while !String::from_utf8_lossy(&drawn).contains("select a process") {
        let mut part = [0; 4096];
        let count = screen.read(&mut part).unwrap();
        drawn.extend_from_slice(&part[..count]);
    }
    drop(screen);
    let patience = Instant::now() + Duration::from_secs(30);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > patience {
            child.kill().unwrap();
            panic!("it goes on without a terminal");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn it_stays_when_the_run_ends_and_shows_the_next_one() {
    let live = Live::new("again");
    let mut on_terminal = OnTerminal::start(live.instance());
    on_terminal.await_text("select a process");
    drop(live);
    on_terminal.await_text("the run is over");
    let before = on_terminal.text().matches("real-time").count();
    let next = Live::new("again");
    let patience = Instant::now() + Duration::from_secs(30);
    while on_terminal.text().matches("real-time").count() == before {
        assert!(
            Instant::now() < patience,
            "the next run was not shown:\n{}",
            on_terminal.text()
        );
        std::thread::sleep(Duration::from_millis(10));
    }
    on_terminal.keys.write_all(b"q").unwrap();
    on_terminal.assert_good_end();
    drop(next);
}
