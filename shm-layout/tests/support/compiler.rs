//! The machine's C and C++ compilers, if it has them.
#![allow(dead_code, reason = "each program uses its part")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use shm_layout::RegionName;
use tempfile::TempDir;

use crate::child;

/// Where the C clients are.
pub fn clients() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../clients/c")
}

/// Whether this compiler can be run.
pub fn exists(compiler: &str) -> bool {
    Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Compiles with every warning an error.
pub fn compile(compiler: &str, standard: &str, source: &Path, program: &Path) {
    let output = Command::new(compiler)
        .arg(format!("-std={standard}"))
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2", "-I"])
        .arg(clients())
        .arg(source)
        .arg("-o")
        .arg(program)
        .output()
        .expect("the compiler was there a moment ago");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} -std={standard} {}:\n{errors}", source.display());
}

/// A compiled C program.
pub struct Program {
    folder: TempDir,
}

impl Program {
    /// Compiles one of the clients or of `tests/c`; `None` where there is no C compiler.
    pub fn compile(name: &str) -> Option<Self> {
        if !exists("cc") {
            child::skipped(&format!("{name}: there is no C compiler"));
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let folders = [clients(), Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c")];
        let source = folders.map(|folder| folder.join(name)).into_iter().find(|path| path.exists());
        compile("cc", "c11", &source.expect("a source"), &folder.path().join("program"));
        Some(Self { folder })
    }

    /// The program without arguments.
    pub fn command(&self) -> Command {
        Command::new(self.folder.path().join("program"))
    }

    /// The program at a region, whose input and outputs are ours.
    pub fn at(&self, name: &RegionName) -> Command {
        let mut command = self.command();
        command.arg(name.directory()).arg(name.instance());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}
