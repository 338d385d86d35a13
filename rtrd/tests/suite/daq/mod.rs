//! `rtrd daq` on regions that the tests make themselves, with and without a terminal.

mod calibrate;
mod file;
mod live;
mod record;
mod scope;

use std::process::{Command, Output};

use crate::support;

fn command(arguments: &[&str]) -> Command {
    let mut command = support::command(&["daq"]);
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> (Output, String) {
    let output = command(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    (output, text)
}

fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}
