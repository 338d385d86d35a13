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

/// A folder of its own, without the repository, in which it runs.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path().join(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs the program with the words of a line.
    pub fn run(&self, line: &str) -> Output {
        command(&line.split_whitespace().collect::<Vec<_>>()).current_dir(self.path()).output().unwrap()
    }

    /// Standard output of a success.
    pub fn text(&self, line: &str) -> String {
        text(&self.run(line))
    }

    /// Standard error of a failure.
    pub fn error(&self, line: &str) -> String {
        error(&self.run(line))
    }
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
