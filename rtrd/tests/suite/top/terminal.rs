//! The live view on a terminal of its own: it ends when it should, and gives the terminal back.

use std::fs::File;
use std::io::Read;
use std::process::Command;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::command;
use super::live::Live;
use crate::support::program::{Program, on_new_terminal, stty};

fn watching(instance: &str) -> Command {
    command(&format!("--instance {instance} --interval-ms 20"))
}

/// The program on a terminal of its own.
struct OnTerminal {
    program: Program,
    slave: File,
}

impl OnTerminal {
    fn start(instance: &str) -> Self {
        let (program, slave) = Program::on_terminal_of(watching(instance), 24, 80);
        Self { program, slave }
    }

    /// The end must be a good one and leave the terminal as it was: the first screen, and lines as
    /// before.
    fn assert_good_end(mut self) {
        assert!(self.program.child.wait().unwrap().success());
        self.program.await_text(LEAVE);
        let text = self.program.text();
        assert_eq!((text.matches(ENTER).count(), text.matches(LEAVE).count()), (1, 1));
        let settings = stty(&self.slave, &["-a"]);
        assert!(settings.contains(" icanon") && settings.contains(" echo "), "{settings}");
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
        on_terminal.program.await_text("select a process");
        assert!(stty(&on_terminal.slave, &["-a"]).contains("-icanon"));
        on_terminal.program.answer(key);
        on_terminal.assert_good_end();
    }
}

#[test]
fn a_signal_gives_the_terminal_back() {
    let live = Live::new("signal");
    for signal in [Signal::SIGTERM, Signal::SIGHUP] {
        let on_terminal = OnTerminal::start(live.instance());
        on_terminal.program.await_text("select a process");
        kill(Pid::from_raw(on_terminal.program.child.id() as i32), signal).unwrap();
        on_terminal.assert_good_end();
    }
}

#[test]
fn a_terminal_that_is_closed_ends_it() {
    let live = Live::new("closed");
    let (mut child, mut screen, slave) = on_new_terminal(watching(live.instance()), 24, 80);
    drop(slave);
    let mut drawn = Vec::new();
    while !String::from_utf8_lossy(&drawn).contains("select a process") {
        let mut part = [0; 4096];
        let count = screen.read(&mut part).unwrap();
        drawn.extend_from_slice(&part[..count]);
    }
    drop(screen);
    let deadline = Instant::now() + Duration::from_secs(30);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
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
    on_terminal.program.await_text("select a process");
    drop(live);
    on_terminal.program.await_text("the run is over");
    let before = on_terminal.program.text().matches("real-time").count();
    let next = Live::new("again");
    let deadline = Instant::now() + Duration::from_secs(30);
    while on_terminal.program.text().matches("real-time").count() == before {
        assert!(Instant::now() < deadline, "the next run was not shown:\n{}", on_terminal.program.text());
        std::thread::sleep(Duration::from_millis(10));
    }
    on_terminal.program.answer("q");
    on_terminal.assert_good_end();
    drop(next);
}
