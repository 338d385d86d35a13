//! The program under test, and what it says.

pub mod program;

use std::path::Path;
use std::process::{Command, Output};

/// The program with these arguments.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtrd"));
    command.args(arguments);
    command
}

/// Runs it in a folder.
pub fn rtrd(folder: &Path, arguments: &[&str]) -> Output {
    command(arguments).current_dir(folder).output().unwrap()
}

/// Standard output of a success.
pub fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", said(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Standard error of a failure.
pub fn error(output: &Output) -> String {
    assert!(!output.status.success(), "{}", said(output));
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// All that was printed.
pub fn said(output: &Output) -> String {
    let of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    of(&output.stdout) + &of(&output.stderr)
}
