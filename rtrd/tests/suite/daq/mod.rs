//! `rtrd daq` on regions that the tests make themselves, with and without a terminal.

mod calibrate;
mod file;
mod live;
mod record;
mod scope;

use std::process::Command;

use crate::support;

/// `rtrd daq` with the words of a line.
fn command(line: &str) -> Command {
    let mut command = support::command(&["daq"]);
    command.args(line.split_whitespace());
    command
}

/// What it prints; it must succeed.
fn printed(line: &str) -> String {
    support::text(&command(line).output().unwrap())
}

/// What it complains about; it must fail.
fn complaint(line: &str) -> String {
    let output = command(line).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    support::error(&output)
}
